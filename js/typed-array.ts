/** JavaScript's arrays of components, and the bytes under them. */

import { describe, InvalidArgumentError } from "./errors.js";

/** The host's `Float16Array` where it has one. */
type HostFloat16Array = typeof globalThis extends { Float16Array: { prototype: infer A } } ? A : never;

/** The array that each data type decodes to; for `float16` it depends on the option `float16`. */
interface ArrayTypes {
  bool: Uint8Array;
  int8: Int8Array;
  int16: Int16Array;
  int32: Int32Array;
  int64: BigInt64Array;
  uint8: Uint8Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
  uint64: BigUint64Array;
  float16: HostFloat16Array | Float32Array | Uint16Array;
  float32: Float32Array;
  float64: Float64Array;
  complex64: Float32Array;
  complex128: Float64Array;
}

/** The data types of the `bytes` codec, by their identifiers in Zarr metadata. `r24` is 24 raw bits, 3 bytes. */
export type DataType = keyof ArrayTypes | `r${number}`;

/**
 * The array of a data type's components: `Float32Array` for `"float32"`, `Uint8Array` for `"bool"` and raw bits;
 * for complex numbers the real and imaginary components in turn.
 */
export type TypedArrayOf<D extends DataType> = D extends keyof ArrayTypes ? ArrayTypes[D] : Uint8Array;

/** Any of these arrays. */
export type TypedArray = TypedArrayOf<DataType>;

/** What this package needs of an array's constructor. */
interface TypedArrayConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
}

/** The constructors by the names that `src/data_type.rs` gives them. */
const CONSTRUCTORS = {
  Int8Array,
  Int16Array,
  Int32Array,
  BigInt64Array,
  Uint8Array,
  Uint16Array,
  Uint32Array,
  BigUint64Array,
  Float16Array: Reflect.get(globalThis, "Float16Array") as TypedArrayConstructor | undefined,
  Float32Array,
  Float64Array,
} satisfies Record<string, TypedArrayConstructor | undefined>;

/** @internal */
export type TypedArrayName = keyof typeof CONSTRUCTORS;

/**
 * Whether this host has a `Float16Array`.
 * @internal
 */
export const HAS_FLOAT16_ARRAY: boolean = CONSTRUCTORS.Float16Array !== undefined;

/** Bytes of one element of a typed array, also of one that this host does not have. */
export function elementSize(name: TypedArrayName): number {
  return CONSTRUCTORS[name]?.BYTES_PER_ELEMENT ?? 2;
}

function constructorOf(name: TypedArrayName): TypedArrayConstructor {
  const found = CONSTRUCTORS[name];
  if (found === undefined) {
    throw new InvalidArgumentError("options.float16", `a host that has ${name}`, "one that has not");
  }
  return found;
}

/**
 * A new array with room for `byteLength` bytes.
 * @internal
 */
export function allocate(name: TypedArrayName, byteLength: number): TypedArray {
  const length = byteLength / elementSize(name);
  try {
    return new (constructorOf(name))(length);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new InvalidArgumentError("out", "memory for the chunk", `none for ${byteLength} bytes`, { cause });
  }
}

/**
 * A view of `bytes` as an array, where their alignment allows one.
 * @internal
 */
export function viewAs(name: TypedArrayName, bytes: Uint8Array): TypedArray | undefined {
  const size = elementSize(name);
  if (bytes.byteOffset % size !== 0) return undefined;
  return new (constructorOf(name))(bytes.buffer, bytes.byteOffset, bytes.byteLength / size);
}

const tagOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)?.get;

/**
 * The name of a typed array's type, whatever realm or subclass it is of; undefined for anything else.
 * @internal
 */
export function typedArrayName(value: unknown): string | undefined {
  return tagOf?.call(value);
}

/**
 * The bytes of any buffer or view, without a copy.
 * @internal
 */
export function bytesOf(value: unknown, argument: string): Uint8Array {
  try {
    if (ArrayBuffer.isView(value)) {
      if (value.constructor === Uint8Array) return value as Uint8Array;
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
    if (isArrayBuffer(value)) return new Uint8Array(value);
  } catch (cause) {
    throw new InvalidArgumentError(argument, "bytes", "a detached ArrayBuffer", { cause });
  }
  throw new InvalidArgumentError(
    argument,
    "an ArrayBufferView, ArrayBuffer or SharedArrayBuffer",
    describe(value),
  );
}

/** Whether `value` is an `ArrayBuffer` or `SharedArrayBuffer`, of this realm or another. */
function isArrayBuffer(value: unknown): value is ArrayBufferLike {
  return /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}
