/** Reads the chunks of one array of a store. */

import { type Awaitable, isPromise, recovering, then } from "../awaitable.js";
import type { AsyncCodecChain } from "../chain/async-codec-chain.js";
import type { Chunk } from "../chain/codec-chain.js";
import { verifying } from "../crc32c/mismatch.js";
import {
  type ByteRange,
  InvalidArgumentError,
  InvalidMetadataError,
  isZarrCodecError,
  locate,
} from "../errors.js";
import { expectCoordinates } from "../expect.js";
import type { Json } from "../json.js";
import type { CodecMetadata, NamedConfiguration } from "../metadata.js";
import { type Allowed, readOptions } from "../options.js";
import { expectSignal } from "../shard/abort.js";
import type { Level } from "../shard/division.js";
import { type CoalesceOptions, expectPresent } from "../shard/range-reader.js";
import type { ReadOptions } from "../shard/ranges.js";
import { confirmed, isDamage } from "../shard/read-again.js";
import { type MaybeIndex, type ShardFile, ShardFiles } from "../shard/shard-file.js";
import { countOf } from "../stride.js";
import { shardMemory } from "./check-shard.js";
import { checkValue } from "./check-value.js";
import type { CheckOptions } from "./checked.js";
import type { ChunkCheck } from "./chunk-check.js";
import { keyIn, type StoreKey } from "./keys.js";
import { type ArrayLayout, storedShapeAt } from "./layout.js";
import { type CheckOutcome, NO_PARTS } from "./outcome.js";
import type { StoreReader } from "./store-reader.js";
import type { StoredForm, StoredForms } from "./stored-form.js";

type Coordinates = readonly number[];

const CHECK_OPTIONS: Allowed<CheckOptions> = {
  signal: undefined,
  retries: undefined,
  sound: [true, false],
  missing: [true, false],
};

/** Restricts the constructor to this package. */
export const OPENED: unique symbol = Symbol("opened");

/** What an array is read with. */
export interface OpenedArray {
  readonly store: StoreReader;
  readonly path: StoreKey;
  readonly metadata: Json;
  readonly layout: ArrayLayout;
  readonly forms: StoredForms;
  readonly limits: CoalesceOptions;
}

/** Where a chunk is stored. */
export interface ChunkLocation {
  /** The key in the store, of the chunk or of the shard that it is in. */
  readonly key: StoreKey;
  /** The bytes of the value that are the chunk, if it is in a shard. */
  readonly range?: ByteRange;
}

/** A chunk as it is stored. */
export interface EncodedChunk extends ChunkLocation {
  readonly bytes: Uint8Array;
}

/** The grid of stored values: chunks, or whole shards. */
export interface StoredGrid {
  /** Their number along each axis. */
  readonly gridShape: Coordinates;
  /** Returns the key of a stored value in the store. */
  keyOf(coordinates: Coordinates): StoreKey;
  /** Returns the coordinates of the stored value with a key, which may lie outside the grid; undefined for any other key. */
  coordsOf(key: string): number[] | undefined;
}

/**
 * Reads the chunks of one array of a store: the smallest ones that can be read on their own, which in a sharded array are the
 * inner chunks of its shards. Opened by {@link openArray}.
 *
 * Errors about a chunk have its place in the members `key`, `chunk` and `range`. What is wrong is read again, with the indexes of
 * its shard, before an error says so.
 *
 * @example
 * ```ts
 * import { openArray } from "zarr-codecs";
 *
 * const metadata = {
 *   zarr_format: 3,
 *   node_type: "array",
 *   shape: [4],
 *   data_type: "uint8",
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
 *   chunk_key_encoding: { name: "default" },
 *   fill_value: 0,
 *   codecs: ["bytes"],
 * };
 * const array = await openArray(new Map([["/c/1", Uint8Array.of(7, 8)]]), "", { metadata });
 * await array.has([0]); // => false
 * await array.locate([1]); // => { key: "/c/1" }
 * (await array.check([1])).proof; // => "length"
 * ```
 */
export class ArrayReader {
  /** The grid of what is stored under a key each: chunks, or whole shards. */
  readonly stored: StoredGrid;
  readonly #opened: OpenedArray;
  /** The form of all stored values, if they have one shape. */
  #only: StoredForm | undefined;
  #files: ShardFiles | undefined;
  #gridShape: Coordinates | undefined;

  /** Use {@link openArray}. */
  constructor(openedHere: typeof OPENED, opened: OpenedArray) {
    if (openedHere !== OPENED) {
      const message = "ArrayReader cannot be constructed: use openArray";
      throw new InvalidArgumentError(message, { argument: "ArrayReader" });
    }
    this.#opened = opened;
    const { path, layout } = opened;
    const prefix = keyIn(path, "");
    this.stored = {
      gridShape: layout.grid,
      keyOf: (coordinates) => keyIn(path, layout.keys.encode(coordinates)),
      coordsOf: (key) => (key.startsWith(prefix) ? layout.keys.decode(key.slice(prefix.length)) : undefined),
    };
  }

  /** The metadata of the array: its parsed `zarr.json`. */
  get metadata(): Json {
    return this.#opened.metadata;
  }

  get attributes(): Json {
    return (this.metadata.attributes ?? {}) as Json;
  }

  /** The data type in the metadata. */
  get dataType(): string | NamedConfiguration {
    return this.#opened.layout.dataType;
  }

  /** The shape of the array, in elements. */
  get shape(): Coordinates {
    return this.#opened.layout.shape;
  }

  /** The shape of a chunk, in elements; undefined if chunks differ. */
  get chunkShape(): Coordinates | undefined {
    const { isRegular } = this.#opened.layout;
    return isRegular || this.#isSharded ? this.#firstForm.chunkShape : undefined;
  }

  /** The number of chunks along each axis. */
  get gridShape(): Coordinates {
    this.#gridShape ??= this.#computeGridShape();
    return this.#gridShape;
  }

  #computeGridShape(): Coordinates {
    const { layout } = this.#opened;
    if (countOf(layout.grid) === 0 || !this.#isSharded) return layout.grid;
    const { chunkShape } = this.#firstForm;
    return layout.shape.map((length, axis) => Math.ceil(length / (chunkShape[axis] as number)));
  }

  /** Returns the shape of a chunk, in elements. At the end of an axis it may reach beyond the array. @throws InvalidArgumentError */
  shapeAt(coordinates: Coordinates): Coordinates {
    const { form } = this.#chunkAt(coordinates);
    return form.chunkShape;
  }

  /**
   * Loads the codec chain of a chunk.
   *
   * @throws InvalidMetadataError (also if nobody provides a codec), InvalidArgumentError
   */
  async chainAt(coordinates: Coordinates): Promise<AsyncCodecChain> {
    return this.#chunkAt(coordinates).form.chain();
  }

  /**
   * Reads and decodes a chunk. One that is not stored is filled with the fill value.
   *
   * @throws InvalidMetadataError (also if nobody provides a codec), the errors of {@link AsyncCodecChain.decode}, and what the
   * store throws
   */
  async getChunk(coordinates: Coordinates, options?: ReadOptions): Promise<Chunk> {
    const read = readSignal(options);
    const chunk = this.#chunkAt(coordinates);
    const chain = await chunk.form.chain();
    const decoded = await verifying(chunk.form.verify, (verify) =>
      this.#decode(chunk, read, verify, (bytes) => chain.decode(bytes, { verify })),
    );
    return decoded ?? chunk.form.filled();
  }

  /**
   * Reads a chunk, verifies it and decodes it as far as codecs are known.
   *
   * @returns undefined if the chunk is not stored
   * @throws the errors of {@link getChunk}, except those about codecs that nobody provides
   */
  async getBytes(coordinates: Coordinates, options?: ReadOptions): Promise<Uint8Array | undefined> {
    const read = readSignal(options);
    const chunk = this.#chunkAt(coordinates);
    const loading = chunk.form.bytesDecoder();
    const { decode } = isPromise(loading) ? await loading : loading;
    return verifying(chunk.form.verify, (verify) =>
      this.#decode(chunk, read, verify, (bytes, key) => decode(bytes, key, verify)),
    );
  }

  /** Returns the codecs that {@link getBytes} leaves to be decoded, in the order of the metadata. */
  async remaining(): Promise<readonly CodecMetadata[]> {
    return (await this.#firstForm.bytesDecoder()).remaining;
  }

  /**
   * Reads a chunk without decoding it. In a shard, the indexes that lead to it are verified.
   *
   * @returns undefined if the chunk is not stored
   */
  async getEncoded(coordinates: Coordinates, options?: ReadOptions): Promise<EncodedChunk | undefined> {
    const read = readSignal(options);
    const chunk = this.#chunkAt(coordinates);
    return verifying(chunk.form.verify, (verify) => this.#decode(chunk, read, verify, encodedChunk));
  }

  /** Returns whether a chunk is stored; one that is not is all fill value. */
  async has(coordinates: Coordinates, options?: ReadOptions): Promise<boolean> {
    const read = readSignal(options);
    const chunk = this.#chunkAt(coordinates);
    if (chunk.form.division.levels.length > 0) return (await this.#locate(chunk, read)) !== undefined;
    const { store } = this.#opened;
    const first = { offset: 0, length: 1 };
    const { key } = chunk;
    return (
      (await (store.readsRanges ? store.getRange(key, first, read) : store.get(key, read))) !== undefined
    );
  }

  /**
   * Finds where a chunk is stored: its key and, in a shard, its bytes.
   *
   * @returns undefined if the index of its shard says that it is not stored, or if the shard is not there
   */
  async locate(coordinates: Coordinates, options?: ReadOptions): Promise<ChunkLocation | undefined> {
    const read = readSignal(options);
    return this.#locate(this.#chunkAt(coordinates), read);
  }

  #locate(chunk: ChunkAt, options: ReadOptions): Awaitable<ChunkLocation | undefined> {
    const { key, form } = chunk;
    if (form.division.levels.length === 0) return { key };
    return verifying(form.verify, (verify) =>
      confirmed(() =>
        then(this.#find(this.#open(key), chunk, options, verify), (range) => range && { key, range }),
      ),
    );
  }

  /**
   * Checks a stored value: a chunk, or a whole shard with all of its inner chunks. What is wrong is read again.
   *
   * Returns no promise if the store and the codecs answer at once.
   *
   * @param stored the coordinates in the grid of stored values
   * @throws the reason of `options.signal`, InvalidArgumentError. What is wrong with the value is the outcome
   */
  check(stored: Coordinates, options?: CheckOptions): Awaitable<CheckOutcome> {
    const coordinates = expectCoordinates(stored, this.#opened.layout.grid, "stored values");
    const read = readOptions(options, CHECK_OPTIONS);
    read.signal?.throwIfAborted();
    try {
      const form = this.#only ?? this.#formOf(coordinates);
      const check = form.check();
      if (isPromise(check)) return this.#checkLater(form, check, coordinates, read);
      return this.#check(form, check, coordinates, read);
    } catch (error) {
      return outcomeOfMetadata(error);
    }
  }

  async #checkLater(
    form: StoredForm,
    loading: Promise<ChunkCheck>,
    coordinates: Coordinates,
    options: CheckOptions,
  ): Promise<CheckOutcome> {
    try {
      return await this.#check(form, await loading, coordinates, options);
    } catch (error) {
      return outcomeOfMetadata(error);
    }
  }

  #check(
    form: StoredForm,
    check: ChunkCheck,
    coordinates: Coordinates,
    options: CheckOptions,
  ): Awaitable<CheckOutcome> {
    const { store, layout } = this.#opened;
    return checkValue({
      store,
      layout,
      coordinates,
      key: this.stored.keyOf(coordinates),
      form,
      check,
      options,
    });
  }

  /** Returns about how many bytes of memory {@link check} takes: for the first stored value, if their shapes differ. */
  async checkMemory(): Promise<number> {
    if (countOf(this.#opened.layout.grid) === 0) return 0;
    const { division } = this.#firstForm;
    const check = await this.#firstForm.check();
    return division.levels.length === 0 ? check.memory : shardMemory(division, check);
  }

  get #firstForm(): StoredForm {
    return this.#only ?? this.#formOf(this.#opened.layout.grid.map(() => 0));
  }

  get #isSharded(): boolean {
    return this.#firstForm.division.levels.length > 0;
  }

  /** Returns the form of a stored value. @throws InvalidMetadataError (the codecs do not allow its shape) */
  #formOf(coordinates: Coordinates): StoredForm {
    if (this.#only) return this.#only;
    const { layout, forms } = this.#opened;
    const form = forms.of(storedShapeAt(layout, coordinates));
    if (layout.isRegular) this.#only = form;
    return form;
  }

  /** Finds the stored value that has a chunk. @throws InvalidArgumentError */
  #chunkAt(given: Coordinates): ChunkAt {
    const coordinates = expectCoordinates(given, this.gridShape, "chunks");
    const form = this.#firstForm;
    if (form.division.levels.length === 0) {
      const key = this.stored.keyOf(coordinates);
      return { coordinates, key, inStored: coordinates, form: this.#formOf(coordinates) };
    }
    const stored: number[] = [];
    const inStored: number[] = [];
    this.#opened.layout.axes.forEach((axis, i) => {
      const length = form.chunkShape[i] as number;
      const at = coordinates[i] as number;
      const index = axis.indexOf(at * length);
      stored.push(index);
      inStored.push(at - axis.startAt(index) / length);
    });
    return {
      coordinates,
      key: this.stored.keyOf(stored),
      inStored,
      form: this.#formOf(stored),
    };
  }

  /** Reads a chunk, and returns what `decode` returns. */
  #decode<T>(
    chunk: ChunkAt,
    options: ReadOptions,
    verify: boolean,
    decode: Use<T>,
  ): Awaitable<T | undefined> {
    return confirmed(() => this.#read(chunk, options, verify, decode));
  }

  /** Reads a chunk once, and returns what `use` returns. Errors have the place of the chunk. */
  #read<T>(chunk: ChunkAt, options: ReadOptions, verify: boolean, use: Use<T>): Awaitable<T | undefined> {
    options.signal?.throwIfAborted();
    const { key, form } = chunk;
    if (form.division.levels.length === 0) return this.#readWhole(chunk, options, use);
    const file = this.#open(key);
    return then(
      this.#find(file, chunk, options, verify),
      (range) => range && this.#readPart(file, chunk, range, options, use),
    );
  }

  #readWhole<T>({ key, coordinates }: ChunkAt, options: ReadOptions, use: Use<T>): Awaitable<T | undefined> {
    const { store } = this.#opened;
    return recovering(
      () =>
        then(store.get(key, options), (bytes) => {
          const kept = store.kept(bytes); // Before anything is waited for.
          return kept && use(kept, key);
        }),
      (error) => {
        throw locate(error, { key, chunk: coordinates });
      },
    );
  }

  #readPart<T>(
    file: ShardFile,
    { key, coordinates }: ChunkAt,
    range: ByteRange,
    options: ReadOptions,
    use: Use<T>,
  ): Awaitable<T> {
    return recovering(
      () => then(file.read(range, options), (bytes) => use(expectPresent(bytes, range), key, range)),
      (error) => {
        // The index may be out of date, whatever its bytes are called then.
        if (isZarrCodecError(error)) this.#files?.close(key, file);
        throw locate(error, { key, chunk: coordinates, range });
      },
    );
  }

  #open(key: StoreKey): ShardFile {
    const { store, limits } = this.#opened;
    this.#files ??= new ShardFiles((key) => store.file(key as StoreKey), limits);
    return this.#files.open(key);
  }

  /**
   * Returns the bytes of a chunk in the file of its shard; undefined if it is not stored. Returns no promise if the indexes that
   * lead to it are known.
   */
  #find(
    file: ShardFile,
    chunk: ChunkAt,
    options: ReadOptions,
    verify: boolean,
    depth = 0,
    size: Coordinates = chunk.form.gridShape,
    within?: ByteRange,
  ): Awaitable<ByteRange | undefined> {
    const level = chunk.form.division.levels[depth];
    if (level === undefined) return within;
    const { axes, grid } = level;
    return then(this.#index(file, chunk, options, verify, level, within), (index) => {
      const inner = divided(size, grid);
      const at = divided(chunk.inStored, inner);
      const range = index?.range(axes.map((axis) => (at[axis] as number) % (grid[axis] as number)));
      return range && this.#find(file, chunk, options, verify, depth + 1, inner, range);
    });
  }

  /** @param within the place of the shard in the file */
  #index(
    file: ShardFile,
    { key, coordinates }: ChunkAt,
    options: ReadOptions,
    verify: boolean,
    { layout }: Level,
    within: ByteRange | undefined,
  ): Awaitable<MaybeIndex> {
    return recovering(
      () => file.index(layout, within, options, verify),
      (error) => {
        if (isDamage(error)) this.#files?.close(key, file);
        throw locate(error, { key, chunk: coordinates });
      },
    );
  }
}

/** Returns something of the bytes of a chunk, and of their place. */
type Use<T> = (bytes: Uint8Array, key: StoreKey, range?: ByteRange) => Awaitable<T>;

const encodedChunk: Use<EncodedChunk> = (bytes, key, range) =>
  range ? { key, range, bytes } : { key, bytes };

/** A chunk, and the stored value that has it. */
interface ChunkAt {
  readonly coordinates: Coordinates;
  readonly key: StoreKey;
  readonly form: StoredForm;
  /** Its coordinates among the chunks of the stored value. */
  readonly inStored: Coordinates;
}

const divided = (a: Coordinates, b: Coordinates): number[] =>
  a.map((n, i) => Math.floor(n / (b[i] as number)));

/** Checks the signal; other options are the store's. */
function readSignal(options: ReadOptions = {}): ReadOptions {
  expectSignal(options.signal);
  return options;
}

/** Returns the outcome for a value whose codecs do not allow its shape. @throws other errors */
function outcomeOfMetadata(error: unknown): CheckOutcome {
  if (!(error instanceof InvalidMetadataError)) throw error;
  return { state: "damaged", proof: "none", chunks: 0, parts: NO_PARTS, error };
}
