// Verifies arrays with `verifyStore`. Runs in a worker.

import { transfer } from "comlink";
import { chunkLayout, unravel, verifyStore } from "zarr-codecs/verify";
import { withFlippedBit } from "../store/flipped-bit.js";
import { openStore } from "../store/stores.js";
import { Cells } from "./cells.js";

/** How often changes are sent to the page, in milliseconds. */
const REPORT_INTERVAL = 100;
/** How many units are read at once: no fewer than requests, see `store/http.js`. */
const CONCURRENT = 128;
/** How long a read may take, in milliseconds: stores give up earlier, those that wait for others excepted. */
const TIMEOUT = 120_000;

/**
 * @typedef {import("zarr-codecs/verify").Store} Store
 * @typedef {import("zarr-codecs/verify").StoreNode} StoreNode
 * @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout
 * @typedef {import("../store/flipped-bit.js").Held} Held
 * @typedef {import("../store/source.js").Source} Source
 * @typedef {import("./cells.js").Changes} Changes
 */

export class Verifier {
  /** @type {Map<number, Source>} */
  #prepared = new Map();
  /** Opened when it is read for the first time. @type {(() => Promise<Store>) | undefined} */
  #open;
  /** @type {Held} */
  #held = {};
  #running = new AbortController();

  /** Notes a store without using it yet. @param {number} opening @param {Source} source */
  async prepare(opening, source) {
    this.#prepared.set(opening, source);
  }

  /** Reads from a prepared store from now on. @param {number} opening */
  commit(opening) {
    this.cancel();
    const source = this.#prepared.get(opening);
    /** @type {Held} */
    const held = {};
    this.#prepared.clear();
    this.#held = held;
    this.#open = source && once(async () => withFlippedBit(await openStore(source), held));
  }

  /** Flips one bit, and restores the bit that was flipped before. @param {import("../store/flipped-bit.js").Bit} [bit] */
  flip(bit) {
    this.cancel();
    this.#held.bit = bit;
  }

  /** Ends the verification that is running. */
  cancel() {
    this.#running.abort();
  }

  /**
   * Verifies the chunks of an array.
   *
   * @param {StoreNode} node
   * @param {(changes: Changes) => unknown} onChanges
   * @param {Uint32Array} [only] the numbers of the chunks to verify; in shards, others of the same shards are too
   * @returns {Promise<boolean>} whether they were verified to the end
   */
  async verify(node, onChanges, only) {
    this.cancel();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const { path } = node;
    const layout = chunkLayout(node.metadata);
    const cells = new Cells(layout);
    const send = sender(cells, onChanges);
    const timer = setInterval(() => send(), REPORT_INTERVAL);
    try {
      const store = await this.#open?.();
      if (store === undefined || signal.aborted) return false;
      const keys = only && keysOf(only, path, layout);
      const results = verifyStore(storeOfArray(store, node, keys), {
        array: path,
        missing: "warn",
        all: "inner",
        signal,
        // Stores repeat requests themselves.
        retries: 0,
        timeout: TIMEOUT,
        concurrency: CONCURRENT,
      });
      for await (const result of results) {
        if (result.chunk === undefined) throw new Error(`${result.key}: ${result.error?.message}`);
        if (keys === undefined || keys.has(`/${result.key}`)) cells.add(result);
      }
      await send(true);
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    } finally {
      clearInterval(timer);
    }
  }
}

/** Makes a function that sends what has changed, as soon as the page has dealt with what was sent before. @param {Cells} cells @param {(changes: Changes) => unknown} onChanges */
function sender(cells, onChanges) {
  /** @type {Promise<unknown> | undefined} */
  let sending;
  const sendNow = async () => {
    const changes = cells.take();
    if (changes === undefined) return;
    const { numbers, states, lengths } = changes;
    await onChanges(transfer(changes, [numbers.buffer, states.buffer, lengths.buffer]));
  };
  return async (isLast = false) => {
    if (sending && !isLast) return;
    while (sending) await sending; // Only then: of two calls in one turn, the second waits for the first.
    sending = sendNow().finally(() => {
      sending = undefined;
    });
    await sending;
  };
}

/** Calls a function once, and again if it failed. @template T @param {() => Promise<T>} load @returns {() => Promise<T>} */
function once(load) {
  /** @type {Promise<T> | undefined} */
  let loading;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Returns the keys of chunks, or of the shards that they are in. @param {Uint32Array} numbers @param {string} path @param {ChunkLayout} layout */
function keysOf(numbers, path, layout) {
  const prefix = path === "/" ? "/" : `${path}/`;
  return new Set(Array.from(numbers, (number) => prefix + layout.locate(unravel(number, layout.grid)).key));
}

/**
 * Returns a store of one array: its metadata as the page shows them, which may be those in a group, and its chunks.
 *
 * @param {Store} store
 * @param {StoreNode} node
 * @param {Set<string>} [keys] of the chunks, by default all
 * @returns {Store}
 */
function storeOfArray(store, { path, metadata }, keys) {
  const metadataKey = path === "/" ? "/zarr.json" : `${path}/zarr.json`;
  const bytes = new TextEncoder().encode(JSON.stringify(metadata));
  const has = (/** @type {string} */ key) => keys?.has(key) ?? true;
  return {
    get: (key, options) => (key === metadataKey ? bytes : has(key) ? store.get(key, options) : undefined),
    getRange: (key, range, options) => (has(key) ? store.getRange?.(key, range, options) : undefined),
    ...(store.checksumOf && { checksumOf: (key, options) => store.checksumOf?.(key, options) }),
  };
}
