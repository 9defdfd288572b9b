/**
 * The type and bounds of buffers and views, read by the built-in getters and methods.
 *
 * Properties of a caller's array cannot be trusted with the bounds of memory: a subclass may override `byteLength`,
 * `instanceof` is false for an array of another realm (an iframe, a `vm` context), a transfer or
 * `ArrayBuffer.prototype.resize` may have taken a view's memory, and several objects may share one memory. The built-in
 * getters read internal slots, which nothing can override, so all code that reads buffers uses this file.
 */

/** Returns a function that applies a built-in getter. It returns undefined for objects that the getter throws for. */
function getter<T>(prototype: object | undefined, name: PropertyKey): (object: unknown) => T | undefined {
  const get = prototype && Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (object) => {
    try {
      return get?.call(object);
    } catch {
      return undefined;
    }
  };
}

const typedArray: object = Object.getPrototypeOf(Uint8Array.prototype);

/** Returns the name of a typed array's type; undefined for anything else. */
export const typedArrayName = getter<string>(typedArray, Symbol.toStringTag);

/** Returns the length of a typed array in bytes, 0 if it is detached or out of bounds; undefined for anything else. */
export const typedArrayByteLength = getter<number>(typedArray, "byteLength");

/** Returns the length of a typed array in elements, 0 if it is detached or out of bounds; undefined for anything else. */
export const typedArrayLength = getter<number>(typedArray, "length");

const typedArrayParts = {
  buffer: getter<ArrayBufferLike>(typedArray, "buffer"),
  byteOffset: getter<number>(typedArray, "byteOffset"),
  byteLength: typedArrayByteLength,
};
const dataViewParts = {
  buffer: getter<ArrayBufferLike>(DataView.prototype, "buffer"),
  byteOffset: getter<number>(DataView.prototype, "byteOffset"),
  byteLength: getter<number>(DataView.prototype, "byteLength"),
};

/** Returns whether two typed arrays overlap in one buffer object. */
export function overlap(a: object, b: object): boolean {
  const { buffer, byteOffset, byteLength } = typedArrayParts;
  if (buffer(a) !== buffer(b)) return false;
  const start = (array: object) => byteOffset(array) as number;
  const end = (array: object) => start(array) + (byteLength(array) as number);
  return start(a) < end(b) && start(b) < end(a);
}

const set: (this: object, source: object) => void = Reflect.get(typedArray, "set");

/** Copies a typed array to another one of the same type and length. */
export function copyElements(source: object, target: object): void {
  set.call(target, source);
}

/** Undefined in browsers, except in cross-origin isolated pages. */
const sharedArrayBuffer: object | undefined = globalThis.SharedArrayBuffer?.prototype;

/** Return the length of a buffer in bytes; undefined for anything else. */
const arrayBufferLength = getter<number>(ArrayBuffer.prototype, "byteLength");
const sharedArrayBufferLength = getter<number>(sharedArrayBuffer, "byteLength");

const keys: (this: object) => unknown = Reflect.get(typedArray, "keys");

/** Returns whether a typed array is out of bounds of its resized buffer. Its length is then 0, like that of an empty one. */
function isOutOfBounds(array: object): boolean {
  try {
    keys.call(array); // Every method throws for such an array; this one reads no element.
    return false;
  } catch {
    return true;
  }
}

/**
 * Views the bytes of any buffer or view as a new, plain `Uint8Array`. Returns undefined for anything else.
 *
 * @throws TypeError (detached memory), RangeError (a view out of bounds of its resized buffer)
 */
export function viewBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    const isTypedArray = typedArrayName(value) !== undefined;
    const parts = isTypedArray ? typedArrayParts : dataViewParts;
    const byteLength = parts.byteLength(value); // Undefined for a detached or out-of-bounds DataView.
    const bytes = new Uint8Array(parts.buffer(value) as ArrayBufferLike, parts.byteOffset(value), byteLength);
    if (byteLength === undefined || (isTypedArray && byteLength === 0 && isOutOfBounds(value))) {
      throw new RangeError("out of bounds");
    }
    return bytes;
  }
  const byteLength = arrayBufferLength(value) ?? sharedArrayBufferLength(value);
  return byteLength === undefined ? undefined : new Uint8Array(value as ArrayBufferLike);
}

/**
 * Returns whether a buffer is shared, so that other objects may have the same memory.
 *
 * Called for each long chunk. The getter throws for a shared buffer, which takes 7 µs (Node 20, 2026-11-21), so the
 * prototype is compared first. A buffer with a forged prototype is at worst copied once more.
 */
export function isShared(buffer: ArrayBufferLike): boolean {
  return Object.getPrototypeOf(buffer) === sharedArrayBuffer || arrayBufferLength(buffer) === undefined;
}
