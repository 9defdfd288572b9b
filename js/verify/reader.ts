/** Reads encoded chunks; inner chunks by the index of their shard. */

import {
  type AsyncCodecChain,
  type ByteRange,
  ChunkLengthError,
  loadCodecChain,
  type Shard,
} from "zarr-codecs";
import { locate } from "../errors.js";
import type { ChunkAddress, ChunkLayout, ShardLayout } from "./layout.js";
import { keyIn, readRange, type Store, type StoreKey } from "./store.js";

/** The most shards that are kept open: more than chunks are read at a time. */
const MOST_SHARDS = 512;

/** Stand in for the codecs of inner chunks, of which nothing is decoded here: they encode to any length. */
const OPAQUE = ["bytes", "gzip"];

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
  readonly #store: Store;
  readonly #path: StoreKey;
  readonly #shard: ShardLayout | undefined;
  readonly #shards = new Map<StoreKey, Promise<Shard>>();
  #chain: Promise<AsyncCodecChain> | undefined;

  constructor(store: Store, path: StoreKey, { shard }: ChunkLayout) {
    this.#store = store;
    this.#path = path;
    this.#shard = shard;
  }

  /** Loads what reading needs. Optional. @throws InvalidMetadataError where the indexes of shards cannot be decoded */
  async load(): Promise<void> {
    if (this.#shard) await this.#loadChain(this.#shard);
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
    if (this.#shard === undefined || inner === undefined) {
      const bytes = await this.#store.get(key);
      return bytes && { key, offset: 0, bytes };
    }
    const range = (await this.#open(key, this.#shard)).range(inner);
    if (range === undefined) return undefined;
    const { offset, length: expected } = range;
    const bytes = await readRange(this.#store, key, range);
    // Stores return what there is of a range.
    if (bytes !== undefined && bytes.byteLength !== expected) {
      const { byteLength: actual } = bytes;
      const message = `inner chunk is ${actual} bytes, expected ${expected} (index of the shard)`;
      throw locate(new ChunkLengthError(message, { expected, actual }), { range });
    }
    return bytes && { key, offset, range, bytes };
  }

  /** Opens a shard once for concurrent calls, and again after a failure. */
  #open(key: StoreKey, layout: ShardLayout): Promise<Shard> {
    const known = this.#shards.get(key);
    if (known) return known;
    const opening = this.#openShard(key, layout);
    opening.catch(() => this.#shards.delete(key));
    this.#shards.set(key, opening);
    for (const oldest of this.#shards.keys()) {
      if (this.#shards.size <= MOST_SHARDS) break;
      this.#shards.delete(oldest);
    }
    return opening;
  }

  async #openShard(key: StoreKey, layout: ShardLayout): Promise<Shard> {
    const chain = await this.#loadChain(layout);
    return chain.openShard((range) => readRange(this.#store, key, range));
  }

  #loadChain({ shape, grid, indexCodecs, isIndexFirst }: ShardLayout): Promise<AsyncCodecChain> {
    const configuration = {
      chunk_shape: shape.map((length, axis) => length / (grid[axis] as number)),
      codecs: OPAQUE,
      index_codecs: indexCodecs,
      index_location: isIndexFirst ? "start" : "end",
    };
    const codecs = [{ name: "sharding_indexed", configuration }];
    this.#chain ??= loadCodecChain({ dataType: "uint8", shape, codecs, fillValue: 0 });
    return this.#chain;
  }
}
