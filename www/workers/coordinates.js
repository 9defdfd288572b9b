// Reads coordinates: times of climate data as dates, and whether they grow upward.

import { get } from "zarrita";
import { elements, shortDate } from "../image/elements.js";

/**
 * @typedef {import("../image/coordinates.js").Coordinate} Coordinate
 * @typedef {import("../store/nodes.js").Node} Node
 */

/**
 * Reads a coordinate.
 *
 * @param {import("../image/plane.js").ZarritaArray} array
 * @param {Node} node
 * @returns {Promise<Coordinate>}
 */
export async function readCoordinate(array, { path, metadata }) {
  const { data, stride, shape } = /** @type {any} */ (await get(array));
  const at = "get" in data ? (/** @type {number} */ i) => data.get(i) : (/** @type {number} */ i) => data[i];
  const step = shape.length > 1 ? stride[1] : 1;
  const { number, text } = elements(metadata.data_type, at, undefined, step, shape[1] ?? 1);
  const indices = Array.from({ length: shape[0] }, (_, i) => i * stride[0]);
  const attributes = /** @type {Record<string, any>} */ (metadata.attributes ?? {});
  const toTime = timeOf(attributes.units, attributes.calendar);
  const unit = typeof attributes.units === "string" && !toTime ? attributes.units : undefined;
  const write = (/** @type {number} */ i) => {
    if (toTime) return toTime(number(i));
    const value = number(i);
    return Number.isFinite(value) && !Number.isInteger(value) ? String(+value.toPrecision(7)) : text(i);
  };
  const isAscending = number(indices[0]) < number(indices[indices.length - 1]);
  return { texts: indices.map(write), unit, isUpward: isAscending && pointsUp(path, attributes) };
}

/** Tells whether larger coordinates are shown further up: latitudes and northings. @param {string} path @param {Record<string, any>} attributes */
function pointsUp(path, { units, standard_name: standard, axis }) {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return (
    /^(lat|latitude|rlat|northing)s?$/.test(name) ||
    /^degrees?_?n(orth)?$/i.test(String(units)) ||
    /^(latitude|grid_latitude|projection_y_coordinate)$/.test(String(standard)) ||
    axis === "Y"
  );
}

const MILLISECONDS = {
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
  microsecond: 1e-3,
  nanosecond: 1e-6,
};

/**
 * Returns a function that writes the times of climate data, such as "days since 1970-01-01"; `undefined` for other units,
 * and for calendars that are not ours.
 *
 * @param {unknown} units
 * @param {unknown} calendar
 */
function timeOf(units, calendar = "standard") {
  const [, unit, epoch] =
    /^(day|hour|minute|second|millisecond|microsecond|nanosecond)s? since (.+)$/.exec(String(units)) ?? [];
  if (unit === undefined || !["standard", "gregorian", "proleptic_gregorian"].includes(String(calendar)))
    return undefined;
  const iso = epoch
    .trim()
    .replace(/^(\d{4}-\d{1,2}-\d{1,2})[ T]?/, "$1T")
    .replace(/T$/, "");
  const start = Date.parse(/T/.test(iso) ? `${iso.replace(/( UTC|Z)$/, "")}Z` : `${iso}T00:00:00Z`);
  if (Number.isNaN(start)) return undefined;
  const length = MILLISECONDS[/** @type {keyof typeof MILLISECONDS} */ (unit)];
  return (/** @type {number} */ value) => {
    const date = new Date(start + value * length);
    return Number.isNaN(date.getTime()) ? String(value) : shortDate(date);
  };
}
