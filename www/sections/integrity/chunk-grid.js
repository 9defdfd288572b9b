// Every chunk of an array as a cell, on a canvas: there may be thousands. Cells lie as the chunks do: a block for each
// place on the outer axes, and in it rows and columns. States differ in shape as well as in colour.

import { unravel } from "zarr-codecs/verify";
import { chunkLabel } from "../../ui/chunk-label.js";
import { color, onSchemeChange } from "../../ui/color.js";
import { h } from "../../ui/dom.js";
import { STATES } from "./states.js";

/** The side of a cell, by how many there are. */
const SIDES = [
  [120, 26],
  [2000, 14],
  [12_000, 9],
  [Number.POSITIVE_INFINITY, 5],
];
const GAP = 14;
const LABEL = 16;
/** One axis is wrapped after so many chunks. */
const WRAP = 64;
/** More cells than this are no picture any more. */
const MOST = 200_000;

export class ChunkGrid {
  element;
  /** The cell that mouse or keyboard are at. */
  current = 0;
  #canvas = h("canvas");
  #layout;
  #states = [];
  /** The colours of the scheme that holds: to ask for them at each cell would lay out the page each time. */
  #palette;
  #blocks;
  #side = 14;
  #onLook;

  /**
   * @param {(number: number) => void} onLook is called when another cell is looked at
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
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
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

  /** Begins with the chunks of another array. */
  show(layout, names) {
    this.#layout = { ...layout, names };
    this.current = 0;
    this.#states = new Array(Math.min(layout.chunks, MOST)).fill("unchecked");
    this.#arrange();
  }

  /** @param {[number: number, state: keyof typeof STATES][]} changes */
  set(changes) {
    for (const [number, state] of changes) {
      if (number >= this.#states.length) continue;
      this.#states[number] = state;
      this.#drawCell(number);
    }
  }

  /** Looks at a cell, if there is one, and scrolls to it. */
  look(number) {
    if (!this.#blocks) return;
    this.#moveTo(number);
    const [x, y] = this.#cellAt(this.current);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    const nearest = (now, start, length) => Math.max(start + this.#side - length, Math.min(now, start));
    this.element.scrollTo(nearest(scrollLeft, x, clientWidth), nearest(scrollTop, y, clientHeight));
  }

  #moveTo(number) {
    if (number < 0 || number >= this.#states.length || number === this.current) return;
    const before = this.current;
    this.current = number;
    this.#drawCell(before);
    this.#drawCell(number);
    this.#onLook(number);
  }

  /** Finds out where blocks and cells are, for the width that there is. */
  #arrange() {
    const { grid, chunks } = this.#layout;
    const [outer, rows, columns] =
      grid.length > 1
        ? [grid.slice(0, -2), grid.at(-2), grid.at(-1)]
        : [[], Math.ceil((grid[0] ?? 1) / WRAP), Math.min(WRAP, grid[0] ?? 1)];
    this.#side = SIDES.find(([most]) => chunks <= most)[1];
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

  #resize(width, height) {
    const ratio = devicePixelRatio;
    this.#canvas.width = Math.ceil(width * ratio);
    this.#canvas.height = Math.ceil(height * ratio);
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    this.#canvas.getContext("2d").scale(ratio, ratio);
  }

  /** Where a block begins: below its label. */
  #originOf(block) {
    const { pitch, perRow, height, label } = this.#blocks;
    return [(block % perRow) * pitch + 1, Math.floor(block / perRow) * height + label + 1];
  }

  #cellAt(number) {
    const { rows, columns } = this.#blocks;
    const within = number % (rows * columns);
    const [x, y] = this.#originOf(Math.floor(number / (rows * columns)));
    return [x + (within % columns) * this.#side, y + Math.floor(within / columns) * this.#side];
  }

  #numberAt({ clientX, clientY }) {
    if (!this.#blocks) return undefined;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const { rows, columns, pitch, perRow, height, count } = this.#blocks;
    const [x, y] = [clientX - left, clientY - top];
    const block = Math.floor(y / height) * perRow + Math.floor(x / pitch);
    if (x < 0 || x >= perRow * pitch || block >= count || block < 0) return undefined;
    const [blockX, blockY] = this.#originOf(block);
    const column = Math.floor((x - blockX) / this.#side);
    const row = Math.floor((y - blockY) / this.#side);
    if (column < 0 || column >= columns || row < 0 || row >= rows) return undefined;
    const number = block * rows * columns + row * columns + column;
    return number < this.#states.length ? number : undefined;
  }

  #drawAll() {
    if (!this.#blocks) return;
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#drawLabels(context);
    this.#palette = colours();
    for (let number = 0; number < this.#states.length; number += 1) this.#drawCell(number);
  }

  #drawLabels(context) {
    const { outer, label, count } = this.#blocks;
    if (label === 0) return;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = getComputedStyle(this.element).color;
    for (let block = 0; block < count; block += 1) {
      const [x, y] = this.#originOf(block);
      const place = unravel(block, outer).map((at, axis) => this.#extent(at, axis));
      context.fillText(place.join(" · "), x, y - 5);
    }
  }

  /** Which indices a chunk has on an axis. */
  #extent(at, axis) {
    const { names, chunkShape, shape } = this.#layout;
    const first = at * chunkShape[axis];
    const last = Math.min(first + chunkShape[axis], shape[axis]) - 1;
    return `${names[axis]} ${first === last ? first : `${first}–${last}`}`;
  }

  #drawCell(number) {
    if (!this.#blocks || number >= this.#states.length) return;
    const [x, y] = this.#cellAt(number);
    const context = this.#canvas.getContext("2d");
    context.clearRect(x, y, this.#side, this.#side);
    drawState(context, this.#states[number], x, y, this.#side, this.#palette);
    if (number !== this.current) return;
    context.strokeStyle = this.#palette.text;
    context.lineWidth = document.activeElement === this.element ? 2.5 : 1.5;
    context.strokeRect(x + 1, y + 1, this.#side - 2, this.#side - 2);
  }
}

/** As many as fit; if a whole axis fits, only whole ones. */
function blocksPerRow(fitting, axisLength) {
  if (fitting >= axisLength) return fitting - (fitting % axisLength);
  return Math.max(1, fitting);
}

/** A small canvas with one cell, for a legend. */
export function stateSample(state) {
  const canvas = h("canvas", { width: 28, height: 28, className: "state-sample", ariaHidden: "true" });
  const draw = () => {
    const context = canvas.getContext("2d");
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

/** The colours of cells. */
const colours = () => ({
  good: color("good"),
  bad: color("bad"),
  border: color("border-strong"),
  text: color("text"),
  surface: color("surface"),
});

/** In a cell that is smaller, a cross cannot be seen: what failed is larger there than what did not. */
const SMALLEST_CROSSED = 7;
const INSETS = { failed: 0, verified: 1.5, unchecked: 0.5, missing: 0.5 };

function drawState(context, state, x, y, side, { good, bad, border, surface }) {
  const isSmall = side < SMALLEST_CROSSED;
  const inset = isSmall ? INSETS[state] : 1.5;
  const [left, top, size] = [x + inset, y + inset, side - 2 * inset];
  context.lineWidth = 1;
  if (state === "verified" || state === "failed") {
    context.fillStyle = state === "failed" ? bad : good;
    context.fillRect(left, top, size, size);
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

/** What a cell is called. */
export const cellLabel = (path, layout, number) => chunkLabel(path, layout, unravel(number, layout.grid));
