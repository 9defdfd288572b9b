/** Chunks whose elements are more than components: records with fields, and strings. */

import { InvalidElementError } from "../errors.js";
import type { TypedArray } from "../typed-array.js";
import type { ChunkParts, RecordViews, TextViews } from "./chunk.js";

/** Reads a field of elements and, of strings, their length. */
export interface FieldReader {
  field(
    elements: TypedArray,
    path: readonly string[],
    isText?: boolean,
  ): { data: TypedArray; codePoints: number };
}

/** A chunk of strings. */
export class TextChunk implements ChunkParts<TypedArray>, TextViews {
  data: TypedArray;
  shape: number[];
  stride: number[];
  readonly #codec: FieldReader;

  constructor({ data, shape, stride }: ChunkParts<TypedArray>, codec: FieldReader) {
    this.data = data;
    this.shape = shape;
    this.stride = stride;
    this.#codec = codec;
  }

  strings(...path: string[]): string[] {
    const { data, codePoints } = this.#codec.field(this.data, path, true);
    return Array.from({ length: data.length / codePoints }, (_, i) =>
      textOf((data as Uint32Array).subarray(i * codePoints, (i + 1) * codePoints)),
    );
  }
}

/** A chunk of records. */
export class RecordChunk extends TextChunk implements RecordViews {
  readonly #codec: FieldReader;

  constructor(chunk: ChunkParts<TypedArray>, codec: FieldReader) {
    super(chunk, codec);
    this.#codec = codec;
  }

  field(...path: string[]): TypedArray {
    return this.#codec.field(this.data, path).data;
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
