// Reads chunks as they are stored, and checks them one by one. Runs in a worker.

import { createCodecChain } from "zarr-codecs";
import { withRangeCoalescing } from "zarrita";
import { chunkLayout, product, unravel } from "../array/layout.js";
import { openStore, withFlippedBit } from "../store/stores.js";
import { checkerOf } from "./check.js";
import { plainError } from "./errors.js";
import { locateFlippedBit } from "./locate-flipped-bit.js";

/** Chunks of so many elements together are read at a time, neighbours in one request. */
const BATCH_ELEMENTS = 2 ** 22;
const MOST_IN_BATCH = 256;
/** The page hears of results so often, in milliseconds. */
const REPORT_INTERVAL = 100;
/** The offset and the length of a chunk that is not in its shard. */
const NOT_STORED = 2n ** 64n - 1n;

export class Verifier {
  #prepared = new Map();
  #store;
  #held = {};
  #run = 0;
  #indices = new Map();

  prepare(opening, source) {
    const held = {};
    const store = withRangeCoalescing(withFlippedBit(openStore(source), held));
    this.#prepared.set(opening, { store, held });
  }

  /** Reads from a prepared store from here on. */
  commit(opening) {
    this.cancel();
    this.#indices.clear();
    const { store, held } = this.#prepared.get(opening);
    this.#prepared.clear();
    this.#store = store;
    this.#held = held;
  }

  flip(bit) {
    this.cancel();
    this.#held.bit = bit;
  }

  /** Ends the verification that is running. */
  cancel() {
    this.#run += 1;
  }

  /**
   * Checks all chunks of an array.
   *
   * @param {string} path
   * @param {Record<string, any>} metadata
   * @param {(results: [number: number, outcome: import("./check.js").Outcome][]) => void} onResults hears of several at
   *   a time
   * @returns {Promise<boolean>} whether it came to its end
   */
  async verify(path, metadata, onResults) {
    this.cancel();
    const run = this.#run;
    const layout = chunkLayout(metadata);
    const check = checkerOf(layout);
    let results = [];
    let reported = performance.now();
    const batch = batchOf(layout);
    for (let first = 0; first < layout.chunks; first += batch) {
      const numbers = Array.from({ length: Math.min(batch, layout.chunks - first) }, (_, i) => first + i);
      const outcomes = await this.#outcomes(path, layout, numbers, check);
      if (run !== this.#run) return false;
      results.push(...numbers.map((number, i) => [number, outcomes[i]]));
      if (performance.now() - reported < REPORT_INTERVAL) continue;
      await onResults(results);
      results = [];
      reported = performance.now();
    }
    await onResults(results);
    return run === this.#run;
  }

  /** A few bytes of a chunk, and where in which file they are; undefined for a chunk that is missing. */
  async bytes(path, metadata, position, start, size) {
    const place = await this.#place(path, chunkLayout(metadata), position);
    const chunk = place && (await this.#read(place));
    return (
      chunk && { key: place.key, start: (place.offset ?? 0) + start, bytes: chunk.slice(start, start + size) }
    );
  }

  /** The bit that is the difference between two checksums, if it is just one. */
  locate(mismatch) {
    return locateFlippedBit(mismatch);
  }

  async #outcomes(path, layout, numbers, check) {
    const places = await Promise.allSettled(
      numbers.map((number) => this.#place(path, layout, unravel(number, layout.grid))),
    );
    // All at once, so that the ranges of neighbours meet in one request.
    const reads = await Promise.allSettled(places.map(({ value }) => value && this.#read(value)));
    return reads.map(({ value: encoded, reason }, i) => {
      const error = places[i].reason ?? reason;
      if (error) return { state: "failed", error: plainError(error) };
      return encoded ? check(encoded) : { state: "missing" };
    });
  }

  /** `{ key, offset?, length? }` of a chunk; undefined where its shard does not have it. */
  async #place(path, layout, position) {
    const { key, entry } = layout.locate(position);
    const fullKey = `${path === "/" ? "" : path}/${key}`;
    if (entry === undefined) return { key: fullKey };
    if (!this.#indices.has(fullKey)) {
      const reading = this.#index(fullKey, layout.shard);
      reading.catch(() => this.#indices.delete(fullKey));
      this.#indices.set(fullKey, reading);
    }
    const index = await this.#indices.get(fullKey);
    if (index === undefined || index[2 * entry] === NOT_STORED) return undefined;
    return { key: fullKey, offset: Number(index[2 * entry]), length: Number(index[2 * entry + 1]) };
  }

  /** Offsets and lengths of the chunks in a shard, in turn; undefined where there is no such shard. */
  async #index(key, { chunks, indexCodecs, isIndexFirst }) {
    const chain = createCodecChain({ dataType: "uint64", shape: [...chunks, 2], codecs: indexCodecs });
    const length = chain.encodedByteLength;
    const range = isIndexFirst ? { offset: 0, length } : { suffixLength: length };
    const encoded = await this.#store.getRange(key, range);
    return encoded && chain.decode(encoded).data;
  }

  #read({ key, offset, length }) {
    return offset === undefined ? this.#store.get(key) : this.#store.getRange(key, { offset, length });
  }
}

/** How many chunks of an array are read at a time. */
const batchOf = ({ chunkShape }) =>
  Math.max(1, Math.min(MOST_IN_BATCH, Math.floor(BATCH_ELEMENTS / product(chunkShape))));
