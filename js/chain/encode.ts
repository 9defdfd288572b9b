/** Encodes chunks with the array step of a resolved chain. */

import { describe, either, invalidArgument } from "../errors.js";
import { expectIntegers, expectOut, expectReadable } from "../expect.js";
import { typedArrayName } from "../intrinsics.js";
import type { EncodeOptions } from "../options.js";
import type { TypedArray } from "../typed-array.js";
import { encode, encodeInto } from "../wasm/window.js";
import type { ArrayStep, Form, Resolved } from "./resolved.js";

/**
 * Encodes an array of the form's type and length.
 *
 * @throws InvalidElementError, InvalidArgumentError
 */
export function encodeChunk(
  step: ArrayStep,
  form: Form,
  decoded: TypedArray,
  { out }: EncodeOptions,
): Uint8Array {
  const { encodedByteLength, checksumCount } = step;
  if (out === undefined) return encode(decoded, form, checksumCount, encodedByteLength);
  const encoded = expectOut(out, "Uint8Array", encodedByteLength, decoded, "the decoded array");
  encodeInto(decoded, encoded, form, checksumCount, encodedByteLength);
  return out;
}

/**
 * Returns the array of components of the argument of `encode`: a chunk in C order, or the array itself.
 *
 * @throws InvalidArgumentError
 */
export function expectChunk(chunk: unknown, resolved: Resolved, forms: readonly Form[]): TypedArray {
  if (formOf(chunk, forms) !== undefined) return chunk as TypedArray;
  if (typeof chunk !== "object" || chunk === null || typedArrayName(chunk) !== undefined) {
    throw wrongArray("chunk", chunk, forms);
  }
  return expectReadable("chunk", () => {
    const { data, shape, stride } = chunk as Partial<Record<"data" | "shape" | "stride", unknown>>;
    if (data === undefined) throw wrongArray("chunk", chunk, forms);
    if (shape !== undefined) expectIntegers(shape, resolved.shape, () => true, "chunk.shape");
    if (stride !== undefined) {
      // The stride of a dimension of length 1 has no meaning.
      expectIntegers(stride, resolved.stride, (axis) => resolved.shape[axis] !== 1, "chunk.stride");
    }
    if (formOf(data, forms) === undefined) throw wrongArray("chunk.data", data, forms);
    return data as TypedArray;
  });
}

/** Returns the form whose array type is that of `value`; undefined where there is none. */
export function formOf(value: unknown, forms: readonly Form[]): Form | undefined {
  const name = typedArrayName(value);
  for (const form of forms) if (form.array === name) return form;
  return undefined;
}

function wrongArray(argument: string, got: unknown, forms: readonly Form[]) {
  return invalidArgument(argument, either(forms.map(({ array }) => array)), describe(got));
}
