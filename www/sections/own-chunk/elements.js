// The elements of a chunk as numbers, in the ways that their data type allows, and as text.

const TAU = 2 * Math.PI;

/**
 * @typedef {import("zarr-codecs").TypedArray} TypedArray
 * @typedef {(data: any, element: number) => number | bigint} Aspect a way to see an element as a number
 */

/** @type {Record<string, Aspect>} */
const COMPLEX = {
  magnitude: (data, i) => Math.hypot(data[2 * i], data[2 * i + 1]),
  phase: (data, i) => Math.atan2(data[2 * i + 1], data[2 * i]),
  "real component": (data, i) => data[2 * i],
  "imaginary component": (data, i) => data[2 * i + 1],
};

/** The ranges that do not depend on the data. */
/** @type {Record<string, [number, number]>} */
const RANGES = { phase: [-TAU / 2, TAU / 2], mask: [0, 1] };

const isComplex = (/** @type {string} */ dataType) => dataType.startsWith("complex");
const rawBytes = (/** @type {string} */ dataType) =>
  /^r\d+$/.test(dataType) ? Number(dataType.slice(1)) / 8 : 0;

/**
 * Returns the ways to see an element as a number, by name; the first one is the default.
 *
 * @param {string} dataType
 * @returns {Record<string, Aspect>}
 */
export function aspectsOf(dataType) {
  if (isComplex(dataType)) return COMPLEX;
  if (dataType === "bool") return { mask: (data, i) => data[i] };
  const size = rawBytes(dataType);
  if (size > 0) return { "little-endian integer": (data, i) => littleEndian(data, i * size, size) };
  return { value: (data, i) => data[i] };
}

/** @param {Uint8Array} bytes @param {number} start @param {number} size */
function littleEndian(bytes, start, size) {
  let value = 0;
  for (let i = size - 1; i >= 0; i -= 1) value = value * 256 + bytes[start + i];
  return value;
}

/**
 * Returns a function that writes an element as text: exactly, and no longer than needed.
 *
 * @param {string} dataType
 * @param {any} data
 * @returns {(element: number) => string}
 */
export function textOf(dataType, data) {
  const size = rawBytes(dataType);
  if (size > 0) {
    return (i) =>
      Array.from(data.subarray(i * size, (i + 1) * size), (/** @type {number} */ byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join("");
  }
  if (dataType === "bool") return (i) => String(data[i] !== 0);
  if (isComplex(dataType)) {
    return (i) => {
      const imaginary = shortest(data[2 * i + 1], data);
      return `${shortest(data[2 * i], data)}${/^[-]/.test(imaginary) ? "" : "+"}${imaginary}i`;
    };
  }
  return (i) => shortest(data[i], data);
}

/** Writes the shortest decimal number that rounds to this one. @param {number | bigint} value @param {any} data */
function shortest(value, data) {
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "bigint" || Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  const rounded = new data.constructor(1);
  for (let digits = 1; digits < 17; digits += 1) {
    rounded[0] = Number(value.toPrecision(digits));
    if (rounded[0] === value) return String(Number(value.toPrecision(digits)));
  }
  return String(value);
}

/**
 * Statistics of elements seen as numbers.
 *
 * @typedef {object} Statistics
 * @property {number} [least] the index of the least finite element
 * @property {number} [greatest]
 * @property {number} [mean] of the finite elements
 * @property {number} nan how many are NaN
 * @property {number} infinite
 * @property {[number, number]} range from the least to the greatest, or that of the aspect
 */

/** Limits one end of a range, so that the width of the range is finite. @param {number | bigint} value */
const limited = (value) => Math.max(-Number.MAX_VALUE / 4, Math.min(Number(value), Number.MAX_VALUE / 4));

/**
 * Computes statistics.
 *
 * @param {TypedArray} data
 * @param {number} count of elements
 * @param {Aspect} aspect
 * @param {string} name of the aspect
 * @returns {Statistics}
 */
export function statisticsOf(data, count, aspect, name) {
  /** @type {number | undefined} */
  let least;
  /** @type {number | undefined} */
  let greatest;
  let [sum, nan, infinite] = [0, 0, 0];
  /** @type {(number | bigint)[]} */
  let [lowest, highest] = [Infinity, -Infinity];
  for (let i = 0; i < count; i += 1) {
    const value = aspect(data, i);
    if (Number.isNaN(value)) nan += 1;
    else if (value === Infinity || value === -Infinity) infinite += 1;
    else {
      if (value < lowest) [lowest, least] = [value, i];
      if (value > highest) [highest, greatest] = [value, i];
      sum += Number(value);
    }
  }
  const finite = count - nan - infinite;
  /** @type {[number, number]} */
  const found = finite > 0 ? [limited(lowest), limited(highest)] : [0, 0];
  const range = RANGES[name] ?? found;
  return { least, greatest, mean: finite > 0 ? sum / finite : undefined, nan, infinite, range };
}

const BINS = 64;

/**
 * Counts the finite elements in bins of equal width; few integers have a bin each.
 *
 * @param {TypedArray} data
 * @param {number} count of elements
 * @param {Aspect} aspect
 * @param {[number, number]} range
 */
export function histogramOf(data, count, aspect, [low, high]) {
  const isInteger = typeof data[0] === "bigint" || !/Float/.test(data.constructor.name);
  const integers = isInteger && high - low < BINS;
  const bins = integers ? high - low + 1 : high > low ? BINS : 1;
  const width = integers ? 1 : (high - low) / bins || 1;
  const start = integers || low === high ? low - width / 2 : low;
  const counts = new Array(bins).fill(0);
  for (let i = 0; i < count; i += 1) {
    const value = Number(aspect(data, i));
    if (!Number.isFinite(value)) continue;
    counts[Math.max(0, Math.min(bins - 1, Math.floor((value - start) / width)))] += 1;
  }
  return { centers: counts.map((_, i) => start + (i + 0.5) * width), counts, width };
}

/**
 * Returns the last two axes of a chunk as rows and columns, and the first element at indices of the other axes.
 *
 * @param {readonly number[]} shape
 * @param {number[]} leading
 */
export function planeOf(shape, leading) {
  const [rows, columns] = [1, 1, ...shape].slice(-2);
  const outer = shape.slice(0, -2);
  const plane = outer.reduce((number, length, axis) => number * length + (leading[axis] ?? 0), 0);
  return { rows, columns, start: plane * rows * columns };
}
