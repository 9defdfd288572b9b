// Plots that are as wide as their place and have the page's colours, dark or light.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { color, onSchemeChange } from "./color.js";
import "./plot.css";

const HEIGHT = 260;

/** What is drawn now: the system may change its colours. */
const drawn = new Set();

onSchemeChange(() => {
  forgetRemoved();
  for (const plot of drawn) plot.redraw(false);
});

/** uPlot listens to the window until it is told to end. */
function forgetRemoved() {
  for (const plot of drawn) if (!plot.root.isConnected) plot.destroy();
}

/**
 * Draws a plot.
 *
 * @param {HTMLElement} place becomes an image for assistive technology; its label says what it shows
 * @param {string} label
 * @param {object} options of uPlot; axes get the page's colours
 * @param {object} data as uPlot takes them
 * @returns {uPlot}
 */
export function drawPlot(place, label, { height = HEIGHT, axes, ...options }, data) {
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
