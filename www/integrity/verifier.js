// Reads and checks chunks one by one, without zarrita. Runs in a worker.

import { createCodecChain } from "zarr-codecs";
import { chunkLayout, unravel } from "../array/layout.js";
import { locateFlippedBit } from "../break-a-byte/locate-flipped-bit.js";
import { openStore, withFlippedBit } from "../store/stores.js";
import { plainError } from "../worker/errors.js";
import { checkerOf } from "./check.js";

/** So many chunks are on their way at a time: a server's answer takes longer than the check. */
const CONCURRENCY = 6;
/** The page hears of results so often, in milliseconds. */
const REPORT_INTERVAL = 100;
/** The offset and the length of a chunk that is not in its shard. */
const NOT_STORED = 2n ** 64n - 1n;

export class Verifier {
  #store;
  #held = {};
  #run = 0;
  #indices = new Map();

  open(source) {
    this.cancel();
    this.#indices.clear();
    this.#held.bit = undefined;
    this.#store = withFlippedBit(openStore(source), this.#held);
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
    const report = async () => {
      const sent = results;
      results = [];
      reported = performance.now();
      await onResults(sent);
    };
    let next = 0;
    const work = async () => {
      while (next < layout.chunks && run === this.#run) {
        const number = next++;
        results.push([number, await this.#outcome(path, layout, number, check)]);
        if (performance.now() - reported > REPORT_INTERVAL) await report();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const isDone = run === this.#run;
    if (isDone) await report();
    return isDone;
  }

  /** Where the bytes of a chunk are, and what they are; undefined for a chunk that is missing. */
  async chunk(path, metadata, position) {
    const layout = chunkLayout(metadata);
    const place = await this.#place(path, layout, position);
    const bytes = place && (await this.#read(place));
    return bytes && { key: place.key, offset: place.offset ?? 0, bytes };
  }

  /** The bit that is the difference between two checksums, if it is just one. */
  locate(mismatch) {
    return locateFlippedBit(mismatch);
  }

  async #outcome(path, layout, number, check) {
    try {
      const place = await this.#place(path, layout, unravel(number, layout.grid));
      const bytes = place && (await this.#read(place));
      return bytes ? check(bytes) : { state: "missing" };
    } catch (error) {
      return { state: "failed", error: plainError(error) };
    }
  }

  /** `{ key, offset?, length? }` of a chunk; undefined where its shard does not have it. */
  async #place(path, layout, position) {
    const { key, entry } = layout.locate(position);
    const fullKey = `${path === "/" ? "" : path}/${key}`;
    if (entry === undefined) return { key: fullKey };
    if (!this.#indices.has(fullKey)) this.#indices.set(fullKey, this.#index(fullKey, layout.shard));
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
