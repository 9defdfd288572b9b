/**
 * Chunks on their way through Rust's memory.
 *
 * What fits into its window (`crates/kernel/src/window.rs`) is copied there and back by this file, around a call that takes
 * and returns numbers; for small chunks that takes less than half the time of passing arrays to Rust. Longer chunks are
 * passed, and Rust streams them through the window.
 */

import type { Form } from "../chain/resolved.js";
import { copyElements, isShared } from "../intrinsics.js";
import {
  allocate,
  bytesOf,
  constructorOf,
  type TypedArray,
  type TypedArrayName,
  viewAs,
} from "../typed-array.js";
import { instance } from "./instance.js";
import type { Rust } from "./rust.js";

/** Rust's window: its two halves, and the functions that work there. */
export class Window {
  readonly rust: Rust;
  readonly encoded: Uint8Array;
  readonly decoded: Uint8Array;
  private readonly encodedViews: Views = {};
  private readonly decodedViews: Views = {};

  constructor(rust: Rust) {
    this.rust = rust;
    this.encoded = rust.encodedWindow();
    this.decoded = rust.decodedWindow();
  }

  /** Returns a view of the first bytes of the encoded half. */
  encodedView(byteLength: number): TypedArray {
    return viewOf(this.encoded, this.encodedViews, "Uint8Array", byteLength);
  }

  /** Returns a view of the first bytes of the decoded half. */
  decodedView({ array, byteLength }: Form): TypedArray {
    return viewOf(this.decoded, this.decodedViews, array, byteLength);
  }
}

/**
 * The last view of each type: most calls are about chunks of one length, and creating a view takes as long as copying
 * 1 KiB.
 */
type Views = Partial<Record<TypedArrayName, { view: TypedArray; byteLength: number }>>;

function viewOf(half: Uint8Array, views: Views, name: TypedArrayName, byteLength: number): TypedArray {
  const last = views[name];
  if (last?.byteLength === byteLength) return last.view;
  const view = viewAs(name, half.subarray(0, byteLength)) as TypedArray; // The window is aligned.
  views[name] = { view, byteLength };
  return view;
}

/**
 * Copies part of the window into a new array. For more than 4 KiB `slice` is faster (in WebKit it takes half the time); for
 * less, looking up its species costs more.
 */
function copied(view: TypedArray, name: TypedArrayName): TypedArray {
  return view.byteLength <= 4096 ? new (constructorOf(name))(view) : (view.slice() as TypedArray);
}

/** Decodes an encoded chunk into a new array, checking everything there is to check. */
export function decode(encoded: Uint8Array, form: Form, checksumCount: number): TypedArray {
  if (decodeInWindow(encoded, form, checksumCount)) {
    return copied(instance.window.decodedView(form), form.array);
  }
  // Not visible to the caller yet, so one pass verifies and decodes.
  const decoded = allocate(form.array, form.byteLength);
  instance.call("decode", encoded, bytesOf(decoded, "decoded"), form.conversion, checksumCount);
  return decoded;
}

/**
 * Decodes into an array of the form's type and length, which is written only once everything has been checked.
 *
 * @param payload the encoded chunk without its checksums
 */
export function decodeInto(
  encoded: Uint8Array,
  payload: Uint8Array,
  decoded: TypedArray,
  form: Form,
  checksumCount: number,
): void {
  if (decodeInWindow(encoded, form, checksumCount)) {
    // Not into a view of its bytes: creating one would take a fifth of the time of decoding 256 bytes.
    copyElements(instance.window.decodedView(form), decoded);
    return;
  }
  check(encoded, form, checksumCount);
  const target = bytesOf(decoded, "out").subarray(0, form.byteLength); // Shared memory may have grown.
  instance.call("decode", unaliased(payload, target), target, form.conversion, 0);
}

/** Decodes a chunk in the window. Returns false where it does not fit, or where decoding would throw. */
function decodeInWindow(encoded: Uint8Array, form: Form, checksumCount: number): boolean {
  if (!form.decodesInWindow) return false;
  const window = instance.enter();
  window.encoded.set(encoded);
  const decoded = window.rust.decodeWindow(encoded.byteLength, form.conversion, checksumCount);
  instance.leave();
  return decoded;
}

/** Checks what {@link decode} checks, and writes nothing. */
export function check(encoded: Uint8Array, form: Form, checksumCount: number): void {
  if (checksumCount === 0 && !form.isChecked) return;
  if (form.decodesInWindow) {
    const window = instance.enter();
    window.encoded.set(encoded);
    const valid = window.rust.checkWindow(encoded.byteLength, form.conversion, checksumCount);
    instance.leave();
    if (valid) return;
  }
  instance.call("check", encoded, form.conversion, checksumCount);
}

/** Encodes an array into new bytes, checksums included. */
export function encode(
  decoded: Uint8Array,
  form: Form,
  checksumCount: number,
  byteLength: number,
): Uint8Array {
  if (encodeInWindow(decoded, form, checksumCount, byteLength)) {
    return copied(instance.window.encodedView(byteLength), "Uint8Array") as Uint8Array;
  }
  const encoded = allocate("Uint8Array", byteLength) as Uint8Array;
  instance.call("encode", decoded, encoded, form.conversion, checksumCount);
  return encoded;
}

/** Encodes an array into `byteLength` bytes, which are written only once its elements have been checked. */
export function encodeInto(
  decoded: Uint8Array,
  encoded: TypedArray,
  form: Form,
  checksumCount: number,
  byteLength: number,
): void {
  if (encodeInWindow(decoded, form, checksumCount, byteLength)) {
    copyElements(instance.window.encodedView(byteLength), encoded);
    return;
  }
  check(decoded, form, 0);
  const target = bytesOf(encoded, "out").subarray(0, byteLength); // Shared memory may have grown.
  instance.call("encode", unaliased(decoded, target), target, form.conversion, checksumCount);
}

/** Encodes a chunk in the window. Returns false where it is too long for that, or where encoding would throw. */
function encodeInWindow(decoded: Uint8Array, form: Form, checksumCount: number, byteLength: number): boolean {
  if (!form.encodesInWindow) return false;
  const window = instance.enter();
  window.decoded.set(decoded);
  const encoded = window.rust.encodeWindow(byteLength, form.conversion, checksumCount);
  instance.leave();
  return encoded;
}

/**
 * Continues the CRC-32C `initial` over `bytes`, which are `byteLength` bytes. Returns undefined where they do not fit into
 * the window. Only the memory of `bytes` is read, none of its properties.
 */
export function crc32cInWindow(bytes: Uint8Array, byteLength: number, initial: number): number | undefined {
  const window = instance.enter();
  let crc: number | undefined;
  if (byteLength <= window.encoded.length) {
    window.encoded.set(bytes);
    crc = window.rust.crc32cWindow(byteLength, initial);
  }
  instance.leave();
  return crc;
}

/**
 * Returns `source`, or a copy of it where writing to `target` piece by piece might change what is still to be read: shared
 * memory can be the same under different objects. (The caller has checked that the bytes of one object do not overlap.)
 */
function unaliased(source: Uint8Array, target: Uint8Array): Uint8Array {
  const aliased = source.buffer !== target.buffer && isShared(source.buffer) && isShared(target.buffer);
  return aliased ? source.slice() : source;
}
