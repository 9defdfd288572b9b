/** Reads the indexes of shards in part of a file, or in all of it. */

import type { ShardIndex } from "../chain/shard/shard-index.js";
import type { ShardLayout } from "../chain/shard/shard-layout.js";
import { type ByteRange, locate, type RangeQuery } from "../errors.js";

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
   * Decodes and validates an index.
   *
   * @param within the place of the shard in the file, if it is an inner chunk; by default it is the file
   * @param fileLength the length of the file, if known
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError
   */
  static decode(
    layout: ShardLayout,
    encoded: Uint8Array,
    within: ByteRange | undefined,
    fileLength?: number | undefined,
    verify = true,
  ): LocatedIndex {
    try {
      // An index at the start is where it is in a truncated file too, of which only the last inner chunks are damaged.
      const known = layout.indexLocation === "end" ? fileLength : undefined;
      const index = layout.readIndex(encoded, within?.length ?? known, verify);
      return new LocatedIndex(index, layout, within?.offset ?? 0);
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

  /** Returns the inner chunks that are stored, by their indexes in C order, in the order of their bytes. */
  get inOrder(): Uint32Array {
    this.#inOrder ??= this.#index.inOrder();
    return this.#inOrder;
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
