/**
 * The built-in getters and methods of buffers and views. Called on a value, they tell what it really is, whatever realm or
 * subclass it is of and whatever properties it pretends to have.
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
  // An array out of the bounds of its memory has length 0, but is refused.
  if (typedArrayByteLength(source) !== 0) set.call(target, source);
}

/** Bytes of a buffer; undefined for anything else. */
const arrayBufferLength = getter<number>(ArrayBuffer.prototype, "byteLength");
const sharedArrayBufferLength = getter<number>(globalThis.SharedArrayBuffer?.prototype, "byteLength");

/**
 * A new, plain `Uint8Array` over the memory of any buffer or view; undefined for anything else.
 * Throws a TypeError where the memory has been detached.
 */
export function viewBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = typedArrayName(value) ? typedArrayParts : dataViewParts;
    return new Uint8Array(buffer(value) as ArrayBufferLike, byteOffset(value), byteLength(value));
  }
  if (arrayBufferLength(value) === undefined && sharedArrayBufferLength(value) === undefined)
    return undefined;
  return new Uint8Array(value as ArrayBufferLike);
}

/**
 * Whether a buffer is one that other threads may share, under other objects. (Asked of each long chunk; the getter above
 * would throw for other buffers, which takes longer than to decode 64 KiB.)
 */
export function isShared(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
}
