// The cells of an array, one for each chunk or inner chunk, as verifying the array fills them. Runs in a worker.

import { product, ravel, unravel } from "zarr-codecs/verify";
import { codeOf, DAMAGED, stateOf, TRANSIENT, UNCHECKED } from "../ui/chunk-states.js";

/**
 * @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout
 * @typedef {import("zarr-codecs/verify").UnitResult} UnitResult
 */

/**
 * Something that is not sound: of one cell, or of all cells of a shard, of which `number` is the first.
 *
 * @typedef {{ number: number, key: string, inner?: readonly number[], shard?: readonly number[], code: number,
 *   error?: import("zarr-codecs/verify").UnitError }} Problem
 */

/**
 * What has changed, as a message.
 *
 * @typedef {{ numbers: Uint32Array, states: Uint8Array, lengths: Uint32Array, problems: Problem[], found: number }} Changes
 *   `found` counts problems, also those that are too many for a message
 */

/** How many problems are described; others are only counted. */
const MOST_PROBLEMS = 10_000;

export class Cells {
  #layout;
  /** @type {Uint8Array} */
  #states;
  #lengths;
  /** @type {Set<number>} */
  #changed = new Set();
  /** @type {Problem[]} */
  #problems = [];
  #found = 0;

  /** @param {ChunkLayout} layout */
  constructor(layout) {
    this.#layout = layout;
    this.#states = new Uint8Array(layout.chunks);
    this.#lengths = new Uint32Array(layout.chunks);
  }

  /**
   * Fills the cells that a result is about. If a whole shard is unreadable, inner chunks that were read before are not affected.
   *
   * @param {UnitResult} result
   */
  add(result) {
    const { chunk, inner, byteLength = 0 } = result;
    if (chunk === undefined) return;
    const code = codeOf(stateOf(result));
    const { start, lengths } = this.#blockOf(chunk, inner);
    const count = product(lengths);
    /** @type {number | undefined} */
    let first;
    for (let i = 0; i < count; i += 1) {
      const within = unravel(i, lengths);
      const number = this.#numberOf(start.map((at, axis) => at + within[axis]));
      if (number === undefined) continue;
      first ??= number;
      if (count === 1) this.#set(number, Math.max(code, this.#states[number]), byteLength);
      else if (code === DAMAGED || this.#states[number] === UNCHECKED) this.#set(number, code, 0);
    }
    if (first !== undefined && code >= TRANSIENT) this.#complain(result, first, code);
  }

  /**
   * Returns the first cell of a stored value, or of an inner chunk, and the number of its cells along each axis.
   *
   * @param {readonly number[]} chunk
   * @param {readonly number[]} inner position in the shard, followed by those in the shards in it
   */
  #blockOf(chunk, inner = []) {
    const { grid, levels } = this.#layout.shard ?? { grid: chunk.map(() => 1), levels: [] };
    let start = chunk.map((at, axis) => at * grid[axis]);
    let lengths = grid;
    for (let i = 0; i * grid.length < inner.length; i += 1) {
      lengths = lengths.map((length, axis) => length / levels[i][axis]);
      start = start.map((at, axis) => at + inner[i * grid.length + axis] * lengths[axis]);
    }
    return { start, lengths };
  }

  /** @param {UnitResult} result @param {number} number @param {number} code */
  #complain({ key, chunk, inner, error }, number, code) {
    this.#found += 1;
    if (this.#found > MOST_PROBLEMS) return;
    const isShard = this.#layout.shard !== undefined && inner === undefined;
    this.#problems.push({ number, key, inner, ...(isShard && { shard: chunk }), code, error });
  }

  /** A shard at the edge of the array has room for more chunks than there are. @param {readonly number[]} position */
  #numberOf(position) {
    const { grid } = this.#layout;
    return position.every((at, axis) => at < grid[axis]) ? ravel(position, grid) : undefined;
  }

  /** @param {number} number @param {number} code @param {number} length */
  #set(number, code, length) {
    this.#states[number] = code;
    this.#lengths[number] += length;
    this.#changed.add(number);
  }

  /** Returns what has changed since the last call, if anything has. @returns {Changes | undefined} */
  take() {
    if (this.#changed.size === 0 && this.#problems.length === 0) return undefined;
    const numbers = Uint32Array.from(this.#changed);
    const changes = {
      numbers,
      states: Uint8Array.from(numbers, (number) => this.#states[number]),
      lengths: Uint32Array.from(numbers, (number) => this.#lengths[number]),
      problems: this.#problems,
      found: this.#found,
    };
    this.#changed.clear();
    this.#problems = [];
    return changes;
  }
}
