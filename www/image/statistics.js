// What the numbers of a plane are like: their extremes, the range without the rarest ones, and a histogram.

import { bin, quantileSorted } from "d3-array";

const BINS = 64;
/** More numbers do not make a statistic better. */
const SAMPLES = 100_000;

/**
 * @typedef {import("./paint.js").Range} Range
 * @typedef {{ range: Range, likely: Range, histogram: number[] }} Statistics
 */

/** Computes statistics of planes together, of a sample if there are many numbers. @param {Float64Array[]} planes @returns {Statistics} */
export function statistics(planes) {
  const total = planes.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, Math.floor(total / SAMPLES));
  /** @type {number[]} */
  const sample = [];
  for (const numbers of planes) {
    for (let i = 0; i < numbers.length; i += step) if (Number.isFinite(numbers[i])) sample.push(numbers[i]);
  }
  if (sample.length === 0) return { range: [0, 1], likely: [0, 1], histogram: [0] };
  const sorted = [...Float64Array.from(sample).sort()];
  /** @type {Range} */
  const range = [sorted[0], sorted[sorted.length - 1]];
  const width = (range[1] - range[0]) / BINS;
  const edges = Array.from({ length: BINS - 1 }, (_, i) => range[0] + (i + 1) * width);
  const bins = width > 0 ? bin().domain(range).thresholds(edges)(sorted) : [sorted];
  /** @param {number} q */
  const quantile = (q) => /** @type {number} */ (quantileSorted(sorted, q));
  /** @type {Range} */
  const likely = [quantile(0.005), quantile(0.995)];
  return {
    range,
    likely: likely[0] < likely[1] ? likely : range,
    histogram: bins.map(({ length }) => length),
  };
}
