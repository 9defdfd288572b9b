// Shows the chunks of an array as cells on a canvas. States differ in shape as well as in colour.

import { UNCHECKED } from "../../ui/chunk-states.js";
import { onSchemeChange } from "../../ui/color.js";
import { h, pixelContextOf } from "../../ui/dom.js";
import { Arrangement } from "./arrangement.js";
import { CellSheet } from "./cell.js";

/** @typedef {import("./arrangement.js").NamedLayout} NamedLayout */

/** How long cells are drawn before others on this thread get their turn, in milliseconds; and after how many the clock is read. */
const TURN = 8;
const CELLS_PER_LOOK = 256;

const LABEL = "Chunks: arrow keys move from one to the next, Enter shows it in the viewer";

export class ChunkGrid {
  element;
  /** The chunk under the pointer or the keyboard cursor; the first one of a cell that stands for several. */
  current = 0;
  #canvas = h("canvas");
  #context = pixelContextOf(this.#canvas);
  #sheet = new CellSheet();
  /** What the canvas shows, apart from the frame of the current cell. */
  #image = new ImageData(1, 1);
  #pixels = new Uint32Array(1);
  /** The rows of the image that the canvas does not show yet. @type {[top: number, bottom: number]} */
  #stale = [Number.POSITIVE_INFINITY, 0];
  /** @type {NamedLayout | undefined} */
  #layout;
  /** @type {Uint8Array} */
  #states = new Uint8Array();
  /** @type {Arrangement | undefined} */
  #arrangement;
  /** The first cell that is still to be drawn; cells before it are drawn when they change. */
  #drawn = 0;
  /** Cells that have changed after they were drawn. @type {number[]} */
  #queue = [];
  /** @type {number | undefined} */
  #frame;
  #onLook;

  /**
   * @param {(number: number) => void} onLook is called when the current chunk changes
   * @param {(number: number) => void} onPick is called when a chunk is clicked, or Enter is pressed
   */
  constructor(onLook, onPick) {
    this.#onLook = onLook;
    this.element = h(
      "div",
      { className: "chunk-grid scroll", tabIndex: 0, role: "application", ariaLabel: LABEL },
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
      const { columns = 1, chunksPerCell = 1 } = this.#arrangement ?? {};
      const cell = Math.floor(this.current / chunksPerCell);
      /** @type {Record<string, number>} */
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
      const step = steps[event.key];
      if (step) this.look((cell + step) * chunksPerCell);
      else if (event.key === "Home") this.look(0);
      else if (event.key === "End") this.look(this.#states.length - 1);
      else if (event.key === "Enter") onPick(this.current);
      else return;
      event.preventDefault();
    });
    for (const type of ["focus", "blur"]) {
      this.element.addEventListener(type, () => this.#drawCellOf(this.current));
    }
    onSchemeChange(() => this.#drawAll());
    new ResizeObserver(() => this.#layout && this.#arrange()).observe(this.element);
  }

  /** How many chunks a cell stands for. */
  get chunksPerCell() {
    return this.#arrangement?.chunksPerCell ?? 1;
  }

  /**
   * Shows the chunks of another array.
   *
   * @param {import("zarr-codecs/verify").ChunkLayout} layout
   * @param {string[]} names of axes
   * @param {Uint8Array} states of the chunks, which the caller changes
   */
  show(layout, names, states) {
    this.#layout = { ...layout, names };
    this.current = 0;
    this.#states = states;
    this.#arrange();
  }

  /** Draws chunks whose states have changed. @param {Uint32Array} numbers */
  changed(numbers) {
    const { chunksPerCell = 1 } = this.#arrangement ?? {};
    if (chunksPerCell === 1 && numbers.length < CELLS_PER_LOOK) {
      for (const number of numbers) this.#drawCellOf(number);
      return;
    }
    // Also where many have changed, all of them are drawn in several turns.
    const cells = new Set(Array.from(numbers, (number) => Math.floor(number / chunksPerCell)));
    for (const cell of cells) if (cell < this.#drawn) this.#queue.push(cell);
    this.#goOn();
  }

  /** Makes a chunk the current one, if it exists, and scrolls to it. @param {number} number */
  look(number) {
    if (!this.#arrangement) return;
    this.#moveTo(number - (number % this.chunksPerCell));
    const { side, chunksPerCell } = this.#arrangement;
    const [x, y] = this.#arrangement.at(Math.floor(this.current / chunksPerCell));
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    /** @param {number} now @param {number} start @param {number} length */
    const nearest = (now, start, length) => Math.max(start + side - length, Math.min(now, start));
    this.element.scrollTo(nearest(scrollLeft, x, clientWidth), nearest(scrollTop, y, clientHeight));
  }

  /** @param {number} number */
  #moveTo(number) {
    if (number < 0 || number >= this.#states.length || number === this.current) return;
    const before = this.current;
    this.current = number;
    this.#drawCellOf(before);
    this.#drawCellOf(number);
    this.#onLook(number);
  }

  /** @param {MouseEvent} event */
  #numberAt({ clientX, clientY }) {
    if (!this.#arrangement) return undefined;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const cell = this.#arrangement.cellAt(clientX - left, clientY - top);
    return cell === undefined ? undefined : cell * this.#arrangement.chunksPerCell;
  }

  /** Arranges cells in the available width. */
  #arrange() {
    if (this.#layout === undefined) return;
    const ratio = devicePixelRatio;
    this.#arrangement = new Arrangement(this.#layout, this.element.clientWidth, ratio);
    const { width, height } = this.#arrangement;
    this.#canvas.width = Math.ceil(width * ratio);
    this.#canvas.height = Math.ceil(height * ratio);
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    this.#drawAll();
  }

  #drawAll() {
    // An array without elements has no chunks.
    if (!this.#arrangement?.count) return;
    const { width, height } = this.#canvas;
    const context = this.#context;
    context.clearRect(0, 0, width, height);
    context.save();
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = getComputedStyle(this.element).color;
    for (const label of this.#arrangement.labels()) context.fillText(...label);
    context.restore();
    this.#image = context.getImageData(0, 0, width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#sheet.draw(this.#arrangement.side, devicePixelRatio);
    this.#drawn = 0;
    this.#queue = [];
    this.#draw();
  }

  #goOn() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#draw();
    });
  }

  /** Draws as many cells as one turn allows. */
  #draw() {
    const { count = 0 } = this.#arrangement ?? {};
    const start = performance.now();
    while ((this.#drawn < count || this.#queue.length > 0) && performance.now() - start < TURN) {
      for (let i = 0; i < CELLS_PER_LOOK; i += 1) {
        const cell = this.#queue.pop();
        if (cell !== undefined) this.#drawCell(cell);
        else if (this.#drawn < count) this.#drawCell(this.#drawn++);
      }
    }
    this.#flush();
    if (this.#drawn < count || this.#queue.length > 0) this.#goOn();
  }

  /** @param {number} number of a chunk */
  #drawCellOf(number) {
    const cell = Math.floor(number / this.chunksPerCell);
    if (cell >= this.#drawn) return;
    this.#drawCell(cell);
    this.#flush();
  }

  /** Draws a cell in the image. @param {number} cell */
  #drawCell(cell) {
    if (!this.#arrangement) return;
    const { chunksPerCell } = this.#arrangement;
    const [x, y] = this.#cornerOf(cell);
    const first = cell * chunksPerCell;
    const state = worstOf(this.#states, first, first + chunksPerCell);
    this.#sheet.copy(this.#pixels, this.#image.width, state, x, y);
    const [top, bottom] = this.#stale;
    this.#stale = [Math.min(top, y), Math.max(bottom, y + this.#sheet.size)];
  }

  /** Shows what has been drawn, and the frame of the current cell. */
  #flush() {
    const [top, bottom] = this.#stale;
    if (top >= bottom) return;
    this.#stale = [Number.POSITIVE_INFINITY, 0];
    const context = this.#context;
    context.putImageData(this.#image, 0, 0, 0, top, this.#image.width, bottom - top);
    const cell = Math.floor(this.current / this.chunksPerCell);
    if (cell >= this.#drawn) return;
    const [x, y] = this.#cornerOf(cell);
    const { size, frame } = this.#sheet;
    context.strokeStyle = frame;
    context.lineWidth = (document.activeElement === this.element ? 2.5 : 1.5) * devicePixelRatio;
    context.strokeRect(
      x + devicePixelRatio,
      y + devicePixelRatio,
      size - 2 * devicePixelRatio,
      size - 2 * devicePixelRatio,
    );
  }

  /** Returns the corner of a cell, in pixels of the canvas. @param {number} cell @returns {[x: number, y: number]} */
  #cornerOf(cell) {
    const [x, y] = /** @type {Arrangement} */ (this.#arrangement).at(cell);
    return [Math.round(x * devicePixelRatio), Math.round(y * devicePixelRatio)];
  }
}

/** Returns the state that a cell shows. @param {Uint8Array} states @param {number} start @param {number} end */
function worstOf(states, start, end) {
  let worst = UNCHECKED;
  for (let i = start; i < Math.min(end, states.length); i += 1) worst = Math.max(worst, states[i]);
  return worst;
}
