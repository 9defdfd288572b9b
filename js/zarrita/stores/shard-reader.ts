/** Reads the inner chunks of a sharded array in a store. */

import {
  chunkNamedBy,
  expectPresent,
  type Level,
  LocatedIndex,
  placed,
  RangeReader,
  SharedRequests,
} from "../../core.js";
import { locate } from "../../errors.js";
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
type Lengths = readonly number[];

export class ShardReader {
  /** The keys of shards, and of the chunks that zarrita is shown. */
  readonly keys: ChunkKeys;
  readonly #store: AnyStore;
  readonly #path: string;
  readonly #unsharded: Unsharded;
  readonly #options: CoalesceOptions;
  /** For each level, and for the chunks in the last one, the number of chunks along each axis. */
  readonly #sizes: readonly Lengths[];
  readonly #files = new Map<string, ShardFile>();
  #entries = 0;

  constructor(store: AnyStore, path: string, metadata: Json, unsharded: Unsharded, options: CoalesceOptions) {
    this.keys = chunkKeysOf(metadata);
    this.#store = store;
    this.#path = path;
    this.#unsharded = unsharded;
    this.#options = options;
    const one = (metadata.shape as Lengths).map(() => 1);
    this.#sizes = unsharded.levels.reduceRight<Lengths[]>(
      ([size, ...sizes], { grid }) => [times(size as Lengths, grid), size as Lengths, ...sizes],
      [one],
    );
  }

  /** Reads a chunk. @returns undefined where it is missing */
  async read(chunk: Lengths, rest: unknown[]): Promise<Bytes> {
    const { levels, whole } = this.#unsharded;
    const key = this.#path + this.keys.encode(divided(chunk, this.#sizes[0] as Lengths));
    const options = (rest[0] ?? {}) as ReadOptions;
    const file = levels.length > 0 ? this.#file(key) : undefined;
    let range: ByteRange | undefined;
    for (let depth = 0; depth < levels.length; depth++) {
      const read = this.#index({ file: file as ShardFile, depth, within: range, chunk }, options);
      const index = read instanceof Promise ? await read : read;
      range = index?.range(this.#inner(chunk, depth));
      if (range === undefined) return undefined;
    }
    const place = { key, chunk, range };
    try {
      const read = range ? (file as ShardFile).reader.read(range, options) : this.#get(key, rest);
      const bytes = range ? expectPresent(await read, range) : await read;
      if (bytes === undefined || whole === undefined) return bytes && placed(bytes, place);
      const { data } = await whole.decode(bytes);
      return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    } catch (error) {
      throw locate(error, place);
    }
  }

  /** Returns the index of a shard, which is read once; a promise until then. */
  #index(shard: Shard, options: ReadOptions): MaybeIndex | Promise<MaybeIndex> {
    const name = `${shard.depth} ${shard.within?.offset}`;
    return shard.file.indexes.get(name, options.signal, (signal) =>
      this.#readIndex(shard, { ...options, signal }),
    );
  }

  async #readIndex({ file, depth, within, chunk }: Shard, options: ReadOptions): Promise<MaybeIndex> {
    const { levels } = this.#unsharded;
    const { layout } = levels[depth] as Level;
    try {
      const index = await LocatedIndex.read(file.reader, layout, within, options);
      this.#count(file, index?.count ?? 1);
      return index;
    } catch (error) {
      const shard = divided(chunk, this.#sizes[depth] as Lengths);
      const at = chunkNamedBy(error, shard, levels.slice(depth));
      throw locate(error, { key: file.key, chunk: at });
    }
  }

  /** Returns the coordinates in its shard of the inner chunk that contains a chunk. */
  #inner(chunk: Lengths, depth: number): number[] {
    const { axes, grid } = this.#unsharded.levels[depth] as Level;
    const size = this.#sizes[depth + 1] as Lengths;
    const along = (axis: number) => Math.floor((chunk[axis] as number) / (size[axis] as number));
    return axes.map((axis) => along(axis) % (grid[axis] as number));
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
    const reader = new RangeReader(source, this.#options);
    const file = { key, reader, indexes: new SharedRequests<MaybeIndex>(), entries: 0 };
    this.#files.set(key, file);
    return file;
  }

  /** Counts the entries of an index that was read, and closes the files that were opened first. */
  #count(file: ShardFile, entries: number): void {
    if (this.#files.get(file.key) !== file) return; // It has been closed.
    file.entries += entries;
    this.#entries += entries;
    for (const [key, { entries }] of this.#files) {
      if (this.#entries <= MOST_ENTRIES || this.#files.size === 1) return;
      this.#files.delete(key);
      this.#entries -= entries;
    }
  }
}

/** The index of a shard; undefined where the file is missing. */
type MaybeIndex = LocatedIndex | undefined;

/** A file, and the indexes that have been read from it. */
interface ShardFile {
  readonly key: string;
  readonly reader: RangeReader;
  readonly indexes: SharedRequests<MaybeIndex>;
  /** The number of entries of these indexes. */
  entries: number;
}

/** A shard in a file: the file, or an inner chunk of another shard. */
interface Shard {
  readonly file: ShardFile;
  readonly depth: number;
  /** Its bytes; undefined if it is the file. */
  readonly within: ByteRange | undefined;
  /** A chunk in it. */
  readonly chunk: Lengths;
}

const times = (a: Lengths, b: Lengths) => a.map((n, i) => n * (b[i] as number));
const divided = (a: Lengths, b: Lengths) => a.map((n, i) => Math.floor(n / (b[i] as number)));
