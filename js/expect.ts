/** Checks of arguments, which throw an InvalidArgumentError. */

import { describe, describeList, InvalidArgumentError, invalidArgument, isZarrCodecError } from "./errors.js";
import { copyElements, overlap, typedArrayByteLength, typedArrayName } from "./intrinsics.js";
import { bytesOf, constructorOf, type TypedArray, type TypedArrayName } from "./typed-array.js";

/** Checks that the option `out` is an array of this type and length that shares no memory with `source`. */
export function expectOut(
  out: unknown,
  name: TypedArrayName,
  byteLength: number,
  source: object,
  sourceName: string,
): TypedArray {
  const actual = typedArrayName(out) === name ? typedArrayByteLength(out) : undefined;
  if (actual === 0) bytesOf(out, "out"); // Detached memory and out-of-bounds views have length 0; `bytesOf` throws.
  if (actual !== byteLength) {
    const length = byteLength / constructorOf(name).BYTES_PER_ELEMENT;
    throw invalidArgument("out", `${name} of ${length} elements`, describe(out));
  }
  if (overlap(out as TypedArray, source)) {
    throw new InvalidArgumentError(`out overlaps ${sourceName}`, { argument: "out" });
  }
  return out as TypedArray;
}

/** Copies encoded bytes to the option `out`, which must have their length. Returns the bytes where there is none. */
export function copiedTo<B extends Uint8Array>(out: B | undefined, encoded: Uint8Array): B {
  if (out === undefined) return encoded as B;
  copyElements(encoded, expectOut(out, "Uint8Array", encoded.byteLength, encoded, "the encoded bytes"));
  return out;
}

/** Checks that `value` is an array of these integers. */
export function expectIntegers(value: unknown, expected: readonly number[], argument: string): void {
  const isSame =
    Array.isArray(value) &&
    value.length === expected.length &&
    expected.every((integer, index) => value[index] === integer);
  if (!isSame) throw invalidArgument(argument, describeList(expected), describeList(value));
}

/** Returns what `read` returns. It may run the caller's getters and proxies, which may throw anything. */
export function expectReadable<T>(argument: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isZarrCodecError(cause)) throw cause;
    throw new InvalidArgumentError(`${argument} could not be read`, { argument }, { cause });
  }
}

/** Returns a copy of the coordinates of a chunk. @throws InvalidArgumentError (they are not in the grid) */
export function expectCoordinates(coordinates: unknown, gridShape: readonly number[], of: string): number[] {
  const copy: unknown[] | undefined = Array.isArray(coordinates) ? coordinates.slice() : undefined;
  if (copy?.length === gridShape.length && gridShape.every((length, axis) => isIndex(copy[axis], length))) {
    return copy as number[];
  }
  const expected = `coordinates in a grid of ${describeList([...gridShape])} ${of}`;
  throw invalidArgument("coordinates", expected, describeList(coordinates));
}

const isIndex = (value: unknown, length: number): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < length;
