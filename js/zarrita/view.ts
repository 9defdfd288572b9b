/** The metadata that zarrita passes to codecs, and a fast path for chunks that need no computation. */

import { VIEWS } from "../generated/facts.js";
import type { ChainOptions } from "../options.js";
import { cOrderStride, countOf } from "../stride.js";
import { constructorOf, type TypedArray, type TypedArrayConstructor } from "../typed-array.js";

/** The metadata that zarrita passes to a codec. Version 0.7 names the data type `dataType`, older ones `data_type`. */
export interface PipelineMetadata {
  readonly dataType?: unknown;
  readonly data_type?: unknown;
  /** The shape of a chunk or, in a shard, of an inner chunk. */
  readonly shape: readonly number[];
  /** All codecs of the array, in the order of its metadata. */
  readonly codecs?: readonly PipelineCodec[];
}

/** The options of `register` that accept invalid metadata or elements. */
export type Leniency = Pick<ChainOptions, "missingEndian" | "invalidBool">;

/** Returns the data type of the codec's array. */
export function dataTypeOf({ dataType, data_type }: PipelineMetadata): unknown {
  return dataType ?? data_type;
}

/** Returns whether the data type exists only in Zarr v2: zarrita has its own names for those. */
export function isVersion2Type(metadata: PipelineMetadata): boolean {
  return String(dataTypeOf(metadata)).startsWith("v2:");
}

/** A codec in the list of an array's codecs. */
export interface PipelineCodec {
  readonly name: string;
  readonly configuration?: unknown;
}

/** A chunk as zarrita passes it between codecs. */
export interface Decoded {
  data: unknown;
  shape: number[];
  stride: number[];
}

/** A codec without the compiled Rust. Returns undefined where Rust is needed. */
interface ViewCodec {
  decode(encoded: Uint8Array): Decoded | undefined;
  encode(chunk: Decoded): Uint8Array | undefined;
}

/** The codecs whose order and metadata Rust checks. */
const CHECKED = ["bytes", "endian", "crc32c"];

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * Creates an array-to-bytes codec that only views, for trivially valid metadata and chunks. Returns undefined for any other
 * metadata, valid or not, which Rust then reads.
 */
export function viewOf(configuration: unknown, metadata: PipelineMetadata): ViewCodec | undefined {
  const { codecs = [], shape } = metadata;
  const type = dataTypeOf(metadata);
  const own = codecs.filter((codec) => CHECKED.includes(codec.name));
  const isTrivial =
    own.length <= 1 &&
    own.every((codec) => Object.keys(codec).every((key) => key === "name" || key === "configuration")) &&
    shape.every((length) => Number.isInteger(length) && length > 0);
  if (!IS_LITTLE_ENDIAN || !isTrivial || !isLittle(configuration)) return undefined;
  const array = typeof type === "string" && Object.hasOwn(VIEWS, type) ? VIEWS[type] : undefined;
  return array && viewCodec(constructorOf(array), shape);
}

/** Returns whether a configuration is exactly `{ endian: "little" }`. */
function isLittle(configuration: unknown): boolean {
  if (typeof configuration !== "object" || configuration === null) return false;
  const members = Object.entries(configuration);
  return members.length === 1 && members[0]?.[0] === "endian" && members[0][1] === "little";
}

function viewCodec(ArrayType: TypedArrayConstructor, shape: readonly number[]): ViewCodec {
  const length = countOf(shape);
  const byteLength = length * ArrayType.BYTES_PER_ELEMENT;
  const stride = cOrderStride(shape);
  return {
    decode(encoded) {
      if (!(encoded instanceof Uint8Array) || encoded.byteLength !== byteLength) return undefined;
      const isAligned = encoded.byteOffset % ArrayType.BYTES_PER_ELEMENT === 0;
      const { buffer, byteOffset } = isAligned ? encoded : new Uint8Array(encoded);
      return { data: new ArrayType(buffer, byteOffset, length), shape: [...shape], stride: [...stride] };
    },
    encode({ data }) {
      if (!(data instanceof ArrayType) || (data as TypedArray).length !== length) return undefined;
      const { buffer, byteOffset } = data as TypedArray;
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
  };
}
