// The elements of an array, by their data type: as numbers that can be painted, and as text.

import { fieldsOf, isRecord, isText, rawLength, typeName } from "./data-types.js";
import { toDate } from "./dates.js";

/**
 * @typedef {(i: number) => any} At reads what zarrita returns at an index
 * @typedef {{ number: (i: number) => number, text: (i: number) => string }} Elements
 * @typedef {import("./data-types.js").Field} Field
 */

/**
 * Returns how elements become numbers and text.
 *
 * @param {any} dataType
 * @param {At} at
 * @param {string | number | undefined} component
 * @param {number} step from one component to the next
 * @param {number} count of components
 * @returns {Elements}
 */
export function elements(dataType, at, component, step, count) {
  const name = typeName(dataType);
  /** @param {number} i */
  const bytes = (i) => Uint8Array.from({ length: count }, (_, byte) => at(i + byte * step));
  if (/^complex/.test(name)) return complexElements(at, component, step);
  if (isRecord(name)) return recordElements(dataType, bytes, component);
  if (/^numpy\.(datetime|timedelta)64$/.test(name)) return timeElements(dataType, at);
  if (name === "fixed_length_utf32") {
    const points = (/** @type {number} */ i) =>
      Array.from({ length: count }, (_, k) => Number(at(i + k * step)));
    return textElements((i) =>
      String.fromCodePoint(...points(i).filter((point) => point > 0 && point <= 0x10ffff)),
    );
  }
  if (name === "null_terminated_bytes") {
    return textElements((i) => new TextDecoder().decode(bytes(i)).replace(/\0+$/, ""));
  }
  if (isText(dataType)) {
    return textElements((i) => {
      const value = at(i);
      return value instanceof Uint8Array
        ? hexOf(value)
        : typeof value === "string"
          ? value
          : JSON.stringify(value);
    });
  }
  if (rawLength(dataType) > 0) {
    const byte = Number(component ?? 0) * step;
    return {
      number: (i) => Number(at(i + byte)),
      text: (i) => (component === undefined ? hexOf(bytes(i)) : String(at(i + byte))),
    };
  }
  return { number: (i) => Number(at(i)), text: (i) => String(at(i)) };
}

/** @param {(i: number) => string} text @returns {Elements} */
const textElements = (text) => ({ number: () => Number.NaN, text });

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** @param {At} at @param {string | number | undefined} component @param {number} step @returns {Elements} */
function complexElements(at, component, step) {
  /** @type {Record<string, (i: number) => number>} */
  const numbers = {
    magnitude: (i) => Math.hypot(at(i), at(i + step)),
    phase: (i) => Math.atan2(at(i + step), at(i)),
    real: (i) => at(i),
    imaginary: (i) => at(i + step),
  };
  const sign = (/** @type {number} */ i) => (at(i + step) < 0 ? "−" : "+");
  const text = (/** @type {number} */ i) =>
    `${+at(i).toPrecision(5)} ${sign(i)} ${+Math.abs(at(i + step)).toPrecision(5)}i`;
  return { number: numbers[component ?? "magnitude"], text };
}

/** @param {any} dataType @param {At} at @returns {Elements} */
function timeElements(dataType, at) {
  const { name, configuration } = dataType;
  const isNot = (/** @type {number} */ i) => at(i) === -(2n ** 63n);
  const number = (/** @type {number} */ i) => (isNot(i) ? Number.NaN : Number(at(i)));
  const unit = `${configuration.scale_factor === 1 ? "" : `${configuration.scale_factor} `}${configuration.unit}`;
  const text = (/** @type {number} */ i) => {
    if (isNot(i)) return "not a time";
    if (name === "numpy.timedelta64" || configuration.unit === "generic") return `${at(i)} × ${unit}`;
    const date = toDate(at(i), configuration);
    return Number.isNaN(date.getTime()) ? `${at(i)} × ${unit}` : shortDate(date);
  };
  return { number, text };
}

/** Writes a date without what is zero. @param {Date} date */
export const shortDate = (date) =>
  date
    .toISOString()
    .replace(/\.000Z$/, "")
    .replace(/T00:00:00$/, "")
    .replace("T", " ")
    .replace(/Z$/, "");

/** @param {any} dataType @param {(i: number) => Uint8Array} bytes @param {string | number | undefined} component @returns {Elements} */
function recordElements(dataType, bytes, component) {
  const fields = fieldsOf(dataType);
  const chosen = fields.find(({ name }) => name === component);
  const read = (/** @type {Field} */ { offset, type }, /** @type {Uint8Array} */ element) => {
    const view = new DataView(element.buffer);
    /** @type {Record<string, () => number | bigint | boolean>} */
    const readers = {
      bool: () => element[offset] !== 0,
      int8: () => view.getInt8(offset),
      uint8: () => element[offset],
      int16: () => view.getInt16(offset, true),
      uint16: () => view.getUint16(offset, true),
      int32: () => view.getInt32(offset, true),
      uint32: () => view.getUint32(offset, true),
      int64: () => view.getBigInt64(offset, true),
      uint64: () => view.getBigUint64(offset, true),
      float32: () => view.getFloat32(offset, true),
      float64: () => view.getFloat64(offset, true),
    };
    return readers[type]?.() ?? "…";
  };
  return {
    number: (i) => (chosen ? Number(read(chosen, bytes(i))) : Number.NaN),
    text: (i) => {
      const element = bytes(i);
      return fields.map((field) => `${field.name} ${read(field, element)}`).join(", ");
    },
  };
}
