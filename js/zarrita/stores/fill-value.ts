/** Fill values in the form that zarrita reads, and chunks filled with those that it cannot express. */

import { cOrderStride, countOf } from "../../stride.js";
import type { TypedArray } from "../../typed-array.js";

/** Reads a fill value into the components of one element; zeros where there is none. Loads Rust on first use. */
export async function readFillValue(
  dataType: string | { name: string },
  fillValue: unknown,
): Promise<TypedArray> {
  const { fillComponents, init } = await import("../../core.js");
  await init();
  return fillComponents(dataType, fillValue);
}

/**
 * Returns the fill value that zarrita is shown for these components. 64-bit integers, -0 and numbers that JSON cannot
 * express are strings, which zarrita or the typed array that it fills converts to the exact number.
 */
export function shownFillValue(components: TypedArray): string | number {
  const value = components[0];
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? (value as number) : String(value);
}

/** Returns a fill value as metadata store it, where {@link shownFillValue} has made a string of a number. */
export function storedFillValue(dataType: unknown, fillValue: unknown): unknown {
  const isShown = /^(int|float)/.test(String(dataType)) && /^-?\d+$/.test(String(fillValue));
  return isShown ? Number(fillValue) : fillValue;
}

/** Returns whether filling an array with the shown value produces exactly these components, including NaN payloads. */
export function isExpressible(components: TypedArray): boolean {
  const filled = (components as Float64Array).slice().fill(Number(shownFillValue(components)));
  const bytes = bytesOf(filled);
  return bytesOf(components).every((byte, i) => byte === bytes[i]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Creates a chunk filled with an element. */
export function filledChunk(element: TypedArray, shape: readonly number[], shared: boolean) {
  const length = countOf(shape);
  const byteLength = length * element.BYTES_PER_ELEMENT;
  const memory = shared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength);
  const bytes = new Uint8Array(memory);
  bytes.set(bytesOf(element));
  for (let n = element.byteLength; n < byteLength; n *= 2) bytes.copyWithin(n, 0, n);
  const ArrayType = element.constructor as new (memory: ArrayBufferLike) => TypedArray;
  return { data: new ArrayType(memory), shape: [...shape], stride: cOrderStride(shape) };
}
