// Draws the cells of chunks: their states by shape as well as by colour.

import { codeOf, STATES } from "../../ui/chunk-states.js";
import { color, onSchemeChange } from "../../ui/color.js";
import { contextOf, h, pixelContextOf } from "../../ui/dom.js";

/**
 * @typedef {import("../../ui/chunk-states.js").State} State
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
    drawState(context, state, 0, 14, colours());
    context.restore();
  };
  requestAnimationFrame(draw);
  onSchemeChange(draw);
  return canvas;
}

const colours = () => ({
  good: color("good"),
  bad: color("bad"),
  warn: color("warn"),
  border: color("border-strong"),
  text: color("text"),
  surface: color("surface"),
});

/** In smaller cells no cross is visible, so cells that are damaged are larger than others. */
const SMALLEST_CROSSED = 7;
/** @type {Partial<Record<State, number>>} */
const SMALL_INSETS = { damaged: 0, unreadable: 0, transient: 0, checksum: 1.5, decoded: 1.5 };

/** The cells of all states, drawn once and then copied as pixels: there may be many thousands. */
export class CellSheet {
  #canvas = document.createElement("canvas");
  /** The pixels of each state. @type {Uint32Array[]} */
  #cells = [];
  /** The side of a cell in pixels of the device. */
  size = 0;
  /** Of the frame around the current cell. */
  frame = "";

  /** Draws the cells anew. @param {number} side @param {number} ratio of the pixels of the device */
  draw(side, ratio) {
    const palette = colours();
    this.frame = palette.text;
    this.size = Math.round(side * ratio);
    this.#canvas.width = this.size * STATES.length;
    this.#canvas.height = this.size;
    const context = pixelContextOf(this.#canvas);
    context.scale(this.size / side, this.size / side);
    for (const state of STATES) drawState(context, state, codeOf(state) * side, side, palette);
    this.#cells = STATES.map((state) => {
      const { data } = context.getImageData(codeOf(state) * this.size, 0, this.size, this.size);
      return new Uint32Array(data.buffer);
    });
  }

  /**
   * Copies a cell.
   *
   * @param {Uint32Array} target
   * @param {number} width of the target, in pixels
   * @param {number} code of the state
   * @param {number} x
   * @param {number} y
   */
  copy(target, width, code, x, y) {
    const { size } = this;
    const cell = this.#cells[code];
    for (let row = 0, from = 0; row < size; row += 1) {
      const to = (y + row) * width + x;
      for (let column = 0; column < size; column += 1) target[to + column] = cell[from++];
    }
  }
}

/**
 * Draws a cell at the top of a canvas.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {State} state
 * @param {number} x
 * @param {number} side
 * @param {Palette} palette
 */
function drawState(context, state, x, side, palette) {
  const { good, bad, warn, border } = palette;
  const isSmall = side < SMALLEST_CROSSED;
  const inset = isSmall ? (SMALL_INSETS[state] ?? 0.5) : 1.5;
  const size = side - 2 * inset;
  context.save();
  context.translate(x + inset, inset);
  const fill = { damaged: bad, unreadable: warn, checksum: good }[/** @type {string} */ (state)];
  context.fillStyle = fill ?? (state === "transient" ? warn : good);
  context.strokeStyle = state === "transient" ? warn : (fill ?? (isProven(state) ? good : border));
  context.lineWidth = 1;
  if (fill) context.fillRect(0, 0, size, size);
  else context.strokeRect(0.5, 0.5, size - 1, size - 1);
  drawSign(context, state, size, isSmall, palette);
  context.restore();
}

/** @param {State} state */
const isProven = (state) => state === "decoded" || state === "length" || state === "present";

/** @param {CanvasRenderingContext2D} context @param {State} state @param {number} size @param {boolean} isSmall @param {Palette} palette */
function drawSign(context, state, size, isSmall, { border, surface }) {
  const middle = size / 2;
  context.beginPath();
  if (state === "decoded") context.fillRect(0, middle, size, middle);
  else if (state === "length") context.fillRect(0, middle - size / 10, size, Math.max(1, size / 5));
  else if (state === "present") context.fillRect(middle - size / 8, middle - size / 8, size / 4, size / 4);
  else if (state === "transient") {
    context.moveTo(0, 0);
    context.lineTo(size, 0);
    context.lineTo(0, size);
    context.fill();
    context.beginPath();
  } else if (state === "missing") {
    context.strokeStyle = border;
    context.moveTo(0, size);
    context.lineTo(size, 0);
  } else if (state === "unreadable") {
    // A hole, which is also visible in the smallest cells.
    context.fillStyle = surface;
    context.fillRect(size / 3, size / 3, size / 3, size / 3);
  } else if (state === "damaged" && !isSmall) {
    context.lineWidth = Math.max(1, size / 7);
    context.strokeStyle = surface;
    context.moveTo(2, 2);
    context.lineTo(size - 2, size - 2);
    context.moveTo(size - 2, 2);
    context.lineTo(2, size - 2);
  }
  context.stroke();
}
