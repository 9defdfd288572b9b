/** Reads the inner chunks of a sharded array in a store. */

import { inOrderOf, type Level, LocatedIndex, placed, RangeReader, SharedRequests } from "../../core.js";
import { locate, type Place } from "../../errors.js";
import type { CoalesceOptions } from "../../shards/range-reader.js";
import { type ByteRange, type RangeQuery, type ReadOptions, viewRange } from "../../shards/ranges.js";
import { bytesOf } from "../../typed-array.js";
import { type ChunkKeys, chunkKeysOf } from "./chunk-keys.js";
import type { Json } from "./json.js";
import type { AnyStore } from "./lazy-store.js";
import type { Unsharded } from "./sharded-array.js";

/** The number of index entries that are cached for an array: those of the shards that were opened last. */
const MOST_ENTRIES = 2 ** 22;

type Bytes = Uint8Array | undefined;

export class ShardReader {
  /** The keys of shards, and of the chunks that zarrita is shown. */
  readonly keys: ChunkKeys;
  readonly #store: AnyStore;
  readonly #path: string;
  readonly #unsharded: Unsharded;
  readonly #options: CoalesceOptions;
  readonly #files = new Map<string, ShardFile>();
  #entries = 0;

  constructor(store: AnyStore, path: string, metadata: Json, unsharded: Unsharded, options: CoalesceOptions) {
    this.keys = chunkKeysOf(metadata);
    this.#store = store;
    this.#path = path;
    this.#unsharded = unsharded;
    this.#options = options;
  }

  /** Reads a chunk. @returns undefined where it is missing */
  async read(chunk: readonly number[], rest: unknown[]): Promise<Bytes> {
    const { levels, whole } = this.#unsharded;
    const ones = chunk.map(() => 1);
    let perShard = levels.reduce<readonly number[]>((product, { grid }) => times(product, grid), ones);
    const key = this.#path + this.keys.encode(divided(chunk, perShard));
    const options = (rest[0] ?? {}) as ReadOptions;
    const file = levels.length > 0 ? this.#file(key) : undefined;
    let range: ByteRange | undefined;
    for (const [depth, level] of levels.entries()) {
      const perChunk = divided(perShard, level.grid);
      const shard = { depth, level, coordinates: divided(chunk, perShard), range };
      const inner = remainders(divided(chunk, perChunk), level.grid);
      range = (await file?.index(shard, options))?.range(level.axes.map((axis) => inner[axis] as number));
      if (range === undefined) return undefined;
      perShard = perChunk;
    }
    const place = { key, chunk, range };
    try {
      const bytes = range && file ? await file.reader.readAll(range, options) : await this.#get(key, rest);
      if (bytes === undefined || whole === undefined) return bytes && placed(bytes, place);
      const { data } = await whole.decode(bytes);
      return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    } catch (error) {
      throw locate(error, place);
    }
  }

  async #get(key: string, rest: unknown[]): Promise<Bytes> {
    const bytes = await this.#store.get(key, ...rest);
    return bytes === undefined ? undefined : bytesOf(bytes, "store");
  }

  #file(key: string): ShardFile {
    const known = this.#files.get(key);
    if (known) return known;
    const source = async (range: RangeQuery, options?: ReadOptions) => {
      if (this.#store.getRange) return (await this.#store.getRange(key, range, options)) as Bytes;
      const bytes = await this.#get(key, [options]);
      return bytes && viewRange(bytes, range);
    };
    const file = new ShardFile(key, new RangeReader(source, this.#options), (count) => this.#count(count));
    this.#files.set(key, file);
    return file;
  }

  /** Counts the entries of an index that was read, and closes the files that were opened first. */
  #count(entries: number): void {
    this.#entries += entries;
    for (const [key, { entries }] of this.#files) {
      if (this.#entries <= MOST_ENTRIES || this.#files.size === 1) return;
      this.#files.delete(key);
      this.#entries -= entries;
    }
  }
}

/** A shard in a file: the file, or an inner chunk of another shard. */
interface Shard {
  readonly depth: number;
  readonly level: Level;
  /** Its coordinates in the grid of shards of this depth. */
  readonly coordinates: readonly number[];
  /** Its bytes; undefined if it is the file. */
  readonly range: ByteRange | undefined;
}

/** A file, and the indexes that have been read from it. */
class ShardFile {
  readonly reader: RangeReader;
  /** The number of entries of these indexes. */
  entries = 0;
  readonly #key: string;
  readonly #onIndex: (entries: number) => void;
  readonly #indexes = new SharedRequests<LocatedIndex | undefined>({ keepsResults: true });

  constructor(key: string, reader: RangeReader, onIndex: (entries: number) => void) {
    this.reader = reader;
    this.#key = key;
    this.#onIndex = onIndex;
  }

  /** Returns the index of a shard, which is read once. */
  index(shard: Shard, options: ReadOptions): Promise<LocatedIndex | undefined> {
    const name = `${shard.depth} ${shard.range?.offset}`;
    return this.#indexes.wait(name, options.signal, (signal) =>
      this.#readIndex(shard, { ...options, signal }),
    );
  }

  async #readIndex(
    { level, coordinates, range }: Shard,
    options: ReadOptions,
  ): Promise<LocatedIndex | undefined> {
    try {
      const index = await LocatedIndex.read(this.reader, level.layout, range, options);
      const entries = index?.count ?? 0;
      this.entries += entries;
      this.#onIndex(entries);
      return index;
    } catch (error) {
      const { chunk } = error as Place;
      const inner = chunk && inOrderOf(level.axes, chunk);
      throw locate(error, {
        key: this.#key,
        chunk: inner && times(coordinates, level.grid).map((at, axis) => at + (inner[axis] as number)),
      });
    }
  }
}

const times = (a: readonly number[], b: readonly number[]) => a.map((n, i) => n * (b[i] as number));
const divided = (a: readonly number[], b: readonly number[]) =>
  a.map((n, i) => Math.floor(n / (b[i] as number)));
const remainders = (a: readonly number[], b: readonly number[]) => a.map((n, i) => n % (b[i] as number));
