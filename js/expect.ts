/** Checks of arguments: each gives back what it was given, or throws an InvalidArgumentError. */

import { describe, InvalidArgumentError } from "./errors.js";
import { elementSize, type TypedArray, type TypedArrayName, typedArrayName } from "./typed-array.js";

/** An array of one of these types. */
export function expectArrayType(value: unknown, names: readonly string[], argument: string): TypedArray {
  const name = typedArrayName(value);
  if (name !== undefined && names.includes(name)) return value as TypedArray;
  throw new InvalidArgumentError(argument, names.join(" or "), describe(value));
}

/** An array of this type and length. */
export function expectArray(
  value: unknown,
  name: TypedArrayName,
  byteLength: number,
  argument: string,
): TypedArray {
  if (typedArrayName(value) === name && (value as TypedArray).byteLength === byteLength) {
    return value as TypedArray;
  }
  const expected = `${name} of ${byteLength / elementSize(name)} elements`;
  throw new InvalidArgumentError(argument, expected, describe(value));
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
  const list = (numbers: readonly unknown[]) => `[${numbers.join(", ")}]`;
  const same =
    Array.isArray(value) &&
    value.length === expected.length &&
    expected.every((integer, index) => value[index] === integer || !matters(index));
  if (same) return;
  const got = Array.isArray(value)
    ? list(value.map((item) => (typeof item === "number" ? item : describe(item))))
    : describe(value);
  throw new InvalidArgumentError(argument, list(expected), got);
}
