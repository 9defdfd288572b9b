// Where the cells of an array's chunks are: blocks for positions on the outer axes, with rows and columns; or, where there are
// too many for that, cells in rows, each of which stands for several chunks.

import { unravel } from "zarr-codecs/verify";

/** The side of a cell in pixels, by how many cells there are at most. */
const SIDES = [
  [120, 26],
  [2000, 14],
  [12_000, 9],
  [Number.POSITIVE_INFINITY, 5],
];
const GAP = 14;
const LABEL = 16;
const LABEL_WIDTH = 90;
/** How many chunks of an array with one axis are in a row. */
const WRAP = 64;
/** How many cells there are at most; more would not be legible. */
const MOST_CELLS = 120_000;
/** The largest side of a canvas that all browsers have. */
const LARGEST = 16_000;

/** @typedef {import("zarr-codecs/verify").ChunkLayout & { names: string[] }} NamedLayout with the names of the axes */

export class Arrangement {
  /** The side of a cell. */
  side = 0;
  /** The number of cells. */
  count;
  /** How many chunks a cell stands for. */
  chunksPerCell = 1;
  /** @type {number} of a block */
  rows;
  /** @type {number} of a block */
  columns;
  width;
  height;
  #layout;
  /** The axes of the blocks. @type {number[]} */
  #outer;
  #label;
  #pitch;
  #blockHeight;
  #perRow;
  #blocks;

  /**
   * @param {NamedLayout} layout
   * @param {number} available width
   * @param {number} ratio of the pixels of the device
   */
  constructor(layout, available, ratio) {
    const { grid, chunks } = layout;
    const axes = grid.map((_, axis) => axis).filter((axis) => grid[axis] > 1);
    const inner = axes.slice(-2).map((axis) => grid[axis]);
    this.#layout = layout;
    this.#outer = axes.slice(0, -2);
    const [length = 1] = inner;
    [this.rows, this.columns] =
      inner.length > 1 ? inner : [Math.ceil(length / WRAP), Math.min(WRAP, Math.max(1, length))];
    this.count = chunks;
    [, this.side] = SIDES.find(([most]) => chunks <= most) ?? SIDES[0];
    this.#label = this.#outer.length > 0 ? LABEL : 0;
    this.#pitch = Math.max(this.columns * this.side, this.#label ? LABEL_WIDTH : 0) + GAP;
    this.#blockHeight = this.rows * this.side + this.#label + GAP;
    const outerLength = this.#outer.length > 0 ? grid[/** @type {number} */ (this.#outer.at(-1))] : 1;
    this.#perRow = blocksPerRow(Math.floor((available + GAP) / this.#pitch), outerLength);
    this.#blocks = Math.ceil(chunks / (this.rows * this.columns));
    this.width = Math.min(this.#blocks, this.#perRow) * this.#pitch;
    this.height = Math.ceil(this.#blocks / this.#perRow) * this.#blockHeight;
    const isLegible = chunks <= MOST_CELLS && Math.max(this.width, this.height) * ratio <= LARGEST;
    if (!isLegible) this.#aggregate(chunks, available);
  }

  /** Makes one block of rows as wide as there is room. @param {number} chunks @param {number} available */
  #aggregate(chunks, available) {
    this.#outer = [];
    this.#label = 0;
    this.#perRow = 1;
    this.#blocks = 1;
    this.columns = Math.max(1, Math.floor((available - GAP) / this.side));
    const most = Math.min(MOST_CELLS, this.columns * Math.floor(LARGEST / 2 / this.side));
    this.chunksPerCell = Math.ceil(chunks / most);
    this.count = Math.ceil(chunks / this.chunksPerCell);
    this.rows = Math.ceil(this.count / this.columns);
    this.#pitch = this.columns * this.side + GAP;
    this.#blockHeight = this.rows * this.side + GAP;
    this.width = this.#pitch;
    this.height = this.#blockHeight;
  }

  /** Returns the corner of a cell. @param {number} cell @returns {[x: number, y: number]} */
  at(cell) {
    const perBlock = this.rows * this.columns;
    const within = cell % perBlock;
    const [x, y] = this.#originOf((cell - within) / perBlock);
    return [x + (within % this.columns) * this.side, y + Math.floor(within / this.columns) * this.side];
  }

  /** Returns the cell at a point, if there is one. @param {number} x @param {number} y */
  cellAt(x, y) {
    const block = Math.floor(y / this.#blockHeight) * this.#perRow + Math.floor(x / this.#pitch);
    if (x < 0 || x >= this.#perRow * this.#pitch || block >= this.#blocks || block < 0) return undefined;
    const [blockX, blockY] = this.#originOf(block);
    const column = Math.floor((x - blockX) / this.side);
    const row = Math.floor((y - blockY) / this.side);
    if (column < 0 || column >= this.columns || row < 0 || row >= this.rows) return undefined;
    const cell = (block * this.rows + row) * this.columns + column;
    return cell < this.count ? cell : undefined;
  }

  /** Yields the labels of blocks, and where they are. @returns {Generator<[text: string, x: number, y: number]>} */
  *labels() {
    if (this.#label === 0) return;
    const { grid } = this.#layout;
    const lengths = this.#outer.map((axis) => grid[axis]);
    for (let block = 0; block < this.#blocks; block += 1) {
      const [x, y] = this.#originOf(block);
      const place = unravel(block, lengths).map((at, i) => this.#extent(at, this.#outer[i]));
      yield [place.join(" · "), x, y - 5];
    }
  }

  /** Names the indices of a chunk along an axis. @param {number} at @param {number} axis */
  #extent(at, axis) {
    const { names, chunkShape, shape } = this.#layout;
    const first = at * chunkShape[axis];
    const last = Math.min(first + chunkShape[axis], shape[axis]) - 1;
    return `${names[axis]} ${first === last ? first : `${first}–${last}`}`;
  }

  /** The first cell of a block, below its label. @param {number} block @returns {[number, number]} */
  #originOf(block) {
    return [
      (block % this.#perRow) * this.#pitch + 1,
      Math.floor(block / this.#perRow) * this.#blockHeight + this.#label + 1,
    ];
  }
}

/** Returns as many blocks as fit, a multiple of the axis where the whole axis fits. @param {number} fitting @param {number} axisLength */
function blocksPerRow(fitting, axisLength) {
  if (fitting >= axisLength) return fitting - (fitting % axisLength);
  return Math.max(1, fitting);
}
