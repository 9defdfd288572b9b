// Plots numbers along one axis as a line.

import uPlot from "uplot";
import { color } from "./color.js";
import { drawPlot } from "./plot.js";

/** Up to this many numbers are drawn as points too. */
const MOST_POINTS = 200;

/**
 * Draws a line.
 *
 * @param {HTMLElement} place
 * @param {string} label describes the numbers
 * @param {number[]} indices
 * @param {(number | null)[]} numbers leaves a gap at `null`
 */
export function linePlot(place, label, indices, numbers) {
  const showPoints = indices.length < MOST_POINTS;
  const options = {
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range } },
    axes: [{}, { size: 64 }],
    series: [{}, { stroke: () => color("series-1"), width: 1.5, points: { show: showPoints } }],
  };
  return drawPlot(place, label, options, [indices, numbers]);
}

/**
 * Widens a range of almost equal numbers, which uPlot would subdivide forever.
 *
 * @param {uPlot} _
 * @param {number} low
 * @param {number} high
 * @returns {uPlot.Range.MinMax}
 */
function range(_, low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const margin = size / 10 || 1;
  return high - low > size * 1e-6 ? uPlot.rangeNum(low, high, 0.1, true) : [low - margin, high + margin];
}
