/** Decodes and encodes with the step of a resolved chain between bytes and array. */

import { errorFromRust } from "../errors.js";
import { typedArrayByteLength } from "../intrinsics.js";
import type { ChainOptions, DecodeOptions, EncodeOptions } from "../options.js";
import { byteArrayOf, bytesOf, type TypedArray } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import type { Chunk } from "./codec-chain.js";
import { decodeChunk, defaultForm } from "./decode.js";
import { encodeChunk, expectChunk, formOf, wrongStride } from "./encode.js";
import type { ArrayStep, Form, Layout, Request } from "./resolved.js";

export class ArrayCodec {
  readonly step: ArrayStep;
  /** Kept for errors about lengths, which Rust explains from the metadata. */
  readonly #request: Request;
  readonly #strided: boolean;
  /** The layout of the last chunk that was encoded with other strides than those of C order. */
  #layout: Layout | undefined;

  constructor(step: ArrayStep, request: Request, { strided = false }: ChainOptions) {
    this.step = step;
    this.#request = request;
    this.#strided = strided;
    this.#layout = step.stored;
  }

  /** Decodes the bytes of a chunk. */
  decode(encoded: unknown, verify: boolean, options: DecodeOptions): Chunk<never, TypedArray> {
    const bytes = byteArrayOf(encoded, "encoded");
    const byteLength = typedArrayByteLength(bytes) as number;
    if (byteLength !== this.step.encodedByteLength) throw this.lengthError(byteLength);
    const stored = (options.strided ?? this.#strided) ? this.step.stored : undefined;
    const data = decodeChunk(this.step, defaultForm(stored ?? this.step), bytes, verify, options);
    const { shape } = this.step;
    const { stride } = stored ?? this.step;
    // The fastest copy, if they are not frozen (Node 20).
    return { data, shape: shape.concat(), stride: stride.concat() };
  }

  /** Encodes a chunk, or the array of its components. */
  encode(chunk: unknown, options: EncodeOptions): Uint8Array {
    const { data, stride } = expectChunk(chunk, this.step);
    const byteLength = typedArrayByteLength(data) || bytesOf(data, "chunk").byteLength; // Throws where it is detached.
    const { forms } = stride === undefined ? this.step : this.#layoutOf(stride);
    const form = formOf(data, forms) as Form; // Checked by `expectChunk`.
    if (byteLength !== form.byteLength) throw this.lengthError(byteLength, forms.indexOf(form));
    return encodeChunk(this.step, form, data, options);
  }

  /** Returns the error about the length of an encoded chunk or, given the index of its form, of a decoded one. */
  lengthError(actual: number, index?: number): Error {
    return lengthError(this.#request, actual, index);
  }

  /** Returns the forms for arrays with strides other than those of C order. */
  #layoutOf(stride: readonly number[]): Layout {
    if (this.#layout?.stride.every((step, axis) => step === stride[axis])) return this.#layout;
    const layout: Layout | undefined = instance.call("layout", this.#request, Float64Array.from(stride));
    if (layout === undefined) throw wrongStride(stride, this.step);
    this.#layout = layout;
    return layout;
  }
}

/** Returns the error about the length of an encoded chunk or, given the index of its form, of a decoded one. */
export function lengthError(request: Request, actual: number, index?: number): Error {
  return errorFromRust(instance.call("lengthError", request, index, actual)) as Error;
}
