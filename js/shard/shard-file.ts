/** Files with shards whose inner chunks are read one by one. */

import { type Awaitable, recovering } from "../awaitable.js";
import type { ShardLayout } from "../chain/shard/shard-layout.js";
import { type ByteRange, locate } from "../errors.js";
import { indexRange, LocatedIndex } from "./located-index.js";
import { type CoalesceOptions, RangeReader } from "./range-reader.js";
import type { FileSource, ReadOptions } from "./ranges.js";
import { SharedRequests } from "./shared-requests.js";

/** The index of a shard; undefined if the file is missing. */
export type MaybeIndex = LocatedIndex | undefined;

/** The number of entries of indexes that are kept of all files: those of the files that were opened last. */
const MOST_ENTRIES = 2 ** 22;

/** A file with a shard, and the indexes that have been read from it: its own, and those of inner chunks that are shards. */
export class ShardFile {
  readonly #source: FileSource;
  readonly #reader: RangeReader;
  readonly #indexes = new SharedRequests<MaybeIndex>();
  readonly #onIndex: (entries: number) => void;

  /**
   * @param onIndex is called with the number of entries of each index that is read
   * @throws InvalidArgumentError
   */
  constructor(source: FileSource, limits: CoalesceOptions, onIndex: (entries: number) => void = () => {}) {
    this.#source = source;
    this.#reader = new RangeReader(source.read, limits);
    this.#onIndex = onIndex;
  }

  /**
   * Returns the index of a shard, which is read once; a promise until then.
   *
   * @param within the place of the shard in the file, if it is an inner chunk
   * @param verify whether to verify its checksum
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError
   */
  index(
    layout: ShardLayout,
    within: ByteRange | undefined,
    options: ReadOptions,
    verify: boolean,
  ): Awaitable<MaybeIndex> {
    // A shard is longer than each of its inner chunks.
    const place = within ? `${within.offset} ${within.length}` : "";
    return this.#indexes.get(verify ? place : `${place} unverified`, options.signal, (signal) =>
      this.#readIndex(layout, within, { ...options, signal }, verify),
    );
  }

  async #readIndex(
    layout: ShardLayout,
    within: ByteRange | undefined,
    options: ReadOptions,
    verify: boolean,
  ): Promise<MaybeIndex> {
    const range = indexRange(layout, within);
    const bytes = await recovering(
      () => this.#reader.read(range, options),
      (error) => {
        throw locate(error, { part: "shard index", range });
      },
    );
    const index = bytes && LocatedIndex.decode(layout, bytes, within, this.#source.byteLength(), verify);
    this.#onIndex(index?.count ?? 1);
    return index;
  }

  /**
   * Reads an inner chunk; returns undefined if the file is missing. Concurrent calls for ranges that are close to each other share
   * requests. Returns no promise if the source answers at once.
   *
   * @throws ChunkLengthError
   */
  read(range: ByteRange, options: ReadOptions): Awaitable<Uint8Array | undefined> {
    return this.#reader.read(range, options);
  }
}

/** The files of an array that were opened last. */
export class ShardFiles {
  readonly #source: (key: string) => FileSource;
  readonly #limits: CoalesceOptions;
  readonly #files = new Map<string, { readonly file: ShardFile; entries: number }>();
  #entries = 0;

  constructor(source: (key: string) => FileSource, limits: CoalesceOptions) {
    this.#source = source;
    this.#limits = limits;
  }

  /** Returns a file, with the indexes that have been read from it. */
  open(key: string): ShardFile {
    const known = this.#files.get(key);
    if (known) return known.file;
    const onIndex = (entries: number) => {
      if (this.#files.get(key) === opened) this.#count(opened, entries);
    };
    const opened = { file: new ShardFile(this.#source(key), this.#limits, onIndex), entries: 0 };
    this.#files.set(key, opened);
    return opened.file;
  }

  /** Forgets the indexes of a file, so that they are read again. */
  close(key: string, file: ShardFile): void {
    const opened = this.#files.get(key);
    if (opened?.file !== file) return; // It has been opened again.
    this.#files.delete(key);
    this.#entries -= opened.entries;
  }

  /** Counts the entries of an index that was read, and closes the files that were opened first. */
  #count(opened: { entries: number }, entries: number): void {
    opened.entries += entries;
    this.#entries += entries;
    for (const [key, { file }] of this.#files) {
      if (this.#entries <= MOST_ENTRIES || this.#files.size === 1) return;
      this.close(key, file);
    }
  }
}
