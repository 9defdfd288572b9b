/**
 * What a buffer or view really is, read by the built-in getters and methods.
 *
 * A chunk's properties are not to be trusted with the bounds of memory: `byteLength` of a subclass may be anything,
 * `instanceof` is false for an array of another realm (an iframe, a `vm` context), a view may have lost its memory to a
 * transfer or to `ArrayBuffer.prototype.resize`, and shared memory can lie under several objects. The built-in getters
 * read internal slots, which nothing can override, so every reader of buffers goes through this file.
 */

/** The getter `name` of `prototype`, as a function of the object; undefined where the object is none of its kind. */
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

/** The name of a typed array's type; undefined for anything else. */
export const typedArrayName = getter<string>(typedArray, Symbol.toStringTag);

/** The bytes of a typed array, 0 where its memory has been detached; undefined for anything else. */
export const typedArrayByteLength = getter<number>(typedArray, "byteLength");

/** The elements of a typed array, 0 where its memory has been detached; undefined for anything else. */
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

/** Whether two typed arrays have memory in common. */
export function overlap(a: object, b: object): boolean {
  const { buffer, byteOffset, byteLength } = typedArrayParts;
  if (buffer(a) !== buffer(b)) return false;
  const start = (array: object) => byteOffset(array) as number;
  const end = (array: object) => start(array) + (byteLength(array) as number);
  return start(a) < end(b) && start(b) < end(a);
}

const set: (this: object, source: object) => void = Reflect.get(typedArray, "set");

/** Copies `source` to `target`, typed arrays of one type and length. */
export function copyElements(source: object, target: object): void {
  set.call(target, source);
}

/** Browsers define it in isolated pages only. */
const sharedArrayBuffer: object | undefined = globalThis.SharedArrayBuffer?.prototype;

/** Bytes of a buffer; undefined for anything else. */
const arrayBufferLength = getter<number>(ArrayBuffer.prototype, "byteLength");
const sharedArrayBufferLength = getter<number>(sharedArrayBuffer, "byteLength");

const keys: (this: object) => unknown = Reflect.get(typedArray, "keys");

/** Whether a typed array lies out of the bounds of its buffer. It has no length then, like any empty one. */
function isOutOfBounds(array: object): boolean {
  try {
    keys.call(array); // Any method throws for such an array; this one reads no element.
    return false;
  } catch {
    return true;
  }
}

/**
 * Views the memory of any buffer or view as a new, plain `Uint8Array`; undefined for anything else.
 * Throws a TypeError for detached memory, and a RangeError for a view out of the bounds of a buffer that was resized.
 */
export function viewBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    const isTypedArray = typedArrayName(value) !== undefined;
    const parts = isTypedArray ? typedArrayParts : dataViewParts;
    const byteLength = parts.byteLength(value); // undefined for a DataView without memory
    const bytes = new Uint8Array(parts.buffer(value) as ArrayBufferLike, parts.byteOffset(value), byteLength);
    if (byteLength === undefined || (isTypedArray && byteLength === 0 && isOutOfBounds(value))) {
      throw new RangeError("out of bounds");
    }
    return bytes;
  }
  if (arrayBufferLength(value) === undefined && sharedArrayBufferLength(value) === undefined)
    return undefined;
  return new Uint8Array(value as ArrayBufferLike);
}

/**
 * Whether other threads may share a buffer, possibly under other objects.
 *
 * Asked of each long chunk. The getter throws for shared buffers only, which takes 7 µs (Node 20, 2026-11-21), so the
 * usual prototype answers first: on a buffer that is not shared it would cost a copy and nothing else.
 */
export function isShared(buffer: ArrayBufferLike): boolean {
  return Object.getPrototypeOf(buffer) === sharedArrayBuffer || arrayBufferLength(buffer) === undefined;
}
