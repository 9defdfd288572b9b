/** Reads values of stores, and parts of them. */

import { type Awaitable, then } from "../awaitable.js";
import type { RangeQuery } from "../errors.js";
import { type FileSource, type ReadOptions, viewRange } from "../shard/ranges.js";
import { bytesOf } from "../typed-array.js";
import type { StoreKey } from "./keys.js";

/** A store as zarrita takes it: `get`, and `getRange` for shards. A `Map` of bytes is one. */
export interface ArrayStore {
  /** Reads a value; undefined if the store has no such key. */
  get(key: StoreKey, options?: never): unknown;
  /** Reads a part of a value: `length` bytes at `offset`, or the last `suffixLength` bytes; fewer if the value is shorter. */
  getRange?(key: StoreKey, range: RangeQuery, options?: never): unknown;
  /**
   * Returns the length of a value in bytes if the store knows it without a request: after a read of a part of it, the total that
   * the response stated.
   */
  byteLengthOf?(key: StoreKey): number | undefined;
  /** Whether bytes that `get` and `getRange` return without a promise are overwritten by the next call. */
  readonly isReused?: boolean;
}

type Bytes = Uint8Array | undefined;

export class StoreReader {
  readonly #store: ArrayStore;

  constructor(store: ArrayStore) {
    this.#store = store;
  }

  /** Whether parts of values can be read without the rest. */
  get readsRanges(): boolean {
    return this.#store.getRange !== undefined;
  }

  /** Whether values that were not waited for are overwritten by the next ones. */
  get isReused(): boolean {
    return this.#store.isReused === true;
  }

  get(key: StoreKey, options?: ReadOptions): Awaitable<Bytes> {
    return then(this.#store.get(key, options as never) as Awaitable<unknown>, expectBytes);
  }

  /** Reads a part of a value, if the store {@link readsRanges}. */
  getRange(key: StoreKey, range: RangeQuery, options?: ReadOptions): Awaitable<Bytes> {
    return then(this.#store.getRange?.(key, range, options as never) as Awaitable<unknown>, expectBytes);
  }

  /** Returns the length of a value, if the store knows it. */
  byteLengthOf(key: StoreKey): number | undefined {
    return this.#store.byteLengthOf?.(key);
  }

  /** Returns bytes that stay what they are when the next value is read. */
  kept<B extends Bytes>(bytes: B): B {
    return bytes && this.isReused ? (bytes.slice() as B) : bytes;
  }

  /** Returns a value as a file that is read in part: by way of the whole value, if the store reads no ranges. */
  file(key: StoreKey): FileSource {
    if (this.readsRanges) {
      return {
        read: (range, options) => then(this.getRange(key, range, options), (bytes) => this.kept(bytes)),
        byteLength: () => this.byteLengthOf(key),
      };
    }
    let byteLength: number | undefined;
    return {
      read: (range, options) =>
        then(this.get(key, options), (value) => {
          byteLength = value?.byteLength;
          return value && this.kept(viewRange(value, range));
        }),
      byteLength: () => byteLength,
    };
  }
}

function expectBytes(value: unknown): Bytes {
  if (value === undefined || value instanceof Uint8Array) return value;
  return bytesOf(value, "store");
}
