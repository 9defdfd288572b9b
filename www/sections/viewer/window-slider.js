// Two thumbs on one line: from which number to which the colours go.

import { h, svg } from "../../ui/dom.js";

const STEPS = 1000;

/**
 * @param {{ label: string, range: [number, number], window: [number, number], histogram: number[],
 *   values: [number, number] }} channel `values` are the extremes that the histogram covers
 * @param {(window: [number, number]) => void} onChange
 */
export function windowSlider({ label, range, window, histogram, values }, onChange) {
  const [least, most] = range;
  const span = most - least || 1;
  const toStep = (number) => Math.round(((number - least) / span) * STEPS);
  const toNumber = (step) => least + (step / STEPS) * span;
  const thumb = (number, name) =>
    h("input", {
      ...{ type: "range", min: 0, max: STEPS, value: toStep(number), ariaLabel: `${label}, ${name}` },
      ariaValueText: readable(number),
    });
  const low = thumb(window[0], "darkest");
  const high = thumb(window[1], "brightest");
  const numbers = h("output", { className: "mono" }, written(window));
  const changed = (moved) => {
    if (+low.value >= +high.value) moved.value = moved === low ? +high.value - 1 : +low.value + 1;
    const next = [toNumber(+low.value), toNumber(+high.value)];
    numbers.textContent = written(next);
    for (const [thumb, number] of [
      [low, next[0]],
      [high, next[1]],
    ]) {
      thumb.ariaValueText = readable(number);
    }
    onChange(next);
  };
  for (const thumb of [low, high]) thumb.addEventListener("input", () => changed(thumb));
  return h("div", { className: "window-slider" }, curve(histogram, values, range), low, high, numbers);
}

const readable = (number) => String(+number.toPrecision(4));
const written = ([low, high]) => `${readable(low)} – ${readable(high)}`;

/** How often which numbers are; the rare ones are not to vanish, so by its logarithm. */
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
