// What is known of the chunks of an array so far: in typed arrays, because there may be millions.

import { product, ravel, unravel } from "zarr-codecs/verify";
import { chunkLabel } from "../../ui/chunk-label.js";
import { STATES, UNCHECKED, UNREADABLE } from "../../ui/chunk-states.js";

/**
 * @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout
 * @typedef {import("../../ui/chunk-states.js").State} State
 * @typedef {import("../../workers/cells.js").Problem} Problem
 * @typedef {import("../../workers/cells.js").Changes} Changes
 * @typedef {{ stored?: number, computed?: number }} Checksums
 */

export class Findings {
  path;
  layout;
  /** By the numbers of chunks. */
  states;
  lengths;
  /** How many chunks have been checked. */
  done = 0;
  /** The number of bytes that were checked. */
  bytes = 0;
  /** What is not sound; `found` says how many there are, if these are not all. @type {Problem[]} */
  problems = [];
  found = 0;
  /** By the numbers of chunks, or of the first chunks of shards. @type {Map<number, Problem>} */
  #byNumber = new Map();
  #counts = new Uint32Array(STATES.length);
  /** The checksums of sound chunks that somebody looked at. @type {Map<number, Checksums>} */
  checksums = new Map();

  /** @param {string} path @param {ChunkLayout} layout */
  constructor(path, layout) {
    this.path = path;
    this.layout = layout;
    this.states = new Uint8Array(layout.chunks);
    this.lengths = new Uint32Array(layout.chunks);
    this.#counts[UNCHECKED] = layout.chunks;
  }

  /** @param {Changes} changes @param {number} [foundBefore] in an earlier run, which this one completes */
  add({ numbers, states, lengths, problems, found }, foundBefore = 0) {
    for (let i = 0; i < numbers.length; i += 1) {
      const number = numbers[i];
      this.#set(number, states[i]);
      this.bytes += lengths[i] - this.lengths[number];
      this.lengths[number] = lengths[i];
    }
    for (const problem of problems) {
      this.problems.push(problem);
      this.#byNumber.set(problem.number, problem);
    }
    if (problems.length > 0) this.problems.sort((a, b) => b.code - a.code || a.number - b.number);
    this.found = foundBefore + found;
  }

  /** @param {number} number @param {number} code */
  #set(number, code) {
    const before = this.states[number];
    this.#counts[before] -= 1;
    this.#counts[code] += 1;
    this.done += Number(code !== UNCHECKED) - Number(before !== UNCHECKED);
    this.states[number] = code;
  }

  /** Forgets which chunks were unreadable. @returns {Uint32Array} their numbers */
  forgetUnreadable() {
    const numbers = new Uint32Array(this.count("unreadable"));
    let filled = 0;
    for (let number = 0; number < this.states.length; number += 1) {
      if (this.states[number] === UNREADABLE) numbers[filled++] = number;
    }
    for (const number of numbers) this.#set(number, UNCHECKED);
    const forgotten = this.problems.filter(({ code }) => code === UNREADABLE);
    this.problems = this.problems.filter(({ code }) => code !== UNREADABLE);
    this.found -= forgotten.length;
    for (const { number } of forgotten) this.#byNumber.delete(number);
    return numbers;
  }

  /** @param {State} state */
  count(state) {
    return this.#counts[STATES.indexOf(state)];
  }

  /** @param {number} number @returns {State} */
  stateAt(number) {
    return STATES[this.states[number]];
  }

  /** Returns what is wrong with a chunk, or with the shard that it is in. @param {number} number */
  problemAt(number) {
    const own = this.#byNumber.get(number);
    if (own?.code === this.states[number]) return own;
    const { grid, shard } = this.layout;
    if (shard === undefined) return undefined;
    const first = unravel(number, grid).map((at, axis) => at - (at % shard.grid[axis]));
    const problem = this.#byNumber.get(ravel(first, grid));
    return problem?.shard && problem.code === this.states[number] ? problem : undefined;
  }

  /** Returns the chunk of several neighbours that matters most. @param {number} first @param {number} count */
  worstOf(first, count) {
    let worst = first;
    for (let i = first; i < Math.min(first + count, this.states.length); i += 1) {
      if (this.states[i] > this.states[worst]) worst = i;
    }
    return worst;
  }

  /** Names a chunk. @param {number} number */
  labelOf(number) {
    return chunkLabel(this.path, this.layout, unravel(number, this.layout.grid));
  }

  /** Names what a problem is of: a chunk, a shard, the index of one. @param {Problem} problem */
  placeOf({ key, inner, shard, error }) {
    if (inner) return `${key} [${inner.join(", ")}]`;
    if (shard === undefined) return key;
    const what = error?.message.includes("shard index") ? "shard index" : "whole shard";
    const { grid = [] } = this.layout.shard ?? {};
    return `${key}, ${what} (${product(grid).toLocaleString("en")} inner chunks)`;
  }
}
