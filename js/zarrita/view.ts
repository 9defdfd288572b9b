/** What zarrita tells a codec, and the chunks for which nothing has to be computed. */

import { CODEC_NAMES, VIEWS } from "../generated/facts.js";
import { constructorOf, type TypedArray, type TypedArrayConstructor } from "../typed-array.js";

/** What zarrita passes to a codec: 0.7 names the data type `dataType`, older versions `data_type`. */
export interface PipelineMetadata {
  readonly dataType?: unknown;
  readonly data_type?: unknown;
  /** The shape of a chunk or, in a shard, of an inner one. */
  readonly shape: readonly number[];
  /** All codecs of the array, in the order of its metadata. */
  readonly codecs?: readonly PipelineCodec[];
}

/** The data type of the array that a codec is part of. */
export function dataTypeOf({ dataType, data_type }: PipelineMetadata): unknown {
  return dataType ?? data_type;
}

/** Whether that is one of Zarr v2 alone, for which zarrita has names of its own. */
export function isVersion2Type(metadata: PipelineMetadata): boolean {
  return String(dataTypeOf(metadata)).startsWith("v2:");
}

/** A codec in that list. */
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

/** What the compiled Rust is not needed for; undefined means that it is. */
interface ViewCodec {
  decode(encoded: Uint8Array): Decoded | undefined;
  encode(chunk: Decoded): Uint8Array | undefined;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * A codec that only takes views, for metadata and chunks that are plainly right. Everything else, also everything that
 * is wrong, is for Rust to judge: then this gives undefined.
 */
export function viewOf(
  name: string,
  configuration: unknown,
  metadata: PipelineMetadata,
): ViewCodec | undefined {
  const { codecs = [], shape } = metadata;
  const type = dataTypeOf(metadata);
  const own = codecs.filter((codec) => CODEC_NAMES.includes(codec.name));
  const isCodec = name === "bytes" || name === "endian";
  const isPlain =
    own.length <= 1 &&
    own.every((codec) => Object.keys(codec).every((key) => key === "name" || key === "configuration")) &&
    shape.every((length) => Number.isInteger(length) && length > 0);
  if (!IS_LITTLE_ENDIAN || !isPlain || !isCodec || !saysLittle(configuration)) return undefined;
  const array = typeof type === "string" && Object.hasOwn(VIEWS, type) ? VIEWS[type] : undefined;
  return array && viewCodec(constructorOf(array), shape);
}

/** Whether a configuration is `{ endian: "little" }` and nothing else. */
function saysLittle(configuration: unknown): boolean {
  if (typeof configuration !== "object" || configuration === null) return false;
  const members = Object.entries(configuration);
  return members.length === 1 && members[0]?.[0] === "endian" && members[0][1] === "little";
}

function viewCodec(ArrayType: TypedArrayConstructor, shape: readonly number[]): ViewCodec {
  const length = shape.reduce((product, n) => product * n, 1);
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

/** How many elements there are between one and the next along each dimension, in C order. */
export function cOrderStride(shape: readonly number[]): number[] {
  const stride = shape.map(() => 1);
  for (let axis = shape.length - 1; axis > 0; axis--) {
    stride[axis - 1] = (stride[axis] as number) * (shape[axis] as number);
  }
  return stride;
}
