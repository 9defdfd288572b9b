/** Encodes chunks by a native step of a resolved chain. */

import { expectArrayType, expectIntegers, expectOut, expectReadable } from "../expect.js";
import { typedArrayName } from "../intrinsics.js";
import type { EncodeOptions } from "../options.js";
import type { TypedArray } from "../typed-array.js";
import type { ArrayStep, Form, Resolved } from "../wasm/rust.js";
import { encode, encodeInto } from "../wasm/window.js";

/**
 * Encodes an array of the form's type and length.
 *
 * @param decoded the bytes of the array
 * @throws InvalidElementError, InvalidArgumentError
 */
export function encodeChunk(
  step: ArrayStep,
  form: Form,
  decoded: Uint8Array,
  { out }: EncodeOptions,
): Uint8Array {
  const { encodedByteLength, checksumCount } = step;
  if (out === undefined) return encode(decoded, form, checksumCount, encodedByteLength);
  const encoded = expectOut(out, "Uint8Array", encodedByteLength, decoded, "the decoded ones");
  encodeInto(decoded, encoded, form, checksumCount, encodedByteLength);
  return out;
}

/**
 * Returns the array of components in what `encode` was given: a chunk in C order, or the array itself.
 *
 * @throws InvalidArgumentError
 */
export function expectChunk(chunk: unknown, { shape: length, stride: step }: Resolved, forms: readonly Form[]) {
  const names = forms.map(({ array }) => array);
  const arrayOf = (value: unknown, argument: string): TypedArray => expectArrayType(value, names, argument);
  if (typeof chunk !== "object" || chunk === null || typedArrayName(chunk) !== undefined) {
    return arrayOf(chunk, "chunk");
  }
  return expectReadable("chunk", () => {
    const { data, shape, stride } = chunk as Partial<Record<"data" | "shape" | "stride", unknown>>;
    if (data === undefined) return arrayOf(chunk, "chunk");
    if (shape !== undefined) expectIntegers(shape, length, () => true, "chunk.shape");
    // Along a dimension of length 1 there is no step, so its stride means nothing.
    if (stride !== undefined) expectIntegers(stride, step, (axis) => length[axis] !== 1, "chunk.stride");
    return arrayOf(data, "chunk.data");
  });
}
