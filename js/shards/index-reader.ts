/** Reads the indexes of shards in part of a file, or in all of it. */

import { coordinatesOf, type ShardIndex } from "../chain/shard/shard-index.js";
import type { ShardLayout } from "../chain/shard/shard-layout.js";
import { type ByteRange, locate, type RangeQuery } from "../errors.js";
import type { RangeReader } from "./range-reader.js";
import { endOf, type ReadOptions } from "./ranges.js";

/** The verified index of a shard in a file. */
export class LocatedIndex {
  readonly #index: ShardIndex;
  readonly #offset: number;
  #inOrder: Uint32Array | undefined;
  /** The number of inner chunks, missing ones included. */
  readonly count: number;

  private constructor(index: ShardIndex, { chunkCount }: ShardLayout, offset: number) {
    this.#index = index;
    this.#offset = offset;
    this.count = chunkCount;
  }

  /**
   * Reads an index with one request.
   *
   * @param within the place of the shard in the file, if it is an inner chunk; by default it is the file
   * @returns undefined where there is no such file
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError
   */
  static async read(
    reader: RangeReader,
    layout: ShardLayout,
    within: ByteRange | undefined,
    options: ReadOptions,
  ): Promise<LocatedIndex | undefined> {
    const range = indexRange(layout, within);
    const bytes = await reader.read(range, options).catch((error) => {
      throw locate(error, { part: "shard index", range });
    });
    return bytes && LocatedIndex.decode(layout, bytes, within);
  }

  /** Decodes and validates an index. @param length the length of the shard, if known */
  static decode(
    layout: ShardLayout,
    encoded: Uint8Array,
    within: ByteRange | undefined,
    length = within?.length,
  ): LocatedIndex {
    try {
      return new LocatedIndex(layout.readIndex(encoded, length), layout, within?.offset ?? 0);
    } catch (error) {
      throw locate(error, { part: "shard index", range: indexRange(layout, within) });
    }
  }

  /** Returns the bytes of an inner chunk in the file; undefined if it is missing. */
  range(coordinates: readonly number[]): ByteRange | undefined {
    return this.#shifted(this.#index.range(coordinates));
  }

  /** Returns the bytes in the file of the inner chunk with this index in C order; undefined if it is missing. */
  rangeAt(index: number): ByteRange | undefined {
    return this.#shifted(this.#index.rangeAt(index));
  }

  /** Yields the inner chunks that have bytes in a part of the file: their coordinates in the grid, and their bytes. */
  *overlapping({ offset, length }: ByteRange): Generator<[number[], ByteRange]> {
    this.#inOrder ??= this.#index.inOrder();
    const rangeAt = (index: number) => this.rangeAt(index) as ByteRange;
    // They do not overlap each other, so the ends are in the same order as the offsets.
    let [low, high] = [0, this.#inOrder.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (endOf(rangeAt(this.#inOrder[middle] as number)) > offset) high = middle;
      else low = middle + 1;
    }
    for (const index of this.#inOrder.subarray(low)) {
      const range = rangeAt(index);
      if (range.offset >= offset + length) return;
      yield [coordinatesOf(index, this.#index.gridShape), range];
    }
  }

  #shifted(range: ByteRange | undefined): ByteRange | undefined {
    return range && { offset: this.#offset + range.offset, length: range.length };
  }
}

/** Returns where the index of a shard is in its file. @throws ChunkLengthError (the shard is shorter) */
export function indexRange(layout: ShardLayout, within: ByteRange | undefined): RangeQuery {
  const { indexByteLength, indexLocation } = layout;
  if (within === undefined) {
    return indexLocation === "start"
      ? { offset: 0, length: indexByteLength }
      : { suffixLength: indexByteLength };
  }
  try {
    const { offset, length } = layout.indexRange(within.length);
    return { offset: within.offset + offset, length };
  } catch (error) {
    throw locate(error, { range: within });
  }
}
