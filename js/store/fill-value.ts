/** Fill values, as their source text has them and as readers of it get them. */

import { fillElement } from "../fill-value.js";
import type { NamedConfiguration } from "../metadata.js";
import type { TypedArray } from "../typed-array.js";
import { asBytes, nameOf } from "./shown-type.js";

/** The arrays of integers that JavaScript's numbers cannot hold. */
const LONG: Readonly<Record<string, typeof BigInt64Array | typeof BigUint64Array>> = {
  int64: BigInt64Array,
  uint64: BigUint64Array,
  "numpy.datetime64": BigInt64Array,
  "numpy.timedelta64": BigInt64Array,
};

const isInteger = (text: string) => /^-?\d+$/.test(text);

/**
 * Returns one element of a fill value, little endian.
 *
 * @param text the source text of the fill value
 * @throws InvalidMetadataError
 */
export function fillOf(dataType: string | NamedConfiguration, text: string): Uint8Array {
  const element = fillElement(dataType, JSON.parse(text), 0); // Validates it, too.
  const Long = LONG[nameOf(dataType)];
  return Long && isInteger(text) ? asBytes(Long.of(BigInt(text))) : element;
}

/** Returns whether `JSON.parse` reads all numbers of a text as they are, and `JSON.stringify` would write them again. */
export function isExactInJson(text: string): boolean {
  const numbers = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "").match(/-?\d[-+.eE\d]*/g) ?? [];
  return numbers.every((number) => {
    const value = Number(number);
    return !Object.is(value, -0) && (!isInteger(number) || BigInt(value) === BigInt(number));
  });
}

/** Returns the text of the first of these components as zarrita reads it. */
export function textOf(components: TypedArray, dataType: string): string {
  const value = components[0] as number | bigint;
  if (dataType === "bool") return String(value !== 0);
  return typeof value === "bigint" || Number.isFinite(value) ? String(value) : `"${value}"`;
}

/** Returns whether a reader of a text fills an element with exactly these components, NaN payloads included. */
export function isExpressedBy(text: string, components: TypedArray): boolean {
  if (!isExactInJson(text)) return false;
  const value = JSON.parse(text);
  const filled = components.slice() as Float64Array;
  filled.fill((typeof components[0] === "bigint" ? BigInt(value) : Number(value)) as number);
  const bytes = asBytes(filled);
  return asBytes(components).every((byte, i) => byte === bytes[i]);
}

/** Returns bytes that repeat an element. */
export function repeated(element: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(element.byteLength * count);
  bytes.set(element);
  for (let n = element.byteLength; n < bytes.byteLength; n *= 2) bytes.copyWithin(n, 0, n);
  return bytes;
}
