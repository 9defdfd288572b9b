// An array with one axis, as a line.

import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";

/** Draws numbers into an element, in place of what was there. */
export function linePlot(element, label, numbers) {
  const { color } = getComputedStyle(element);
  const stroke = getComputedStyle(
    element.closest("section").querySelector("h2 a, a, .accent") ?? element,
  ).color;
  const axis = { stroke: color, grid: { stroke: `color-mix(in srgb, ${color} 15%, transparent)` } };
  element.replaceChildren();
  return new uPlot(
    {
      ...{ width: element.clientWidth, height: 280, axes: [axis, axis] },
      scales: { x: { time: false } },
      series: [{ label: "index" }, { label, stroke, width: 1.5 }],
    },
    [Float64Array.from(numbers, (_, i) => i), numbers],
    element,
  );
}
