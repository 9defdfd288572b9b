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

  /** Fills the cells that a result is about. @param {UnitResult} result */
  add(result) {
    const { chunk, inner, byteLength = 0 } = result;
    if (chunk === undefined) return;
    const { shard } = this.#layout;
    const code = codeOf(stateOf(result));
    if (shard && inner === undefined) {
      this.#addShard(result, chunk, code);
      return;
    }
    const position = shard ? positionIn(shard.grid, chunk, inner ?? []) : chunk;
    const number = this.#numberOf(position);
    if (number === undefined) return;
    // Shards in shards have several results for one cell.
    this.#set(number, Math.max(code, this.#states[number]), byteLength);
    if (code >= TRANSIENT) this.#complain(result, number, code);
  }

  /**
   * Adds a result for a whole shard, or for its index. If it is unreadable, inner chunks that were read before are not affected.
   *
   * @param {UnitResult} result
   * @param {readonly number[]} chunk
   * @param {number} code
   */
  #addShard(result, chunk, code) {
    const { grid = [] } = this.#layout.shard ?? {};
    const count = product(grid);
    /** @type {number | undefined} */
    let first;
    for (let i = 0; i < count; i += 1) {
      const number = this.#numberOf(positionIn(grid, chunk, unravel(i, grid)));
      if (number === undefined) continue;
      first ??= number;
      if (code === DAMAGED || this.#states[number] === UNCHECKED) this.#set(number, code, 0);
    }
    if (code >= TRANSIENT) this.#complain(result, first ?? 0, code);
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

/** @param {readonly number[]} grid of a shard @param {readonly number[]} chunk @param {readonly number[]} inner */
const positionIn = (grid, chunk, inner) => chunk.map((at, axis) => at * grid[axis] + inner[axis]);
