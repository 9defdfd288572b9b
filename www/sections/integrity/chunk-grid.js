// Shows every chunk of an array as a cell, on a canvas because there may be thousands. Cells are arranged like the chunks:
// a block for each position on the outer axes, with rows and columns. States differ in shape as well as in colour.

import { unravel } from "zarr-codecs/verify";
import { chunkLabel } from "../../ui/chunk-label.js";
import { onSchemeChange } from "../../ui/color.js";
import { contextOf, h } from "../../ui/dom.js";
import { colours, drawState } from "./cell.js";

/** The side of a cell in pixels, by how many cells there are at most. */
const SIDES = [
  [120, 26],
  [2000, 14],
  [12_000, 9],
  [Number.POSITIVE_INFINITY, 5],
];
const GAP = 14;
const LABEL = 16;
/** How many chunks of an array with one axis are in a row. */
const WRAP = 64;
/** How many cells are shown at most; more would not be legible. */
const MOST = 200_000;
/** How long cells are drawn in one go. */
const FRAME_MS = 12;

/**
 * @typedef {import("./states.js").State} State
 * @typedef {import("zarr-codecs/verify").ChunkLayout & { names: string[] }} NamedLayout with the names of the axes
 */

/**
 * Where blocks and cells are.
 *
 * @typedef {object} Blocks
 * @property {readonly number[]} outer the grid of the blocks
 * @property {number} rows of a block
 * @property {number} columns of a block
 * @property {number} label the height of a block's label
 * @property {number} pitch from one block to the next, across
 * @property {number} height from one block to the next, down
 * @property {number} perRow how many blocks are beside each other
 * @property {number} count of blocks
 */

export class ChunkGrid {
  element;
  /** The cell under the pointer or the keyboard cursor. */
  current = 0;
  #canvas = h("canvas");
  /** @type {NamedLayout | undefined} */
  #layout;
  /** @type {State[]} */
  #states = [];
  /** The colours of the current scheme; reading them for each cell would cause a layout of the page each time. */
  #palette = colours();
  /** @type {Blocks | undefined} */
  #blocks;
  #side = 14;
  /** The next part of a long drawing. */
  #drawing = 0;
  #onLook;

  /**
   * @param {(number: number) => void} onLook is called when the current cell changes
   * @param {(number: number) => void} onPick is called when a cell is clicked, or Enter is pressed
   */
  constructor(onLook, onPick) {
    this.#onLook = onLook;
    this.element = h(
      "div",
      {
        ...{ className: "chunk-grid scroll", tabIndex: 0, role: "application" },
        ariaLabel: "Chunks: arrow keys move from one to the next, Enter shows it in the viewer",
      },
      this.#canvas,
    );
    this.element.addEventListener("pointermove", (event) => {
      const number = this.#numberAt(event);
      if (number !== undefined) this.#moveTo(number);
    });
    this.element.addEventListener("click", (event) => {
      const number = this.#numberAt(event);
      if (number !== undefined) onPick(number);
    });
    this.element.addEventListener("keydown", (event) => {
      const { columns = 1 } = this.#blocks ?? {};
      /** @type {Record<string, number>} */
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
      const step = steps[event.key];
      if (step) this.look(this.current + step);
      else if (event.key === "Home") this.look(0);
      else if (event.key === "End") this.look(this.#states.length - 1);
      else if (event.key === "Enter") onPick(this.current);
      else return;
      event.preventDefault();
    });
    for (const type of ["focus", "blur"]) {
      this.element.addEventListener(type, () => this.#drawCell(this.current));
    }
    onSchemeChange(() => this.#drawAll());
    new ResizeObserver(() => this.#layout && this.#arrange()).observe(this.element);
  }

  /** Shows the chunks of another array. @param {import("zarr-codecs/verify").ChunkLayout} layout @param {string[]} names of axes */
  show(layout, names) {
    this.#layout = { ...layout, names };
    this.current = 0;
    this.#states = new Array(Math.min(layout.chunks, MOST)).fill("unchecked");
    this.#arrange();
  }

  /** Changes the states of chunks. @param {[number: number, state: State][]} changes */
  set(changes) {
    for (const [number, state] of changes) {
      if (number >= this.#states.length) continue;
      this.#states[number] = state;
      this.#drawCell(number);
    }
  }

  /** Makes a cell the current one, if it exists, and scrolls to it. @param {number} number */
  look(number) {
    if (!this.#blocks) return;
    this.#moveTo(number);
    const [x, y] = this.#cellAt(this.current, this.#blocks);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    /** @param {number} now @param {number} start @param {number} length */
    const nearest = (now, start, length) => Math.max(start + this.#side - length, Math.min(now, start));
    this.element.scrollTo(nearest(scrollLeft, x, clientWidth), nearest(scrollTop, y, clientHeight));
  }

  /** @param {number} number */
  #moveTo(number) {
    if (number < 0 || number >= this.#states.length || number === this.current) return;
    const before = this.current;
    this.current = number;
    this.#drawCell(before);
    this.#drawCell(number);
    this.#onLook(number);
  }

  /** Arranges blocks and cells in the available width. */
  #arrange() {
    if (this.#layout === undefined) return;
    const { grid, chunks } = this.#layout;
    const [length = 1] = grid;
    const outer = grid.slice(0, -2);
    const [rows, columns] =
      grid.length > 1 ? grid.slice(-2) : [Math.ceil(length / WRAP), Math.min(WRAP, length)];
    [, this.#side] = SIDES.find(([most]) => chunks <= most) ?? SIDES[0];
    const label = outer.length > 0 ? LABEL : 0;
    const width = columns * this.#side;
    const height = rows * this.#side + label;
    const labelWidth = label ? 90 : 0;
    const pitch = Math.max(width, labelWidth) + GAP;
    const perRow = blocksPerRow(Math.floor((this.element.clientWidth + GAP) / pitch), outer.at(-1) ?? 1);
    const count = Math.ceil(this.#states.length / (rows * columns));
    this.#blocks = { outer, rows, columns, label, pitch, perRow, height: height + GAP, count };
    const lines = Math.ceil(count / perRow);
    this.#resize(Math.min(count, perRow) * pitch, lines * (height + GAP));
    this.#drawAll();
  }

  /** @param {number} width @param {number} height */
  #resize(width, height) {
    const ratio = devicePixelRatio;
    this.#canvas.width = Math.ceil(width * ratio);
    this.#canvas.height = Math.ceil(height * ratio);
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    contextOf(this.#canvas).scale(ratio, ratio);
  }

  /** The first cell of a block, below its label. @param {number} block @param {Blocks} blocks @returns {[number, number]} */
  #originOf(block, { pitch, perRow, height, label }) {
    return [(block % perRow) * pitch + 1, Math.floor(block / perRow) * height + label + 1];
  }

  /** @param {number} number @param {Blocks} blocks @returns {[x: number, y: number]} */
  #cellAt(number, blocks) {
    const { rows, columns } = blocks;
    const within = number % (rows * columns);
    const [x, y] = this.#originOf(Math.floor(number / (rows * columns)), blocks);
    return [x + (within % columns) * this.#side, y + Math.floor(within / columns) * this.#side];
  }

  /** @param {MouseEvent} event */
  #numberAt({ clientX, clientY }) {
    if (!this.#blocks) return undefined;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const { rows, columns, pitch, perRow, height, count } = this.#blocks;
    const [x, y] = [clientX - left, clientY - top];
    const block = Math.floor(y / height) * perRow + Math.floor(x / pitch);
    if (x < 0 || x >= perRow * pitch || block >= count || block < 0) return undefined;
    const [blockX, blockY] = this.#originOf(block, this.#blocks);
    const column = Math.floor((x - blockX) / this.#side);
    const row = Math.floor((y - blockY) / this.#side);
    if (column < 0 || column >= columns || row < 0 || row >= rows) return undefined;
    const number = block * rows * columns + row * columns + column;
    return number < this.#states.length ? number : undefined;
  }

  #drawAll() {
    if (!this.#blocks) return;
    const context = contextOf(this.#canvas);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#drawLabels(context, this.#blocks);
    this.#palette = colours();
    this.#drawFrom(0);
  }

  /** Draws cells from this one on, as many as fit into a frame, and the others later. @param {number} first */
  #drawFrom(first) {
    cancelAnimationFrame(this.#drawing);
    const end = performance.now() + FRAME_MS;
    let number = first;
    while (number < this.#states.length && (number % 64 !== 0 || performance.now() < end)) {
      this.#drawCell(number);
      number += 1;
    }
    if (number === this.#states.length) return;
    this.#drawing = requestAnimationFrame(() => this.#drawFrom(number));
  }

  /** @param {CanvasRenderingContext2D} context @param {Blocks} blocks */
  #drawLabels(context, blocks) {
    const { outer, label, count } = blocks;
    if (label === 0) return;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = getComputedStyle(this.element).color;
    for (let block = 0; block < count; block += 1) {
      const [x, y] = this.#originOf(block, blocks);
      const place = unravel(block, outer).map((at, axis) => this.#extent(at, axis));
      context.fillText(place.join(" · "), x, y - 5);
    }
  }

  /** Names the indices of a chunk along an axis. @param {number} at @param {number} axis */
  #extent(at, axis) {
    const { names, chunkShape, shape } = /** @type {NamedLayout} */ (this.#layout);
    const first = at * chunkShape[axis];
    const last = Math.min(first + chunkShape[axis], shape[axis]) - 1;
    return `${names[axis]} ${first === last ? first : `${first}–${last}`}`;
  }

  /** @param {number} number */
  #drawCell(number) {
    if (!this.#blocks || number >= this.#states.length) return;
    const [x, y] = this.#cellAt(number, this.#blocks);
    const context = contextOf(this.#canvas);
    context.clearRect(x, y, this.#side, this.#side);
    drawState(context, this.#states[number], x, y, this.#side, this.#palette);
    if (number !== this.current) return;
    context.strokeStyle = this.#palette.text;
    context.lineWidth = document.activeElement === this.element ? 2.5 : 1.5;
    context.strokeRect(x + 1, y + 1, this.#side - 2, this.#side - 2);
  }
}

/** Returns as many blocks as fit, a multiple of the axis where the whole axis fits. @param {number} fitting @param {number} axisLength */
function blocksPerRow(fitting, axisLength) {
  if (fitting >= axisLength) return fitting - (fitting % axisLength);
  return Math.max(1, fitting);
}

/**
 * Names a cell.
 *
 * @param {string} path
 * @param {import("zarr-codecs/verify").ChunkLayout} layout
 * @param {number} number
 */
export const cellLabel = (path, layout, number) => chunkLabel(path, layout, unravel(number, layout.grid));
