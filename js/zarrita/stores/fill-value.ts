/** Fill values as zarrita is shown them, and chunks of those that it cannot express. */

import { cOrderStride } from "../../pipeline.js";
import type { DataType, TypedArray } from "../../typed-array.js";

/** Reads a fill value into the components of one element. Loads the compiled Rust. */
export async function readFillValue(
  dataType: string,
  storedAs: DataType,
  fillValue: unknown,
): Promise<TypedArray> {
  const { fillComponents, init } = await import("../../core.js");
  await init();
  return fillComponents(dataType, storedAs, fillValue);
}

/**
 * The fill value that zarrita is shown for these components, as it takes it: integers of 64 bits as text, which is exact.
 * JSON has no special numbers and `JSON.stringify` no -0, but a typed array takes their names for numbers.
 */
export function shownFillValue(components: TypedArray): string | number {
  const value = components[0];
  return typeof value !== "number" || !Number.isFinite(value) || Object.is(value, -0)
    ? Object.is(value, -0)
      ? "-0"
      : String(value)
    : value;
}

/** Whether an array filled with the value that is shown has exactly these components, payloads of NaN included. */
export function isExpressible(components: TypedArray): boolean {
  if (components instanceof BigInt64Array) return true;
  const filled = (components as Float64Array).slice().fill(Number(shownFillValue(components)));
  const bytes = bytesOf(filled);
  return bytesOf(components).every((byte, i) => byte === bytes[i]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A chunk of nothing but the fill value. */
export function filledChunk(element: TypedArray, shape: readonly number[], shared: boolean) {
  const length = shape.reduce((product, n) => product * n, 1);
  const byteLength = length * element.BYTES_PER_ELEMENT;
  const memory = shared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength);
  const bytes = new Uint8Array(memory);
  bytes.set(bytesOf(element));
  for (let n = element.byteLength; n < byteLength; n *= 2) bytes.copyWithin(n, 0, n);
  const ArrayType = element.constructor as new (memory: ArrayBufferLike) => TypedArray;
  return { data: new ArrayType(memory), shape: [...shape], stride: cOrderStride(shape) };
}
