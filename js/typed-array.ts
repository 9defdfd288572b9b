/** JavaScript's arrays of components, and the bytes under them. */

import { describe, InvalidArgumentError } from "./errors.js";
import type { ArrayTypes } from "./generated/facts.js";
import { viewBytes } from "./intrinsics.js";

/** The `Float16Array` of the TypeScript library, if it has one: over memory of any kind, or over an `ArrayBuffer`. */
export type HostFloat16Array<B extends ArrayBufferLike> = typeof globalThis extends {
  Float16Array: { prototype: infer A; of(): infer OverArrayBuffer };
}
  ? [B] extends [ArrayBuffer]
    ? OverArrayBuffer
    : A
  : never;

/** The data types of the `bytes` codec, by their identifiers in Zarr metadata. `r24` is 24 raw bits, 3 bytes. */
export type DataType = keyof ArrayTypes<ArrayBuffer> | `r${number}`;

/**
 * The array of a data type's components: `Float32Array` for `"float32"`, `Uint8Array` for `"bool"` and raw bits;
 * for complex numbers the real and imaginary components in turn. `B` is the memory under it.
 */
export type TypedArrayOf<
  D extends DataType,
  B extends ArrayBufferLike = ArrayBufferLike,
> = D extends keyof ArrayTypes<B> ? ArrayTypes<B>[D] : Uint8Array<B>;

/** Any of these arrays. */
export type TypedArray = TypedArrayOf<DataType>;

/** Any bytes: a view at any offset, or a whole buffer. */
export type Bytes = ArrayBufferView | ArrayBufferLike;

/** What this package needs of an array's constructor. */
export interface TypedArrayConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
  new (elements: TypedArray): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
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

/** The name of an array's type. */
export type TypedArrayName = keyof typeof CONSTRUCTORS;

/** Whether this host has a `Float16Array`. */
export const HAS_FLOAT16_ARRAY: boolean = CONSTRUCTORS.Float16Array !== undefined;

/** The constructor of an array that this host has. */
export function constructorOf(name: TypedArrayName): TypedArrayConstructor {
  // Only Float16Array may be missing, and chains that decode to it are not made then.
  return CONSTRUCTORS[name] as TypedArrayConstructor;
}

/** Where the host has one (Node, Bun), the source of memory that is not filled with zeros first. */
const host = globalThis as { Buffer?: { allocUnsafeSlow?(byteLength: number): Uint8Array } };

/**
 * A new array of `byteLength` bytes, of no particular content: whoever asks for one writes all of it. Zeros would cost as
 * much as half of decoding 1 MiB does.
 */
export function allocate(name: TypedArrayName, byteLength: number): TypedArray {
  const Constructor = constructorOf(name);
  try {
    const bytes = host.Buffer?.allocUnsafeSlow?.(byteLength);
    return bytes === undefined
      ? new Constructor(byteLength / Constructor.BYTES_PER_ELEMENT)
      : new Constructor(bytes.buffer);
  } catch (cause) {
    throw new InvalidArgumentError("memory", `${byteLength} bytes for a chunk`, "none from the host", {
      cause,
    });
  }
}

/** A view of `bytes` as an array, where their alignment allows one. */
export function viewAs(name: TypedArrayName, bytes: Uint8Array): TypedArray | undefined {
  const Constructor = constructorOf(name);
  const size = Constructor.BYTES_PER_ELEMENT;
  if (bytes.byteOffset % size !== 0) return undefined;
  return new Constructor(bytes.buffer, bytes.byteOffset, bytes.byteLength / size);
}

/** The bytes of any buffer or view, without a copy: a plain `Uint8Array` of our own. */
export function bytesOf(value: unknown, argument: string): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    bytes = viewBytes(value);
  } catch (cause) {
    const got =
      cause instanceof RangeError ? "a view out of the bounds of its buffer" : "a detached ArrayBuffer";
    throw new InvalidArgumentError(argument, "bytes", got, { cause });
  }
  if (bytes !== undefined) return bytes;
  throw new InvalidArgumentError(
    argument,
    "an ArrayBufferView, ArrayBuffer or SharedArrayBuffer",
    describe(value),
  );
}
