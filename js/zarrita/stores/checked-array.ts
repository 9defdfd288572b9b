/** Verifies the chunks of an array, its inner chunks, and the indexes of its shards. */

import { type ChunkKeys, chunkKeysOf } from "../../array/chunk-keys.js";
import {
  ChecksumCodec,
  coordinatesInArray,
  indexRange,
  type Level,
  LocatedIndex,
  ShardFile,
  type ShardLayout,
  withPath,
} from "../../core.js";
import { locate, type Place } from "../../errors.js";
import { CHECKSUM_NAMES } from "../../generated/facts.js";
import { expectLengths, type Json } from "../../json.js";
import type { NamedConfiguration } from "../../metadata.js";
import { type ByteRange, isWithin, type RangeQuery, viewRange } from "../../shard/ranges.js";
import { divideArray } from "./sharded-array.js";

/** Bytes that pass, and where they are from. */
export interface Passing {
  readonly key: string;
  /** The coordinates of the chunk or shard. */
  readonly chunk: readonly number[];
  readonly range: RangeQuery;
  readonly bytes: Uint8Array;
  /** The length of the file, if they are all of it. */
  readonly fileLength?: number | undefined;
}

type ReadShard = (key: string, range: RangeQuery) => Promise<Uint8Array | undefined>;

/** The number of indexes that are cached for an array. */
const MOST_INDEXES = 512;

export class CheckedArray {
  /** The keys of chunks or shards. */
  readonly keys: ChunkKeys;
  readonly #levels: readonly Level[];
  /** The checksums at the end of chunks, in the order of decoding. */
  readonly #checksums: readonly ChecksumCodec[];
  readonly #read: ReadShard;
  /** The indexes that passed or were read, by their places. */
  readonly #indexes = new Map<string, Promise<LocatedIndex | undefined>>();

  /** @throws InvalidMetadataError */
  constructor(metadata: Json, read: ReadShard) {
    const { levels, codecs, path } = divideArray(metadata);
    this.keys = chunkKeysOf(metadata.chunk_key_encoding, expectLengths(metadata.shape, "shape").length);
    this.#levels = levels;
    try {
      this.#checksums = checksumsOf(codecs as readonly NamedConfiguration[]);
    } catch (error) {
      throw withPath(error, "codecs", path);
    }
    this.#read = read;
  }

  /** Forgets what is known of a shard. */
  forget(key: string): void {
    for (const name of this.#indexes.keys()) {
      if (name.startsWith(`${key} `)) this.#indexes.delete(name);
    }
  }

  /**
   * Verifies all chunks and indexes that are wholly among passing bytes.
   *
   * @throws ChecksumMismatchError, ChunkLengthError, InvalidElementError
   */
  async check(passing: Passing): Promise<void> {
    if (this.#levels.length > 0) return this.#checkShard(passing, 0, passing.chunk, undefined);
    const { key, chunk, bytes, fileLength } = passing;
    if (fileLength !== undefined) this.#checkChunk(bytes, { key, chunk });
  }

  /** @param within the place of the shard in the file; undefined if it is the file */
  async #checkShard(
    passing: Passing,
    depth: number,
    chunk: readonly number[],
    within: ByteRange | undefined,
  ): Promise<void> {
    const level = this.#levels[depth] as Level;
    const below = this.#levels.slice(depth + 1);
    const index = await this.#index(passing, depth, within).catch((error) => {
      throw locate(error, { key: passing.key });
    });
    const extent = extentOf(passing);
    if (index === undefined || extent === undefined) return;
    for (const [position, place] of index.overlapping(extent)) {
      const inner = coordinatesInArray(chunk, level, position);
      if (below.length > 0) await this.#checkShard(passing, depth + 1, inner, place);
      else {
        const bytes = partOf(passing, place);
        if (bytes) this.#checkChunk(bytes, { key: passing.key, chunk: inner, range: place });
      }
    }
  }

  #checkChunk(bytes: Uint8Array, place: Place): void {
    try {
      this.#checksums.reduce((encoded, codec) => codec.decode(encoded, false), bytes);
    } catch (error) {
      throw locate(error, place);
    }
  }

  /** Returns the index of a shard: the one among passing bytes, or one that is known, or reads it. */
  #index(passing: Passing, depth: number, within: ByteRange | undefined): Promise<LocatedIndex | undefined> {
    const name = `${passing.key} ${depth} ${within?.offset}`;
    const { layout } = this.#levels[depth] as Level;
    const known = this.#indexes.get(name);
    if (known && !partOf(passing, indexRange(layout, within))) return known;
    const reading = this.#readIndex(passing, layout, within).catch((error) => {
      if (this.#indexes.get(name) === reading) this.#indexes.delete(name);
      throw error;
    });
    this.#indexes.set(name, reading);
    if (this.#indexes.size > MOST_INDEXES) this.#indexes.delete(this.#indexes.keys().next().value as string);
    return reading;
  }

  async #readIndex(
    passing: Passing,
    layout: ShardLayout,
    within: ByteRange | undefined,
  ): Promise<LocatedIndex | undefined> {
    const { key, fileLength } = passing;
    const passed = partOf(passing, indexRange(layout, within));
    if (passed) return LocatedIndex.decode(layout, passed, within, fileLength);
    const file = new ShardFile({ read: (range) => this.#read(key, range), byteLength: () => undefined }, {});
    return file.index(layout, within, {});
  }
}

/** Returns the checksums at the end of a list of codecs, in the order of decoding. */
function checksumsOf(codecs: readonly NamedConfiguration[]): ChecksumCodec[] {
  const reversed = [...codecs].reverse();
  const others = reversed.findIndex(({ name }) => !CHECKSUM_NAMES.includes(name));
  return reversed
    .slice(0, others < 0 ? undefined : others)
    .map(({ name, configuration }, i) => new ChecksumCodec(name, configuration, true, codecs.length - 1 - i));
}

/** Returns a range of the file if it is among passing bytes; of a whole file that is too short, what there is of it. */
function partOf(passing: Passing, wanted: RangeQuery): Uint8Array | undefined {
  const { range, bytes, fileLength } = passing;
  if (fileLength !== undefined) return viewRange(bytes, wanted);
  if ("suffixLength" in wanted) {
    const start = bytes.length - wanted.suffixLength;
    return "suffixLength" in range && start >= 0 ? bytes.subarray(start) : undefined;
  }
  const extent = extentOf(passing);
  if (extent === undefined || !isWithin(wanted, extent)) return undefined;
  const start = wanted.offset - extent.offset;
  return bytes.subarray(start, start + wanted.length);
}

/** Returns the place of passing bytes in the file, if known. */
export function extentOf({ range, bytes }: Passing): ByteRange | undefined {
  return "offset" in range ? { offset: range.offset, length: bytes.length } : undefined;
}
