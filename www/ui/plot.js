// Plots that fill the width of their place and follow the page's colours.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { color, onSchemeChange } from "./color.js";
import "./plot.css";

const HEIGHT = 260;

/** The plots that are redrawn when the colours change. @type {Set<uPlot>} */
const drawn = new Set();

onSchemeChange(() => {
  forgetRemoved();
  for (const plot of drawn) plot.redraw(false);
});

/** Destroys plots that left the page: uPlot listens to the window until then. */
function forgetRemoved() {
  for (const plot of drawn) if (!plot.root.isConnected) plot.destroy();
}

/**
 * Draws a plot.
 *
 * @param {HTMLElement} place becomes an image for assistive technology
 * @param {string} label describes that image
 * @param {Omit<uPlot.Options, "width" | "height"> & { height?: number }} options of uPlot; axes get the page's colours
 * @param {uPlot.AlignedData} data
 * @returns {uPlot}
 */
export function drawPlot(place, label, { height = HEIGHT, axes = [], ...options }, data) {
  const line = { stroke: () => color("border"), width: 1 };
  const themed = axes.map((axis) => ({
    stroke: () => color("text-muted"),
    grid: line,
    ticks: line,
    ...axis,
  }));
  place.role = "img";
  place.ariaLabel = label;
  const resized = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width > 0) plot.setSize({ width: contentRect.width, height });
  });
  const forget = () => {
    resized.disconnect();
    drawn.delete(plot);
  };
  const own = { axes: themed, width: place.clientWidth || 320, height, hooks: { destroy: [forget] } };
  const plot = new uPlot({ ...options, ...own }, data, place);
  resized.observe(place);
  forgetRemoved();
  drawn.add(plot);
  return plot;
}
