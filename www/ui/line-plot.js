// Numbers along one axis, as a line.

import uPlot from "uplot";
import { color } from "./color.js";
import { drawPlot } from "./plot.js";

/** Fewer numbers are points too. */
const POINTS = 200;

/**
 * Draws a line.
 *
 * @param {HTMLElement} place
 * @param {string} label says what the numbers are of
 * @param {ArrayLike<number>} indices
 * @param {ArrayLike<number>} numbers
 */
export function linePlot(place, label, indices, numbers) {
  const options = {
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range } },
    axes: [{}, { size: 64 }],
    series: [{}, { stroke: () => color("series-1"), width: 1.5, points: { show: indices.length < POINTS } }],
  };
  return drawPlot(place, label, options, [indices, numbers]);
}

/** Numbers that are all but equal have a range too: uPlot would divide what lies between them without end. */
function range(_, low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const margin = size / 10 || 1;
  return high - low > size * 1e-6 ? uPlot.rangeNum(low, high, 0.1, true) : [low - margin, high + margin];
}
