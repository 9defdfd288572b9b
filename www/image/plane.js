// Reads two axes of an array, at fixed indices of the others, as numbers that can be painted. Runs in workers.

import { product } from "zarr-codecs/verify";
import { defineArrayExtension, get, slice } from "zarrita";
import { plainError } from "../workers/errors.js";

const BINS = 64;
/** More numbers do not make a statistic better. */
const SAMPLES = 100_000;

/**
 * @typedef {import("./paint.js").Range} Range
 * @typedef {{ position: number[], error: import("../workers/errors.js").PlainError }} Failure a chunk that could not be
 *   decoded
 * @typedef {{ range: Range, likely: Range, histogram: number[] }} Statistics extremes, the range without the rarest
 *   numbers at both ends, and a histogram
 * @typedef {{ width: number, height: number, numbers: Float64Array, failures: Failure[], statistics: Statistics,
 *   text: (row: number, column: number) => string }} Plane
 */

/** Continues after chunks that cannot be decoded, and notes them. */
const withFailuresNoted = defineArrayExtension((array, /** @type {Failure[]} */ failures) => ({
  async getChunk(position, ...others) {
    try {
      return await array.getChunk(position, ...others);
    } catch (error) {
      failures.push({ position, error: plainError(error) });
      return blankChunk(array);
    }
  },
}));

/**
 * Makes a chunk of zeros. As bytes: zarrita copies the bytes of elements of any type.
 *
 * @param {{ chunks: number[], dtype: string }} array
 */
function blankChunk({ chunks: shape, dtype }) {
  const elementBytes = Number(/\d+$/.exec(dtype)?.[0] ?? 8) / 8;
  const stride = shape.map((_, axis) => product(shape.slice(axis + 1)));
  return { data: new Uint8Array(elementBytes * product(shape)), shape, stride };
}

/**
 * Reads a plane.
 *
 * @param {import("zarrita").Array<import("zarrita").DataType, import("zarrita").AsyncReadable>} array as zarrita opens it,
 *   with the axis that withExtendedTypes adds for components
 * @param {Pick<import("./view.js").View, "indices" | "plane" | "region" | "component">} wanted
 * @returns {Promise<Plane>}
 */
export async function readPlane(array, { indices, plane, region, component }) {
  if (array.shape.includes(0)) throw new Error("This array has no elements: one of its axes has length 0.");
  /** @type {Failure[]} */
  const failures = [];
  /** @type {(number | null | ReturnType<typeof slice>)[]} */
  const selection = indices.map((index, axis) => {
    const shown = plane.indexOf(axis);
    return shown < 0 ? index : slice(...region[shown]);
  });
  const hasComponents = array.shape.length > indices.length;
  if (hasComponents) selection.push(null);
  const noting = withFailuresNoted(array, failures);
  const read = await get(noting, selection);
  const { data, shape, stride } = typeof read === "object" ? read : { data: [read], shape: [], stride: [] };

  const axes = hasComponents ? shape.slice(0, -1) : shape;
  const [height, width] = [axes.at(-2) ?? 1, axes.at(-1) ?? 1];
  const [down, across] = hasComponents ? [stride.at(-3), stride.at(-2)] : [stride.at(-2), stride.at(-1)];
  /** @param {number} row @param {number} column */
  const offset = (row, column) => row * (down ?? 0) + column * (across ?? 0);
  const at = elementsOf(data);
  if (typeof at(0) === "string") throw new Error("This array holds text, which cannot be painted.");
  const { number, text } = elements(at, component, stride.at(-1) ?? 1);

  const numbers = new Float64Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      numbers[row * width + column] = number(offset(row, column));
    }
  }
  return {
    width,
    height,
    numbers,
    failures: failures.map(({ position, error }) => ({ position: position.slice(0, indices.length), error })),
    statistics: statistics(numbers),
    text: (row, column) => text(offset(row, column)),
  };
}

/**
 * Returns a function that reads elements of what zarrita returns, some of which are not indexed like an array.
 *
 * @param {any} data
 * @returns {(i: number) => any}
 */
function elementsOf(data) {
  return "get" in data ? (i) => data.get(i) : (i) => data[i];
}

/**
 * Returns how an element becomes a number and text.
 *
 * @param {(i: number) => any} at
 * @param {string | number | undefined} component
 * @param {number} step from one component to the next
 * @returns {{ number: (i: number) => number, text: (i: number) => string }}
 */
function elements(at, component, step) {
  if (typeof component === "number") {
    return { number: (i) => Number(at(i + component * step)), text: (i) => String(at(i + component * step)) };
  }
  if (component === undefined) return { number: (i) => Number(at(i)), text: (i) => String(at(i)) };
  /** @type {Record<string, (i: number) => number>} */
  const numbers = {
    magnitude: (i) => Math.hypot(at(i), at(i + step)),
    phase: (i) => Math.atan2(at(i + step), at(i)),
    real: (i) => at(i),
    imaginary: (i) => at(i + step),
  };
  const number = numbers[component];
  /** @param {number} i */
  const text = (i) =>
    `${+at(i).toPrecision(5)} ${at(i + step) < 0 ? "−" : "+"} ${+Math.abs(at(i + step)).toPrecision(5)}i`;
  return { number, text };
}

/** Computes statistics, of a sample if there are many numbers. @param {Float64Array} numbers @returns {Statistics} */
function statistics(numbers) {
  const step = Math.max(1, Math.floor(numbers.length / SAMPLES));
  /** @type {number[]} */
  const sample = [];
  for (let i = 0; i < numbers.length; i += step) {
    if (Number.isFinite(numbers[i])) sample.push(numbers[i]);
  }
  const sorted = Float64Array.from(sample).sort();
  if (sorted.length === 0) return { range: [0, 1], likely: [0, 1], histogram: [0] };
  /** @param {number} q */
  const quantile = (q) => sorted[Math.round(q * (sorted.length - 1))];
  /** @type {Range} */
  const range = [sorted[0], sorted[sorted.length - 1]];
  const histogram = new Array(BINS).fill(0);
  const width = (range[1] - range[0]) / BINS || 1;
  for (const number of sorted) histogram[Math.min(BINS - 1, Math.floor((number - range[0]) / width))] += 1;
  /** @type {Range} */
  const likely = [quantile(0.005), quantile(0.995)];
  return { range, likely: likely[0] < likely[1] ? likely : range, histogram };
}
