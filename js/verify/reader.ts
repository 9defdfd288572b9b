/** Reads encoded chunks; inner chunks by the index of their shard. */

import { type Level, LocatedIndex, RangeReader } from "../core.js";
import { type ByteRange, locate, type RangeQuery } from "../errors.js";
import { viewRange } from "../shards/ranges.js";
import { expectWhole } from "./inner-chunks.js";
import type { ChunkAddress, ChunkLayout } from "./layout.js";
import { keyIn, type StoreKey } from "./store.js";
import type { VerifiableStore } from "./types.js";

/** The most shards that are kept open: more than chunks are read at a time. */
const MOST_SHARDS = 512;

/** An encoded chunk. */
export interface StoredChunk {
  readonly key: StoreKey;
  /** Where in the value of the key the chunk begins. */
  readonly offset: number;
  /** These bytes, of an inner chunk of a shard. */
  readonly range?: ByteRange;
  readonly bytes: Uint8Array;
}

/** Reads the chunks of one array. */
export class ChunkReader {
  readonly #store: VerifiableStore;
  readonly #path: StoreKey;
  readonly #level: Level | undefined;
  readonly #indexes = new Map<StoreKey, Promise<LocatedIndex | undefined>>();

  constructor(store: VerifiableStore, path: StoreKey, { shard }: ChunkLayout) {
    this.#store = store;
    this.#path = path;
    this.#level = shard;
  }

  /**
   * Reads a chunk.
   *
   * @returns `undefined` where the chunk is missing
   * @throws what the store throws; an error of this package where the index of the shard is damaged, or names bytes that the
   * shard does not have, or cannot be decoded
   */
  async read({ key: name, inner }: ChunkAddress): Promise<StoredChunk | undefined> {
    const key = keyIn(this.#path, name);
    if (this.#level === undefined || inner === undefined) {
      const bytes = await this.#store.get(key);
      return bytes && { key, offset: 0, bytes };
    }
    const index = await this.#open(key, this.#level);
    const range = index?.range(this.#level.axes.map((axis) => inner[axis] as number));
    const bytes = range && (await this.#readRange(key, range));
    if (range === undefined || bytes === undefined) return undefined;
    try {
      return { key, offset: range.offset, range, bytes: expectWhole(bytes, range) };
    } catch (error) {
      throw locate(error, { range });
    }
  }

  /** Reads the index of a shard once for concurrent calls, and again after a failure. */
  #open(key: StoreKey, { layout }: Level): Promise<LocatedIndex | undefined> {
    const known = this.#indexes.get(key);
    if (known) return known;
    const reader = new RangeReader((range) => this.#readRange(key, range));
    const opening = LocatedIndex.read(reader, layout, undefined, {});
    opening.catch(() => this.#indexes.delete(key));
    this.#indexes.set(key, opening);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= MOST_SHARDS) break;
      this.#indexes.delete(oldest);
    }
    return opening;
  }

  async #readRange(key: StoreKey, range: RangeQuery): Promise<Uint8Array | undefined> {
    if (this.#store.getRange) return this.#store.getRange(key, range);
    const value = await this.#store.get(key);
    return value && viewRange(value, range);
  }
}
