// Verifies arrays chunk by chunk. Runs in a worker.

import { chunkLayout, ravel, verifyArray } from "zarr-codecs/verify";
import { registry, withRangeCoalescing } from "zarrita";
import { withFlippedBit } from "../store/flipped-bit.js";
import { openStore } from "../store/stores.js";
import { plainError } from "./errors.js";

/** How often results are sent to the page, in milliseconds. */
const REPORT_INTERVAL = 100;

/**
 * What is known of a chunk, as a message.
 *
 * @typedef {Pick<import("zarr-codecs/verify").ChunkResult,
 *   "state" | "proof" | "byteLength" | "checksum" | "milliseconds"> & { error?: import("./errors.js").PlainError }} Outcome
 */

/**
 * @typedef {import("zarr-codecs/verify").Store} Store
 * @typedef {import("zarr-codecs/verify").StoreNode} StoreNode
 * @typedef {import("../store/flipped-bit.js").Held} Held
 */

export class Verifier {
  /** @type {Map<number, { store: Store, held: Held }>} */
  #prepared = new Map();
  /** @type {Store} */
  #store = new Map();
  /** @type {Held} */
  #held = {};
  #run = 0;

  /** Opens a store without using it yet. @param {number} opening @param {import("../store/source.js").Source} source */
  async prepare(opening, source) {
    /** @type {Held} */
    const held = {};
    const store = withRangeCoalescing(withFlippedBit(await openStore(source), held));
    this.#prepared.set(opening, { store, held });
  }

  /** Reads from a prepared store from now on. @param {number} opening */
  commit(opening) {
    this.cancel();
    const { store = new Map(), held = {} } = this.#prepared.get(opening) ?? {};
    this.#prepared.clear();
    this.#store = store;
    this.#held = held;
  }

  /** Flips one bit, and restores the bit that was flipped before. @param {import("../store/flipped-bit.js").Bit} [bit] */
  flip(bit) {
    this.cancel();
    this.#held.bit = bit;
  }

  /** Ends the verification that is running. */
  cancel() {
    this.#run += 1;
  }

  /**
   * Verifies all chunks of an array.
   *
   * @param {StoreNode} node
   * @param {(results: [number: number, outcome: Outcome][]) => unknown} onResults receives several results at a time,
   *   each with the number of its chunk
   * @returns {Promise<boolean>} whether all chunks were verified
   */
  async verify({ path, metadata }, onResults) {
    this.cancel();
    const run = this.#run;
    const layout = chunkLayout(metadata);
    /** @type {[number, Outcome][]} */
    let results = [];
    let reported = performance.now();
    for await (const result of verifyArray(this.#store, path, layout, { codecs: registry })) {
      if (run !== this.#run) return false;
      results.push([ravel(result.position, layout.grid), outcomeOf(result)]);
      if (performance.now() - reported < REPORT_INTERVAL) continue;
      await onResults(results);
      results = [];
      reported = performance.now();
    }
    if (run !== this.#run) return false;
    await onResults(results);
    return run === this.#run;
  }
}

/** @param {import("zarr-codecs/verify").ChunkResult} result @returns {Outcome} */
function outcomeOf({ state, proof, byteLength, checksum, milliseconds, error }) {
  const outcome = { state, proof, byteLength, checksum, milliseconds };
  return error === undefined ? outcome : { ...outcome, error: plainError(error) };
}
