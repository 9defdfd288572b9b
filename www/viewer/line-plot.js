// An array with one axis, as a line.

import { h } from "../dom.js";
import { color, drawPlot } from "../plot.js";

/** Draws numbers into an element, in place of what was there. */
export function linePlot(element, label, numbers) {
  const place = h("div");
  element.replaceChildren(place);
  const series = [{}, { stroke: () => color("accent"), width: 1.5, points: { show: false } }];
  const options = { axes: [{}, {}], legend: { show: false }, scales: { x: { time: false } }, series };
  const positions = Float64Array.from(numbers, (_, i) => i);
  drawPlot(place, label, options, [positions, numbers]);
}
