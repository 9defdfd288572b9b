/** The codecs of inner chunks, some of which are of others. */

import { describe } from "../../errors.js";
import { typedArrayByteLength } from "../../intrinsics.js";
import { cOrderStride } from "../../stride.js";
import { type TypedArray, viewAs } from "../../typed-array.js";
import { externalCodecError } from "../external.js";
import type { ShardStep } from "../resolved.js";
import type { Stage } from "../stages.js";

const C_ORDER = { strided: false };

export class InnerStages {
  readonly #step: ShardStep;
  /** The stage to the array. */
  readonly #array: Stage;
  /** The stages before it, in the order of decoding. */
  readonly #stages: readonly Stage[];

  constructor(step: ShardStep, stages: readonly Stage[]) {
    this.#step = step;
    this.#array = stages.at(-1) as Stage;
    this.#stages = stages.slice(0, -1);
  }

  /** Decodes an inner chunk to an array with the bytes of its elements. */
  async decode(encoded: Uint8Array, verify: boolean): Promise<TypedArray> {
    let value: unknown = encoded;
    for (const stage of this.#stages) value = await stage.decode(value, verify, C_ORDER);
    if (this.#array.decodeTo) return this.#array.decodeTo(this.#step.form, value as Uint8Array, verify);
    return this.#expectElements(await this.#array.decode(value, verify, C_ORDER));
  }

  /** Encodes an inner chunk from these bytes. */
  async encode(decoded: Uint8Array): Promise<Uint8Array> {
    const { chunkShape: shape, array } = this.#step;
    const data = viewAs(array, decoded, decoded.byteLength);
    let value: unknown = await this.#array.encode({ data, shape, stride: cOrderStride(shape) });
    for (const stage of [...this.#stages].reverse()) value = await stage.encode(value);
    return value as Uint8Array;
  }

  /** Returns the array of a chunk that a codec of others decoded to, which must be in C order. */
  #expectElements(chunk: unknown): TypedArray {
    const { chunkShape, chunkByteLength } = this.#step;
    const { data, stride } = chunk as { data?: TypedArray; stride?: readonly number[] };
    const inCOrder = stride === undefined || String(stride) === String(cOrderStride(chunkShape));
    if (inCOrder && typedArrayByteLength(data) === chunkByteLength) return data as TypedArray;
    const { path } = this.#step;
    const expected = `expected an array of ${chunkByteLength} bytes in C order`;
    const name = "sharding_indexed";
    throw externalCodecError({ path, name }, `its codecs decoded to ${describe(data)}, ${expected}`);
  }
}
