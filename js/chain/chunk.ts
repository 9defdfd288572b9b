/** Chunks as they are decoded to and encoded from. */

import type { DataType, TypedArray, TypedArrayOf } from "../typed-array.js";

/** The members that every decoded chunk has. */
export interface ChunkParts<A> {
  /** The components of all elements, in the order that `stride` describes. */
  data: A;
  /** The shape, in elements. */
  shape: number[];
  /** The stride of each dimension, in elements: of C order, unless the option `strided` is set. */
  stride: number[];
}

/** A decoded chunk. Those of records and strings have views of their elements. */
export type Chunk<D extends DataType = DataType, A = TypedArrayOf<D>> = ChunkParts<A> & ViewsOf<D>;

/** Of several data types, those of each: `"field" in chunk` tells records from other chunks, `"strings" in chunk` strings too. */
type ViewsOf<D extends DataType> = D extends "struct" | "structured"
  ? RecordViews
  : D extends "fixed_length_utf32"
    ? TextViews
    : object;

/** What a chunk of `struct` or `structured` has beside its bytes. */
export interface RecordViews {
  /**
   * Returns a new array of one field of all elements, in the order of `data`: what a chunk of the field's data type decodes to.
   * Of a field that consists of fields, its bytes.
   *
   * @param path the field's name, after those of the fields that contain it
   * @throws InvalidElementError, InvalidArgumentError
   */
  field(...path: string[]): TypedArray;
  /**
   * Returns the strings of a field of the data type `fixed_length_utf32`, as {@link TextViews.strings} does.
   *
   * @throws InvalidArgumentError
   */
  strings(...path: string[]): string[];
}

/** What a chunk of `fixed_length_utf32` has beside its code points. */
export interface TextViews {
  /**
   * Returns the strings of all elements, in the order of `data`, without the zeros at their ends. A number above 0x10FFFF, which
   * is not a code point, becomes U+FFFD; surrogates are kept. `data` has the numbers themselves.
   */
  strings(): string[];
}

/**
 * The arrays that `encode` accepts: the one that `decode` returns, for `Uint8Array` also `Uint8ClampedArray`, and for strings
 * an array of them.
 */
export type EncodableArrayOf<D extends DataType> =
  | TypedArrayOf<D>
  | (D extends "fixed_length_utf32" ? readonly string[] : never)
  | (TypedArrayOf<D> extends Uint8Array ? Uint8ClampedArray : never);

/** The argument of `encode`: a chunk, or the array of its components. */
export type ChunkLike<D extends DataType = DataType> =
  | EncodableArrayOf<D>
  | {
      readonly data: EncodableArrayOf<D>;
      readonly shape?: readonly number[] | undefined;
      readonly stride?: readonly number[] | undefined;
    };
