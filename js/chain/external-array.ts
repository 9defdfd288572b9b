/** External codecs that decode to an array: array-to-bytes and array-to-array codecs. */

import { type Awaitable, then } from "../awaitable.js";
import type { Verify } from "../crc32c/mismatch.js";
import { describe } from "../errors.js";
import { copiedTo, expectOut, expectReadable } from "../expect.js";
import { copyElements, typedArrayByteLength, typedArrayLength, typedArrayName } from "../intrinsics.js";
import { type DecodeOptions, type EncodeOptions, NO_OPTIONS } from "../options.js";
import { cOrderStride, countOf } from "../stride.js";
import { allocate, bytesOf, type TypedArray, type TypedArrayName, viewAs } from "../typed-array.js";
import type { ChunkParts } from "./chunk.js";
import { callExternal, type ExternalCodec, expectBytes, wrongResult } from "./external.js";
import type { ExternalStep, ShardStep } from "./resolved.js";
import type { ArrayStage } from "./stage.js";

export class ExternalArrayCodec implements ArrayStage {
  readonly #codec: ExternalCodec;
  readonly #step: ExternalStep;
  readonly #takesBytes: boolean;
  readonly #shape: readonly number[] | undefined;

  /** @param shape the shape of the chunk that the codec decodes to; undefined if another external codec is decoded next */
  constructor(codec: ExternalCodec, step: ExternalStep, kind: string, shape: readonly number[] | undefined) {
    this.#codec = codec;
    this.#step = step;
    this.#takesBytes = kind === "array_to_bytes";
    this.#shape = shape;
  }

  async decode(encoded: unknown, _: Verify, options: DecodeOptions): Promise<ChunkParts<TypedArray>> {
    const input = this.#takesBytes ? ownBuffer(bytesOf(encoded, "encoded")) : encoded;
    return this.#expectChunk(await callExternal(this.#codec, "decode", input, this.#step), options);
  }

  check(encoded: unknown): Awaitable<unknown> {
    return this.decode(encoded, true, NO_OPTIONS);
  }

  async encode(decoded: unknown, { out }: EncodeOptions = NO_OPTIONS): Promise<unknown> {
    const chunk = this.#shape ? completed(decoded, this.#shape) : decoded;
    const encoded = await callExternal(this.#codec, "encode", chunk, this.#step);
    return this.#takesBytes ? copiedTo(out, expectBytes(encoded, "encode", this.#step)) : encoded;
  }

  decodeInner(shard: ShardStep, encoded: unknown, verify: Verify): Awaitable<TypedArray> {
    return then(this.decode(encoded, verify, NO_OPTIONS), (chunk) => expectElements(chunk, shard));
  }

  encodeInner({ chunkShape: shape, array }: ShardStep, decoded: Uint8Array): Awaitable<unknown> {
    const data = viewAs(array, decoded, decoded.byteLength);
    return this.encode({ data, shape, stride: cOrderStride(shape) });
  }

  /** Returns the chunk that the codec decoded to, copied if an option says so. */
  #expectChunk(chunk: unknown, { out, copy }: DecodeOptions): ChunkParts<TypedArray> {
    const decoded = chunk as ChunkParts<TypedArray>;
    const { data } = (chunk ?? {}) as Partial<ChunkParts<TypedArray>>;
    if (typeof data !== "object" || data === null) {
      throw wrongResult(this.#step, `decode returned ${describe(chunk)}, expected a chunk`);
    }
    const count = countOf(this.#shape ?? []);
    // There may be more: components, or memory that a stride leaves out.
    if ((typedArrayLength(data) ?? count) < count) {
      throw wrongResult(this.#step, `decode returned ${describe(data)}, expected ${count} elements`);
    }
    const name = typedArrayName(data) as TypedArrayName | undefined;
    if (name === undefined || (out === undefined && !copy)) return decoded;
    const byteLength = typedArrayByteLength(data) as number;
    const target =
      out === undefined ? allocate(name, byteLength) : expectOut(out, name, byteLength, data, "the data");
    copyElements(data, target);
    return { ...decoded, data: target };
  }
}

/** Returns bytes in a buffer of their own: not all external codecs respect the offset of a view. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** Returns a chunk with all of its members: `data` may stand alone, and is in C order unless a stride says otherwise. */
function completed(chunk: unknown, ofChain: readonly number[]): unknown {
  return expectReadable("chunk", () => {
    const { data = chunk, shape = [...ofChain], stride = cOrderStride(ofChain) } = Object(chunk);
    return { data, shape, stride };
  });
}

/** Returns the array of an inner chunk, which must be in C order. */
function expectElements({ data, stride }: Partial<ChunkParts<TypedArray>>, shard: ShardStep): TypedArray {
  const { chunkShape, chunkByteLength, path } = shard;
  const inCOrder = stride === undefined || String(stride) === String(cOrderStride(chunkShape));
  if (inCOrder && typedArrayByteLength(data) === chunkByteLength) return data as TypedArray;
  const expected = `expected an array of ${chunkByteLength} bytes in C order`;
  const place = { path, name: "sharding_indexed" };
  throw wrongResult(place, `its codecs decoded to ${describe(data)}, ${expected}`);
}
