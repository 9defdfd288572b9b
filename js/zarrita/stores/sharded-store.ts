/** A store in which a sharded array looks unsharded: the store that `withShards` loads. */

import { type ChunkKeys, chunkKeysOf } from "../../array/chunk-keys.js";
import { isMetadata } from "../../array/keys.js";
import { type ArrayReader, type CodecRegistry, openArray, placed } from "../../core.js";
import { InvalidArgumentError, locate } from "../../errors.js";
import { decode, expectLengths, isObject, type Json } from "../../json.js";
import type { CoalesceOptions } from "../../shard/range-reader.js";
import { type RangeQuery, type ReadOptions, viewRange } from "../../shard/ranges.js";
import { type AnyStore, type Found, Nodes } from "../../store/nodes.js";
import { isSharded } from "./codecs.js";
import { storedFillValue } from "./fill-value.js";
import { MARK, marked, type Unsharded, unshard } from "./sharded-array.js";

/** Options of {@link withShards}. */
export interface ShardOptions extends CoalesceOptions {
  /**
   * Codecs of others, such as zarrita's `registry`, for shards that have to be read whole, because a codec other than
   * `transpose` precedes `sharding_indexed` or any follows it. The host's `gzip`, `zlib` and `zstd` need none.
   */
  readonly codecs?: CodecRegistry | undefined;
}

/** A sharded array. */
interface ShardedArray {
  readonly reader: ArrayReader;
  /** The keys that zarrita requests. */
  readonly keys: ChunkKeys;
  readonly whole: Unsharded["whole"];
}

export class ShardedStore implements AnyStore {
  readonly #store: AnyStore;
  readonly #nodes: Nodes<ShardedArray>;

  constructor(store: AnyStore, options: ShardOptions) {
    this.#store = store;
    this.#nodes = new Nodes(store, {
      array: async (path, metadata) => {
        if (!isSharded(metadata.codecs)) return { shown: metadata };
        const { shown, whole } = await unshard(metadata, options.codecs);
        const fill_value = storedFillValue(metadata.data_type, metadata.fill_value);
        const reader = await openArray(store, path, { ...options, metadata: { ...metadata, fill_value } });
        return { shown, array: { reader, whole, keys: shownKeys(metadata) } };
      },
      group: (metadata, shown) => (shown === metadata ? metadata : marked(shown)),
    });
  }

  async get(key: string, ...rest: unknown[]): Promise<unknown> {
    if (isMetadata(key)) return this.#nodes.get(key, rest);
    const found = this.#nodes.arrayOf(key);
    const chunk = chunkOf(key, found instanceof Promise ? await found : found);
    return chunk ? read(chunk, rest[0] as ReadOptions) : this.#nodes.get(key, rest);
  }

  async getRange(key: string, range: RangeQuery, ...rest: unknown[]): Promise<unknown> {
    const chunk = chunkOf(key, await this.#nodes.arrayOf(key));
    if (chunk === undefined) return this.#store.getRange?.(key, range, ...rest);
    const bytes = await read(chunk, rest[0] as ReadOptions);
    return bytes && viewRange(bytes, range);
  }

  async set(key: string, ...rest: unknown[]): Promise<void> {
    const document = isMetadata(key) ? decode(rest[0]) : undefined;
    const isShown = isObject(document) && (MARK in document || isSharded(document.codecs));
    if (isShown || (!isMetadata(key) && (await this.#nodes.arrayOf(key)))) {
      const message = `${key} is of a sharded array, which withShards only reads: write to the store itself`;
      throw new InvalidArgumentError(message, { argument: "key" });
    }
    await this.#store.set?.(key, ...rest);
    if (isMetadata(key)) this.#nodes.forget(key);
  }
}

const shownKeys = ({ chunk_key_encoding, shape }: Json): ChunkKeys =>
  chunkKeysOf(chunk_key_encoding, expectLengths(shape, "shape").length);

interface Chunk {
  readonly array: ShardedArray;
  readonly coordinates: readonly number[];
}

/** Returns the chunk of a sharded array with a key; undefined for any other key. */
function chunkOf(key: string, found: Found<ShardedArray>): Chunk | undefined {
  const coordinates = found?.array.keys.decode(key.slice(found.path.length));
  return found && coordinates && { array: found.array, coordinates };
}

/** Reads a chunk. @returns undefined if it is missing */
async function read({ array, coordinates }: Chunk, options?: ReadOptions): Promise<Uint8Array | undefined> {
  const { reader, whole } = array;
  if (coordinates.some((at, axis) => at >= (reader.gridShape[axis] as number))) return undefined;
  const encoded = await reader.getEncoded(coordinates, options);
  if (encoded === undefined) return undefined;
  const { bytes, key, range } = encoded;
  const place = { key, chunk: coordinates, range };
  if (whole === undefined) return placed(bytes, place);
  try {
    const { data } = await whole.decode(bytes);
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  } catch (error) {
    throw locate(error, place);
  }
}
