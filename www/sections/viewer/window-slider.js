// A slider with two thumbs, for the numbers that are shown darkest and brightest.

import { h, svg } from "../../ui/dom.js";

const STEPS = 1000;

/**
 * @typedef {import("../../image/paint.js").Range} Range
 */

/**
 * @param {{ label: string, range: Range, window: Range, histogram: number[], values: Range }} channel `values` is the
 *   range of the histogram
 * @param {(window: Range) => void} onChange
 */
export function windowSlider({ label, range, window, histogram, values }, onChange) {
  const [least, most] = range;
  const span = most - least || 1;
  const toStep = (/** @type {number} */ number) => Math.round(((number - least) / span) * STEPS);
  const toNumber = (/** @type {number} */ step) => least + (step / STEPS) * span;
  /** @param {number} number @param {string} name */
  const thumb = (number, name) =>
    h("input", {
      type: "range",
      min: 0,
      max: STEPS,
      value: toStep(number),
      ariaLabel: `${label}, ${name}`,
      ariaValueText: readable(number),
    });
  const low = thumb(window[0], "darkest");
  const high = thumb(window[1], "brightest");
  const numbers = h("output", { className: "mono" }, written(window));
  /** @param {HTMLInputElement} moved */
  const changed = (moved) => {
    if (+low.value >= +high.value) moved.value = String(moved === low ? +high.value - 1 : +low.value + 1);
    /** @type {Range} */
    const next = [toNumber(+low.value), toNumber(+high.value)];
    numbers.textContent = written(next);
    low.ariaValueText = readable(next[0]);
    high.ariaValueText = readable(next[1]);
    onChange(next);
  };
  for (const thumb of [low, high]) thumb.addEventListener("input", () => changed(thumb));
  return h("div", { className: "window-slider" }, curve(histogram, values, range), low, high, numbers);
}

const readable = (/** @type {number} */ number) => String(+number.toPrecision(4));
const written = (/** @type {Range} */ [low, high]) => `${readable(low)} – ${readable(high)}`;

/**
 * Draws a histogram on a logarithmic scale, so that rare numbers stay visible.
 *
 * @param {number[]} histogram
 * @param {Range} values
 * @param {Range} range
 */
function curve(histogram, [first, last], [least, most]) {
  const highest = Math.log1p(Math.max(1, ...histogram));
  const bin = (last - first) / histogram.length;
  const tops = histogram.map((count, i) => {
    const y = 1 - Math.log1p(count) / highest;
    return `L${first + i * bin} ${y}L${first + (i + 1) * bin} ${y}`;
  });
  return svg(
    "svg",
    { viewBox: `${least} 0 ${most - least || 1} 1`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { d: `M${first} 1${tops.join("")}L${last} 1z`, fill: "currentColor" }),
  );
}
