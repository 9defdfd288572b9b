/** What all shards of a chain have in common: their grid of inner chunks, and how their index is stored. */

import { type ByteRange, ChecksumMismatchError } from "../../errors.js";
import { countOf } from "../../stride.js";
import { allocate, bytesOf, type TypedArray } from "../../typed-array.js";
import { instance } from "../../wasm/instance.js";
import { lengthError } from "../array-codec.js";
import type { ChunkParts } from "../chunk.js";
import type { Request, ShardStep } from "../resolved.js";
import { ShardIndex } from "./shard-index.js";

/** The codecs of an index, which are all built-in. */
export interface IndexCodecs {
  decode(encoded: Uint8Array, options: { readonly verify: boolean }): unknown;
  encode(index: BigUint64Array, options: undefined): unknown;
}

/** Both numbers of an entry of the index whose inner chunk is missing. */
const MISSING = 2n ** 64n - 1n;

export class ShardLayout {
  /** The number of inner chunks in each dimension. */
  readonly gridShape: readonly number[];
  /** The shape of an inner chunk, in elements. */
  readonly chunkShape: readonly number[];
  /** The number of inner chunks of a shard, missing ones included. */
  readonly chunkCount: number;
  readonly indexLocation: "start" | "end";
  /** The length of the encoded index in bytes. */
  readonly indexByteLength: number;
  /** The length of each encoded inner chunk in bytes, where it is fixed. */
  readonly encodedChunkByteLength: number | undefined;
  /** The codecs of the index, an array of `uint64`. */
  readonly #indexCodecs: IndexCodecs;
  readonly #request: Request;

  constructor(step: ShardStep, request: Request, indexCodecs: IndexCodecs) {
    this.gridShape = step.gridShape;
    this.chunkShape = step.chunkShape;
    this.chunkCount = countOf(step.gridShape);
    this.indexLocation = step.indexLocation;
    this.indexByteLength = step.indexByteLength;
    this.encodedChunkByteLength = step.encodedChunkByteLength;
    this.#indexCodecs = indexCodecs;
    this.#request = request;
  }

  /** Returns the bytes of the index in a shard. @throws ChunkLengthError (the shard is shorter than an index) */
  indexRange(shardByteLength: number): ByteRange {
    const length = this.indexByteLength;
    if (shardByteLength < length) throw lengthError(this.#request, shardByteLength);
    return { offset: this.indexLocation === "start" ? 0 : shardByteLength - length, length };
  }

  /**
   * Decodes and validates an index: its checksum, if it has one, and that its entries lie in the shard, outside the index,
   * apart from each other, and have the right length where that is fixed.
   *
   * @param encoded the bytes of the index
   * @param shardByteLength the length of the whole shard, if known
   * @param verify whether to verify checksums; entries are always validated
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError (an entry; the message names its inner chunk). The
   * caller, which knows where the index is in its file, adds the place
   */
  readIndex(encoded: Uint8Array, shardByteLength?: number, verify = true): ShardIndex {
    if (encoded.byteLength !== this.indexByteLength) throw lengthError(this.#request, encoded.byteLength);
    const entries = bytesOf(this.#decode(encoded, verify), "index");
    const places = allocate("Float64Array", entries.byteLength) as Float64Array;
    this.#validate(entries, places, shardByteLength);
    return new ShardIndex(this.gridShape, places);
  }

  #decode(encoded: Uint8Array, verify: boolean): TypedArray {
    try {
      return (this.#indexCodecs.decode(encoded, { verify }) as ChunkParts<TypedArray>).data;
    } catch (error) {
      throw aboutIndex(error);
    }
  }

  #validate(entries: Uint8Array, places: Float64Array, shardByteLength: number | undefined): void {
    const grid = [...this.gridShape];
    const isOrdered = instance.call(
      "readShardIndex",
      entries,
      bytesOf(places, "index"),
      this.indexLocation === "start",
      this.indexByteLength,
      shardByteLength,
      this.encodedChunkByteLength,
      grid,
    );
    if (isOrdered) return;
    const starts = places.slice(0, this.chunkCount).sort();
    const ends = places.slice(this.chunkCount).sort();
    const [all, from, to] = [places, starts, ends].map((array) => bytesOf(array, "index"));
    instance.call("checkShardPlaces", all as Uint8Array, from as Uint8Array, to as Uint8Array, grid);
  }

  /** Encodes the index of inner chunks of these lengths, which follow each other; undefined is a missing one. */
  encodeIndex(lengths: readonly (number | undefined)[]): Uint8Array {
    const index = new BigUint64Array(2 * this.chunkCount).fill(MISSING);
    let offset = this.indexLocation === "start" ? this.indexByteLength : 0;
    for (const [chunk, length] of lengths.entries()) {
      if (length === undefined) continue;
      index[2 * chunk] = BigInt(offset);
      index[2 * chunk + 1] = BigInt(length);
      offset += length;
    }
    return this.#indexCodecs.encode(index, undefined) as Uint8Array;
  }
}

/** Returns an error of the codecs of an index, which call what they decode a chunk: its offsets count from the index. */
function aboutIndex(error: unknown): unknown {
  if (!(error instanceof ChecksumMismatchError)) return error;
  const renamed = (text: string) => text.replaceAll("chunk", "shard index");
  const { diagnosis } = error;
  const fields = diagnosis && { diagnosis: { ...diagnosis, message: renamed(diagnosis.message) } };
  return new ChecksumMismatchError(renamed(error.message), { ...error, ...fields });
}
