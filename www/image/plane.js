// Two axes of an array at one place of the others, as numbers that can be painted. Runs in workers.

import { defineArrayExtension, get, slice } from "zarrita";
import { plainError } from "../workers/errors.js";

const BINS = 64;
/** A statistic needs no more numbers than this. */
const SAMPLES = 100_000;

/** Reads on where a chunk cannot be decoded, and notes which and why. */
const withFailuresNoted = defineArrayExtension((array, failures) => ({
  async getChunk(position, ...others) {
    try {
      return await array.getChunk(position, ...others);
    } catch (error) {
      failures.push({ position, error: plainError(error) });
      return blankChunk(array);
    }
  },
}));

/** Bytes suffice: zarrita copies those of an element, of whatever type. */
function blankChunk({ chunks: shape, dtype }) {
  const elementBytes = Number(/\d+$/.exec(dtype)?.[0] ?? 8) / 8;
  const stride = shape.map((_, axis) =>
    shape.slice(axis + 1).reduce((product, length) => product * length, 1),
  );
  return { data: new Uint8Array(elementBytes * stride[0] * shape[0]), shape, stride };
}

/**
 * @param array as zarrita opens it, with an axis more for components that withExtendedTypes adds
 * @param {{ indices: number[], plane: number[], region: [start: number, stop: number][], component?: string | number }}
 *   wanted `plane` are the axes down and across, `region` their extent
 */
export async function readPlane(array, { indices, plane, region, component }) {
  if (array.shape.includes(0)) throw new Error("This array has no elements: an axis of it has length 0.");
  const failures = [];
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
  const offset = (row, column) => row * (down ?? 0) + column * (across ?? 0);
  const at = typeof data.get === "function" ? (i) => data.get(i) : (i) => data[i];
  if (typeof at(0) === "string") throw new Error("Elements that are texts cannot be painted.");
  const { number, text } = elements(at, component, stride.at(-1));

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

/** How an element becomes a number and a text; `step` is the way from one component to the next. */
function elements(at, component, step) {
  if (typeof component === "number") {
    return { number: (i) => Number(at(i + component * step)), text: (i) => String(at(i + component * step)) };
  }
  if (component === undefined) return { number: (i) => Number(at(i)), text: (i) => String(at(i)) };
  const number = {
    magnitude: (i) => Math.hypot(at(i), at(i + step)),
    phase: (i) => Math.atan2(at(i + step), at(i)),
    real: (i) => at(i),
    imaginary: (i) => at(i + step),
  }[component];
  const text = (i) =>
    `${+at(i).toPrecision(5)} ${at(i + step) < 0 ? "−" : "+"} ${+Math.abs(at(i + step)).toPrecision(5)}i`;
  return { number, text };
}

/** Extremes, what lies between the rarest at both ends, and how often which values are; of a sample if there are many. */
function statistics(numbers) {
  const step = Math.max(1, Math.floor(numbers.length / SAMPLES));
  const sample = [];
  for (let i = 0; i < numbers.length; i += step) {
    if (Number.isFinite(numbers[i])) sample.push(numbers[i]);
  }
  const sorted = Float64Array.from(sample).sort();
  if (sorted.length === 0) return { range: [0, 1], likely: [0, 1], histogram: [0] };
  const quantile = (q) => sorted[Math.round(q * (sorted.length - 1))];
  const range = [sorted[0], sorted.at(-1)];
  const histogram = new Array(BINS).fill(0);
  const width = (range[1] - range[0]) / BINS || 1;
  for (const number of sorted) histogram[Math.min(BINS - 1, Math.floor((number - range[0]) / width))] += 1;
  const likely = [quantile(0.005), quantile(0.995)];
  return { range, likely: likely[0] < likely[1] ? likely : range, histogram };
}
