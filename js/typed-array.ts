/** Typed arrays of components, and their bytes. */

import { describe, InvalidArgumentError, invalidArgument } from "./errors.js";
import type { ArrayTypes } from "./generated/facts.js";
import type { TypedArrayName } from "./host-arrays.js";
import { typedArrayByteLength, typedArrayLength, viewBytes } from "./intrinsics.js";

/**
 * The data types of the `bytes` codec, by their names in Zarr metadata. `r24` is 24 raw bits, 3 bytes.
 *
 * Specification: [data types](https://zarr-specs.readthedocs.io/en/latest/v3/data-types/).
 */
export type DataType = keyof ArrayTypes<ArrayBuffer> | `r${number}`;

/**
 * The array of a data type's components: `Float32Array` for `"float32"`, `Uint8Array` for `"bool"` and raw bits; for complex
 * numbers, real and imaginary components alternate. `B` is the type of its buffer.
 */
export type TypedArrayOf<
  D extends DataType,
  B extends ArrayBufferLike = ArrayBufferLike,
> = D extends keyof ArrayTypes<B> ? ArrayTypes<B>[D] : Uint8Array<B>;

/** The array of any data type. */
export type TypedArray = TypedArrayOf<DataType>;

/** Bytes: a view at any offset, or a whole buffer. */
export type Bytes = ArrayBufferView | ArrayBufferLike;

/** The constructor of a typed array, as used here. */
export interface TypedArrayConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
  new (elements: TypedArray): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
}

/** The constructors by the names in Rust's table of data types. */
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
} satisfies Record<TypedArrayName, TypedArrayConstructor | undefined>;

export type { TypedArrayName };

/** Whether the host has a `Float16Array`. */
export const HAS_FLOAT16_ARRAY: boolean = CONSTRUCTORS.Float16Array !== undefined;

/** Returns the constructor of an array that the host has. */
export function constructorOf(name: TypedArrayName): TypedArrayConstructor {
  // Only Float16Array may be missing, and then no chain that decodes to it is created.
  return CONSTRUCTORS[name] as TypedArrayConstructor;
}

/** The allocator of uninitialised memory, on hosts that have one (Node, Bun). */
const host = globalThis as { Buffer?: { allocUnsafeSlow?(byteLength: number): Uint8Array } };

/** The longest array in bytes that stays in a processor's cache while it is written twice. */
const CACHED = 2 << 20;

/**
 * Allocates an array of `byteLength` bytes for a chunk. Uninitialised; the caller overwrites every byte. (Zeroing would take
 * half as long as decoding 1 MiB.)
 *
 * @param inOrder whether the caller writes the array from start to end. If not, zeros are written first as long as they stay in
 * the cache: runs that are copied to memory that is in no cache take longer than that.
 */
export function allocate(
  name: TypedArrayName,
  byteLength: number,
  representation: "decoded" | "encoded" = "decoded",
  inOrder = true,
): TypedArray {
  const Constructor = constructorOf(name);
  try {
    const isZeroed = !inOrder && byteLength <= CACHED;
    const bytes = isZeroed ? undefined : host.Buffer?.allocUnsafeSlow?.(byteLength);
    return bytes === undefined
      ? new Constructor(byteLength / Constructor.BYTES_PER_ELEMENT)
      : new Constructor(bytes.buffer);
  } catch (cause) {
    const message = `could not allocate ${byteLength} bytes for the ${representation} chunk`;
    throw new InvalidArgumentError(message, { argument: "memory" }, { cause });
  }
}

/** Concatenates parts in new memory, which no other object shares. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const bytes = allocate("Uint8Array", length) as Uint8Array<ArrayBuffer>;
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.byteLength;
  }
  return bytes;
}

/** Returns a view of the first bytes of `bytes` as an array; undefined where they are misaligned. */
export function viewAs(name: TypedArrayName, bytes: Uint8Array, byteLength: number): TypedArray | undefined {
  const Constructor = constructorOf(name);
  const size = Constructor.BYTES_PER_ELEMENT;
  if (bytes.byteOffset % size !== 0) return undefined;
  return new Constructor(bytes.buffer, bytes.byteOffset, byteLength / size);
}

/**
 * Returns an array of single bytes: `value` itself, if it is one, and a plain view of its bytes otherwise. Creating a view
 * takes as long as copying 1 KiB. The properties of the result may mislead, hence its type: it is for the functions of
 * `intrinsics.ts`, for methods of plain arrays that it is an argument of, and for {@link bytesOf}.
 */
export function byteArrayOf(value: unknown, argument: string): object {
  return byteArrayLength(value) ? (value as object) : bytesOf(value, argument);
}

/** Returns the length of an array of single bytes; undefined or 0 for anything else, and if it is detached or out of bounds. */
export function byteArrayLength(value: unknown): number | undefined {
  // In WebKit, the type's name takes more than twice as long to read as a length. The number of elements comes first: shared
  // memory may grow before the second call, but never to fewer bytes.
  const length = typedArrayLength(value);
  return length && typedArrayByteLength(value) === length ? length : undefined;
}

/** Views the bytes of any buffer or view as a new, plain `Uint8Array`. */
export function bytesOf(value: unknown, argument: string): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    bytes = viewBytes(value);
  } catch (cause) {
    const got = cause instanceof RangeError ? "an out-of-bounds view" : "a detached ArrayBuffer";
    throw invalidArgument(argument, "bytes", got, { cause });
  }
  if (bytes !== undefined) return bytes;
  throw invalidArgument(argument, "an ArrayBufferView, ArrayBuffer or SharedArrayBuffer", describe(value));
}
