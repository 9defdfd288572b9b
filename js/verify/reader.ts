/** Reads encoded chunks; inner chunks by the index of their shard. */

import { ChunkLengthError, type CodecChain, createCodecChain } from "zarr-codecs";
import type { ChunkAddress, ChunkLayout } from "./layout.js";
import { keyIn, readRange, type Store, type StoreKey } from "./store.js";

/** The offset and the length of an inner chunk that is missing. */
const MISSING = 2n ** 64n - 1n;

/** The most indexes that are cached: more than chunks are read at a time. */
const MOST_INDEXES = 512;

/** An encoded chunk. */
export interface StoredChunk {
  readonly key: StoreKey;
  /** Where in the value of the key the chunk begins. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

type ShardIndex = BigUint64Array | undefined;

/** Reads the chunks of one array. */
export class ChunkReader {
  readonly #store: Store;
  readonly #path: StoreKey;
  readonly #indexChain: CodecChain<"uint64"> | undefined;
  readonly #isIndexFirst: boolean;
  readonly #indexes = new Map<StoreKey, Promise<ShardIndex>>();

  /** @throws InvalidMetadataError where the indexes of shards cannot be decoded */
  constructor(store: Store, path: StoreKey, { shard }: ChunkLayout) {
    this.#store = store;
    this.#path = path;
    this.#isIndexFirst = shard?.isIndexFirst ?? false;
    if (shard === undefined) return;
    const { grid, indexCodecs: codecs } = shard;
    this.#indexChain = createCodecChain({ dataType: "uint64", shape: [...grid, 2], codecs });
  }

  /**
   * Reads a chunk.
   *
   * @returns `undefined` where the chunk is missing
   * @throws what the store throws; an error of this package where the index of the shard is damaged, or names bytes that the
   * shard does not have
   */
  async read({ key: name, entry }: ChunkAddress): Promise<StoredChunk | undefined> {
    const key = keyIn(this.#path, name);
    if (this.#indexChain === undefined || entry === undefined) {
      const bytes = await this.#store.get(key);
      return bytes && { key, offset: 0, bytes };
    }
    const index = await this.#index(key, this.#indexChain);
    const start = index?.[2 * entry];
    const size = index?.[2 * entry + 1];
    if (start === undefined || size === undefined || (start === MISSING && size === MISSING))
      return undefined;
    const offset = Number(start);
    const expected = Number(size);
    const bytes = await readRange(this.#store, key, { offset, length: expected });
    // Stores return what there is of a range.
    if (bytes !== undefined && bytes.byteLength !== expected) {
      const { byteLength: actual } = bytes;
      const message = `inner chunk is ${actual} bytes, expected ${expected} (index of the shard)`;
      throw new ChunkLengthError(message, { expected, actual });
    }
    return bytes && { key, offset, bytes };
  }

  /** Reads an index once for concurrent calls, and again after a failure. */
  #index(key: StoreKey, chain: CodecChain<"uint64">): Promise<ShardIndex> {
    const known = this.#indexes.get(key);
    if (known) return known;
    const reading = this.#readIndex(key, chain);
    reading.catch(() => this.#indexes.delete(key));
    this.#indexes.set(key, reading);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= MOST_INDEXES) break;
      this.#indexes.delete(oldest);
    }
    return reading;
  }

  /** Reads an index: offset and length of each inner chunk; `undefined` where the shard is missing. */
  async #readIndex(key: StoreKey, chain: CodecChain<"uint64">): Promise<ShardIndex> {
    const length = chain.encodedByteLength as number; // That of an index is fixed.
    const range = this.#isIndexFirst ? { offset: 0, length } : { suffixLength: length };
    const encoded = await readRange(this.#store, key, range);
    return encoded && chain.decode(encoded).data;
  }
}
