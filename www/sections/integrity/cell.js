// Draws the cell of a chunk: its state by shape as well as by colour.

import { color, onSchemeChange } from "../../ui/color.js";
import { contextOf, h } from "../../ui/dom.js";

/**
 * @typedef {import("./states.js").State} State
 * @typedef {ReturnType<typeof colours>} Palette
 */

/** Makes a small canvas with one cell, for a legend. @param {State} state */
export function stateSample(state) {
  const canvas = h("canvas", { width: 28, height: 28, className: "state-sample", ariaHidden: "true" });
  const draw = () => {
    const context = contextOf(canvas);
    context.clearRect(0, 0, 28, 28);
    context.save();
    context.scale(2, 2);
    drawState(context, state, 0, 0, 14, colours());
    context.restore();
  };
  requestAnimationFrame(draw);
  onSchemeChange(draw);
  return canvas;
}

/** Reads the colours of cells. */
export const colours = () => ({
  good: color("good"),
  bad: color("bad"),
  border: color("border-strong"),
  text: color("text"),
  surface: color("surface"),
});

/** In smaller cells a cross is not visible, so cells that failed are larger than others. */
const SMALLEST_CROSSED = 7;
const INSETS = { failed: 0, verified: 1.5, decoded: 1.5, unchecked: 0.5, missing: 0.5 };

/**
 * Draws a cell.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {State} state
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {Palette} palette
 */
export function drawState(context, state, x, y, side, { good, bad, border, surface }) {
  const isSmall = side < SMALLEST_CROSSED;
  const inset = isSmall ? INSETS[state] : 1.5;
  const [left, top, size] = [x + inset, y + inset, side - 2 * inset];
  context.lineWidth = 1;
  if (state === "verified" || state === "failed") {
    context.fillStyle = state === "failed" ? bad : good;
    context.fillRect(left, top, size, size);
  } else if (state === "decoded") {
    context.strokeStyle = good;
    context.strokeRect(left + 0.5, top + 0.5, size - 1, size - 1);
    context.fillStyle = good;
    context.fillRect(left, top + size / 2, size, size / 2);
  } else {
    context.strokeStyle = border;
    context.strokeRect(left + 0.5, top + 0.5, size - 1, size - 1);
  }
  context.beginPath();
  if (state === "failed" && !isSmall) {
    context.moveTo(left + 2, top + 2);
    context.lineTo(left + size - 2, top + size - 2);
    context.moveTo(left + size - 2, top + 2);
    context.lineTo(left + 2, top + size - 2);
    context.strokeStyle = surface;
    context.lineWidth = Math.max(1, side / 7);
  } else if (state === "missing") {
    context.moveTo(left, top + size);
    context.lineTo(left + size, top);
    context.strokeStyle = border;
  }
  context.stroke();
}
