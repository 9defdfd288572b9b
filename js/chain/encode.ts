/** Encodes chunks with the array step of a resolved chain. */

import { describe, describeList, either, invalidArgument } from "../errors.js";
import { expectIntegers, expectOut, expectReadable } from "../expect.js";
import { typedArrayName } from "../intrinsics.js";
import type { EncodeOptions } from "../options.js";
import { countOf } from "../stride.js";
import type { TypedArray } from "../typed-array.js";
import { encode, encodeInto } from "../wasm/chunks.js";
import type { Form } from "../wasm/form.js";
import { codePointsOf } from "./elements.js";
import type { ArrayStep } from "./resolved.js";

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
 * Reads the argument of `encode`: a chunk, or the array of its components in C order. Returns strides unless they are those of
 * C order; those of dimensions of length 1, which have no meaning, are 1.
 *
 * @throws InvalidArgumentError
 */
export function expectChunk(
  chunk: unknown,
  step: ArrayStep,
): { data: TypedArray; stride: readonly number[] | undefined } {
  const { forms } = step;
  if (formOf(chunk, forms) !== undefined) return { data: chunk as TypedArray, stride: undefined };
  if (typeof chunk !== "object" || chunk === null || typedArrayName(chunk) !== undefined) {
    throw wrongArray("chunk", chunk, forms);
  }
  return expectReadable("chunk", () => {
    if (Array.isArray(chunk)) return { data: expectStrings(chunk, step, "chunk"), stride: undefined };
    const { data, shape, stride } = chunk as Partial<Record<"data" | "shape" | "stride", unknown>>;
    if (data === undefined) throw wrongArray("chunk", chunk, forms);
    if (shape !== undefined) expectIntegers(shape, step.shape, "chunk.shape");
    const otherStride = stride === undefined ? undefined : expectStride(stride, step);
    const array = Array.isArray(data) ? expectStrings(data, step, "chunk.data") : data;
    if (formOf(array, forms) === undefined) throw wrongArray("chunk.data", data, forms);
    return { data: array as TypedArray, stride: otherStride };
  });
}

/** Reads an array of strings, if those are the elements. */
function expectStrings(strings: unknown[], { forms, shape, hasViews }: ArrayStep, argument: string) {
  const { array, byteLength } = forms[0] as Form;
  const count = countOf(shape);
  if (!hasViews || array !== "Uint32Array") throw wrongArray(argument, strings, forms);
  if (strings.length !== count) {
    throw invalidArgument(argument, `${count} strings`, `an array of ${strings.length}`);
  }
  const wrong = strings.findIndex((text) => typeof text !== "string");
  if (wrong >= 0) throw invalidArgument(`${argument}[${wrong}]`, "a string", describe(strings[wrong]));
  return codePointsOf(strings as string[], byteLength / Uint32Array.BYTES_PER_ELEMENT / count);
}

/** Reads strides, one for each dimension; returns undefined for those of C order. */
function expectStride(stride: unknown, array: ArrayStep): readonly number[] | undefined {
  if (!Array.isArray(stride) || stride.length !== array.shape.length) throw wrongStride(stride, array);
  const copy: unknown[] = array.shape.map((length, axis) => (length === 1 ? 1 : stride[axis]));
  if (copy.every((step, axis) => step === array.stride[axis] || array.shape[axis] === 1)) return undefined;
  if (!copy.every(Number.isSafeInteger)) throw wrongStride(stride, array);
  return copy as number[];
}

/** Returns the error for strides that a chunk cannot have. */
export function wrongStride(stride: unknown, array: ArrayStep): Error {
  const expected = `${describeList(array.stride)} or those of another order of the dimensions without gaps`;
  return invalidArgument("chunk.stride", expected, describeList(stride));
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
