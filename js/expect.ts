/** Checks of arguments: each gives back what it was given, or throws an InvalidArgumentError. */

import { describe, InvalidArgumentError, isZarrCodecError } from "./errors.js";
import { overlap, typedArrayByteLength, typedArrayName } from "./intrinsics.js";
import { bytesOf, constructorOf, type TypedArray, type TypedArrayName } from "./typed-array.js";

/** The option `out`: an array of this type and length that shares no memory with `source`, which is named so. */
export function expectOut(
  out: unknown,
  name: TypedArrayName,
  byteLength: number,
  source: Uint8Array,
  named: string,
): TypedArray {
  const actual = typedArrayName(out) === name ? typedArrayByteLength(out) : undefined;
  if (actual === 0) bytesOf(out, "out"); // Detached memory has length 0, as has a view out of bounds: this throws.
  if (actual !== byteLength) {
    const length = byteLength / constructorOf(name).BYTES_PER_ELEMENT;
    throw new InvalidArgumentError("out", `${name} of ${length} elements`, describe(out));
  }
  if (overlap(out as TypedArray, source)) {
    throw new InvalidArgumentError("out", `memory apart from ${named}`, "overlapping memory");
  }
  return out as TypedArray;
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
  throw new InvalidArgumentError(argument, list(expected), integers ? list(integers) : describe(value));
}

const MOST_ITEMS = 8;

/** A list in a message: not more of it than helps. */
function list(items: readonly unknown[]): string {
  const first = Array.from({ length: Math.min(items.length, MOST_ITEMS) }, (_, i) =>
    typeof items[i] === "number" ? String(items[i]) : describe(items[i]),
  );
  const rest = items.length > MOST_ITEMS ? `, ... (${items.length} in all)` : "";
  return `[${first.join(", ")}${rest}]`;
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
