/** Decodes and encodes with the built-in codecs between bytes and array. */

import type { Verify } from "../crc32c/mismatch.js";
import { describeList, errorFromRust, invalidArgument } from "../errors.js";
import { typedArrayByteLength } from "../intrinsics.js";
import { type ChainOptions, type DecodeOptions, type EncodeOptions, NO_OPTIONS } from "../options.js";
import { allocate, byteArrayOf, bytesOf, type TypedArray, viewAs } from "../typed-array.js";
import { check } from "../wasm/chunks.js";
import type { Form } from "../wasm/form.js";
import { instance } from "../wasm/instance.js";
import type { ChunkParts } from "./chunk.js";
import { decodeChunk, defaultForm } from "./decode.js";
import { RecordChunk, TextChunk } from "./elements.js";
import { encodeChunk, expectChunk, formOf, wrongStride } from "./encode.js";
import type { ArrayStep, Layout, Part, Request, ShardStep } from "./resolved.js";
import type { ArrayStage } from "./stage.js";

export class ArrayCodec implements ArrayStage {
  readonly step: ArrayStep;
  /** Kept for errors about lengths, which Rust explains from the metadata. */
  readonly #request: Request;
  readonly #strided: boolean;
  /** The layout of the last chunk that was encoded with other strides than those of C order. */
  #layout: Layout | undefined;
  /** The fields that were asked for, by their paths. */
  readonly #parts = new Map<string, Part>();

  constructor(step: ArrayStep, request: Request, { strided = false }: ChainOptions) {
    this.step = step;
    this.#request = request;
    this.#strided = strided;
    this.#layout = step.stored;
  }

  /** Decodes the bytes of a chunk. */
  decode(encoded: unknown, verify: Verify, options: DecodeOptions): ChunkParts<TypedArray> {
    const bytes = byteArrayOf(encoded, "encoded");
    const byteLength = typedArrayByteLength(bytes) as number;
    if (byteLength !== this.step.encodedByteLength) throw this.lengthError(byteLength);
    const stored = (options.strided ?? this.#strided) ? this.step.stored : undefined;
    const data = this.#decoded(defaultForm(stored ?? this.step), bytes, verify, options);
    return this.describe(data, stored);
  }

  /** Checks all that decoding checks, and decodes nothing. */
  check(encoded: Uint8Array): void {
    const { step } = this;
    if (encoded.byteLength !== step.encodedByteLength) throw this.lengthError(encoded.byteLength);
    check(encoded, step.payloadByteLength, defaultForm(step), step.checksumCount);
  }

  /** Decodes bytes of the right length to a form. */
  #decoded(form: Form, bytes: object, verify: Verify, options: DecodeOptions): TypedArray {
    const { records } = this.step;
    if (records === undefined) return decodeChunk(this.step, form, bytes, verify, options);
    // Swapped last, and in the encoded bytes only if the caller allows it.
    const where = options.inPlace ? options : { ...options, copy: true };
    const data = decodeChunk(this.step, form, bytes, verify, where);
    instance.call("swapRecords", bytesOf(data, "data"), Uint32Array.from(records));
    return data;
  }

  /** Returns a decoded chunk. */
  describe(data: TypedArray, { stride }: Pick<Layout, "stride"> = this.step): ChunkParts<TypedArray> {
    // The fastest copy, if they are not frozen (Node 20).
    const chunk = { data, shape: this.step.shape.concat(), stride: stride.concat() };
    if (!this.step.hasViews) return chunk;
    const { array } = defaultForm(this.step); // Code points, or the bytes of records.
    return array === "Uint32Array" ? new TextChunk(chunk, this) : new RecordChunk(chunk, this);
  }

  decodeInner({ form }: Pick<ShardStep, "form">, encoded: Uint8Array, verify: Verify): TypedArray {
    if (encoded.byteLength !== this.step.encodedByteLength) throw this.lengthError(encoded.byteLength);
    return this.#decoded(this.step.forms[form] as Form, encoded, verify, NO_OPTIONS);
  }

  encodeInner({ form }: Pick<ShardStep, "form">, decoded: Uint8Array): Uint8Array {
    const { array, byteLength } = this.step.forms[form] as Form;
    return this.encode(viewAs(array, decoded, byteLength));
  }

  /**
   * Returns the array of a field of elements and, of strings, their length.
   *
   * @throws InvalidElementError, InvalidArgumentError
   */
  field(
    elements: TypedArray,
    path: readonly string[],
    isText = false,
  ): { data: TypedArray; codePoints: number } {
    const { recordSize, offset, size, step, ...part } = this.#part(path);
    if (isText && !part.isText) throw invalidArgument("path", "that of strings", describeList(path));
    const bytes = bytesOf(elements, "chunk.data");
    if (bytes.byteLength !== this.step.payloadByteLength) throw this.lengthError(bytes.byteLength, 0);
    const codePoints = size / Uint32Array.BYTES_PER_ELEMENT;
    if (size === recordSize && isText) return { data: elements, codePoints };
    const gathered = allocate("Uint8Array", step.payloadByteLength) as Uint8Array;
    instance.call("gatherField", bytes, recordSize, offset, size, gathered);
    return { data: decodeChunk(step, defaultForm(step), gathered, true, NO_OPTIONS), codePoints };
  }

  #part(path: readonly string[]): Part {
    const key = JSON.stringify(path);
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = instance.call("part", this.#request, path) as Part | undefined;
      if (part === undefined) throw invalidArgument("path", "the path of a field", describeList(path));
      this.#parts.set(key, part);
    }
    return part;
  }

  /** Encodes a chunk, or the array of its components. */
  encode(chunk: unknown, options: EncodeOptions = NO_OPTIONS): Uint8Array {
    const { data, stride } = expectChunk(chunk, this.step);
    const byteLength = typedArrayByteLength(data) || bytesOf(data, "chunk").byteLength; // Throws where it is detached.
    const { forms } = stride === undefined ? this.step : this.#layoutOf(stride);
    const form = formOf(data, forms) as Form; // Checked by `expectChunk`.
    if (byteLength !== form.byteLength) throw this.lengthError(byteLength, forms.indexOf(form));
    const { records } = this.step;
    if (records === undefined) return encodeChunk(this.step, form, data, options);
    const swapped = bytesOf(data, "chunk").slice();
    instance.call("swapRecords", swapped, Uint32Array.from(records));
    return encodeChunk(this.step, formOf(swapped, forms) as Form, swapped, options);
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
