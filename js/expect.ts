/** Checks of arguments: each gives back what it was given, or throws an InvalidArgumentError. */

import { describe, InvalidArgumentError, isZarrCodecError } from "./errors.js";
import { typedArrayName } from "./intrinsics.js";
import { bytesOf, constructorOf, type TypedArray, type TypedArrayName } from "./typed-array.js";

/** An array of one of these types. */
export function expectArrayType(value: unknown, names: readonly string[], argument: string): TypedArray {
  const name = typedArrayName(value);
  if (name !== undefined && names.includes(name)) return value as TypedArray;
  throw new InvalidArgumentError(argument, names.join(" or "), describe(value));
}

/** The bytes of an array of this type and length. */
export function expectArray(
  value: unknown,
  name: TypedArrayName,
  byteLength: number,
  argument: string,
): Uint8Array {
  if (typedArrayName(value) === name) {
    const bytes = bytesOf(value, argument);
    if (bytes.byteLength === byteLength) return bytes;
  }
  const length = byteLength / constructorOf(name).BYTES_PER_ELEMENT;
  throw new InvalidArgumentError(argument, `${name} of ${length} elements`, describe(value));
}

/** Bytes that share no memory with `others`. */
export function expectApart(bytes: Uint8Array, others: Uint8Array, argument: string, named: string): void {
  const overlap =
    bytes.buffer === others.buffer &&
    bytes.byteOffset < others.byteOffset + others.byteLength &&
    others.byteOffset < bytes.byteOffset + bytes.byteLength;
  if (overlap) throw new InvalidArgumentError(argument, `memory apart from ${named}`, "overlapping memory");
}

/** An array of these integers, wherever `matters` says so. */
export function expectIntegers(
  value: unknown,
  expected: readonly number[],
  matters: (index: number) => boolean,
  argument: string,
): void {
  const integers = Array.isArray(value) ? value : undefined;
  const same =
    integers?.length === expected.length &&
    expected.every((integer, index) => integers[index] === integer || !matters(index));
  if (same) return;
  const got = integers?.map((item) => (typeof item === "number" ? String(item) : describe(item)));
  throw new InvalidArgumentError(
    argument,
    `[${expected.join(", ")}]`,
    got === undefined ? describe(value) : `[${got.join(", ")}]`,
  );
}

/** What `read` gives; it may call getters and proxies of the caller's, and throw what they throw. */
export function expectReadable<T>(argument: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isZarrCodecError(cause)) throw cause;
    throw new InvalidArgumentError(argument, "something that can be read", "an error while reading it", {
      cause,
    });
  }
}
