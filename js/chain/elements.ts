/** Chunks whose elements are more than components: records with fields, and strings. */

import { InvalidElementError } from "../errors.js";
import type { TypedArray } from "../typed-array.js";
import type { ArrayCodec } from "./array-codec.js";
import type { ChunkParts } from "./codec-chain.js";

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
   * Returns the strings of a field of the data type `fixed_length_utf32`, in the order of `data`.
   *
   * @throws InvalidArgumentError
   */
  strings(...path: string[]): string[];
}

/** What a chunk of `fixed_length_utf32` has beside its code points. */
export interface TextViews {
  /** Returns the strings of all elements, in the order of `data`, without the zeros at their ends. */
  strings(): string[];
}

/** A chunk with views of its elements. */
export class ElementChunk implements ChunkParts<TypedArray>, RecordViews {
  data: TypedArray;
  shape: number[];
  stride: number[];
  readonly #codec: ArrayCodec;

  constructor({ data, shape, stride }: ChunkParts<TypedArray>, codec: ArrayCodec) {
    this.data = data;
    this.shape = shape;
    this.stride = stride;
    this.#codec = codec;
  }

  field(...path: string[]): TypedArray {
    return this.#codec.field(this.data, path).data;
  }

  strings(...path: string[]): string[] {
    const { data, codePoints } = this.#codec.field(this.data, path, true);
    return Array.from({ length: data.length / codePoints }, (_, i) =>
      textOf((data as Uint32Array).subarray(i * codePoints, (i + 1) * codePoints)),
    );
  }
}

const LAST_CODE_POINT = 0x10ffff;
const REPLACEMENT = 0xfffd;

/** Returns the string of code points that zeros follow. What is not a code point becomes U+FFFD. */
function textOf(codePoints: Uint32Array): string {
  let end = codePoints.length;
  while (end > 0 && codePoints[end - 1] === 0) end -= 1;
  let text = "";
  for (const code of codePoints.subarray(0, end)) {
    text += String.fromCodePoint(code > LAST_CODE_POINT ? REPLACEMENT : code);
  }
  return text;
}

/**
 * Returns the code points of strings, each followed by zeros up to `length`.
 *
 * @throws InvalidElementError
 */
export function codePointsOf(strings: readonly string[], length: number): Uint32Array {
  const all = new Uint32Array(strings.length * length);
  for (const [index, text] of strings.entries()) {
    const codePoints = Array.from(text, (character) => character.codePointAt(0) as number);
    if (codePoints.length > length) {
      const message = `element ${index} has ${codePoints.length} code points, expected at most ${length}`;
      throw new InvalidElementError(message, { index, value: codePoints.length });
    }
    all.set(codePoints, index * length);
  }
  return all;
}
