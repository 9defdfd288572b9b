// The elements of a chunk: as numbers, in the ways that their data type allows, and as text.

const TAU = 2 * Math.PI;

const COMPLEX = {
  magnitude: (data, i) => Math.hypot(data[2 * i], data[2 * i + 1]),
  phase: (data, i) => Math.atan2(data[2 * i + 1], data[2 * i]),
  "real component": (data, i) => data[2 * i],
  "imaginary component": (data, i) => data[2 * i + 1],
};

/** The ranges that do not depend on the data. */
const RANGES = { phase: [-TAU / 2, TAU / 2], mask: [0, 1] };

const isComplex = (dataType) => dataType.startsWith("complex");
const rawBytes = (dataType) => (/^r\d+$/.test(dataType) ? Number(dataType.slice(1)) / 8 : 0);

/**
 * The ways to see an element as a number, by name; the first is what one looks at first.
 *
 * @returns {Record<string, (data: ArrayLike<number | bigint>, element: number) => number | bigint>}
 */
export function aspectsOf(dataType) {
  if (isComplex(dataType)) return COMPLEX;
  if (dataType === "bool") return { mask: (data, i) => data[i] };
  const size = rawBytes(dataType);
  if (size > 0) return { "little-endian integer": (data, i) => littleEndian(data, i * size, size) };
  return { value: (data, i) => data[i] };
}

function littleEndian(bytes, start, size) {
  let value = 0;
  for (let i = size - 1; i >= 0; i -= 1) value = value * 256 + bytes[start + i];
  return value;
}

/** A function that gives an element as text: exact, and no longer than that. */
export function textOf(dataType, data) {
  const size = rawBytes(dataType);
  if (size > 0) {
    return (i) =>
      Array.from(data.subarray(i * size, (i + 1) * size), (byte) => byte.toString(16).padStart(2, "0")).join(
        "",
      );
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

/** The shortest decimal number that the array's type takes for this one. */
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
 * @typedef {object} Statistics of elements seen as numbers
 * @property {number} [least] the place of a least finite one
 * @property {number} [greatest]
 * @property {number} [mean] of the finite ones
 * @property {number} nan how many are not numbers
 * @property {number} infinite
 * @property {[number, number]} range from the least to the greatest, or that of the data type
 */

/** As a limit of a range, whose width must be a number too. */
const limited = (value) => Math.max(-Number.MAX_VALUE / 4, Math.min(Number(value), Number.MAX_VALUE / 4));

/** @returns {Statistics} */
export function statisticsOf(data, count, aspect, name) {
  let [least, greatest, sum, nan, infinite] = [undefined, undefined, 0, 0, 0];
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
  const range = RANGES[name] ?? (finite > 0 ? [lowest, highest].map(limited) : [0, 0]);
  return { least, greatest, mean: finite > 0 ? sum / finite : undefined, nan, infinite, range };
}

const BINS = 64;

/** How many elements fall where: finite ones in bins of equal width, or one bin for each of a few integers. */
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

/** The last two axes of a chunk as rows and columns, with where they begin for the indices of the others. */
export function planeOf(shape, leading) {
  const [rows, columns] = [1, 1, ...shape].slice(-2);
  const outer = shape.slice(0, -2);
  const plane = outer.reduce((number, length, axis) => number * length + (leading[axis] ?? 0), 0);
  return { rows, columns, start: plane * rows * columns };
}
