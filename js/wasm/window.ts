/**
 * Passes chunks through the window in Rust's memory (`crates/kernel/src/window.rs`).
 *
 * A chunk that fits is copied into the window and out of it here, around a call that takes and returns numbers: for small
 * chunks, in less than half the time of passing arrays to Rust. Longer chunks are passed to Rust, which streams them through
 * the window.
 */

import type { Form } from "../chain/resolved.js";
import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { copyElements, isShared, typedArrayLength } from "../intrinsics.js";
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

/** The two halves of Rust's window, and the functions of the same instance. */
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
 * A cache of the last view of each type: most calls have chunks of one length, and creating a view takes as long as copying
 * 1 KiB.
 */
type Views = Partial<Record<TypedArrayName, { view: TypedArray; byteLength: number }>>;

function viewOf(half: Uint8Array, views: Views, name: TypedArrayName, byteLength: number): TypedArray {
  const last = views[name];
  if (last?.byteLength === byteLength) return last.view;
  const view = viewAs(name, half, byteLength) as TypedArray; // The window is aligned.
  views[name] = { view, byteLength };
  return view;
}

/**
 * Copies part of the window to a new array. Above 4 KiB `slice` is faster (in WebKit, twice as fast); below, looking up the
 * species costs more than it saves. (A script that replaces the species of arrays is trusted to know what it does.)
 */
function copied(view: TypedArray, name: TypedArrayName): TypedArray {
  return view.byteLength <= 4096 ? new (constructorOf(name))(view) : (view.slice() as TypedArray);
}

/**
 * Decodes a chunk into a new array, verifying checksums and checking elements.
 *
 * @param encoded from {@link byteArrayOf}, as in all functions here
 * @param payloadByteLength the length of the encoded chunk without its checksums
 */
export function decode(
  encoded: object,
  payloadByteLength: number,
  form: Form,
  checksumCount: number,
): TypedArray {
  if (decodeInWindow(encoded, payloadByteLength, form, checksumCount)) {
    return copied(instance.window.decodedView(form), form.array);
  }
  // Not visible to the caller yet, so one pass verifies and decodes.
  const decoded = allocate(form.array, form.byteLength);
  const source = firstBytes(encoded, payloadByteLength + checksumCount * CHECKSUM_LENGTH);
  instance.call("decode", source, bytesOf(decoded, "decoded"), form.conversion, checksumCount);
  return decoded;
}

/** Decodes a chunk into an array of the form's type and length, which is written only after all checks have passed. */
export function decodeInto(
  encoded: object,
  payloadByteLength: number,
  decoded: TypedArray,
  form: Form,
  checksumCount: number,
): void {
  if (decodeInWindow(encoded, payloadByteLength, form, checksumCount)) {
    // Without a view of its bytes, whose creation would take a fifth of the time of decoding 256 bytes.
    copyElements(instance.window.decodedView(form), decoded);
    return;
  }
  check(encoded, payloadByteLength, form, checksumCount);
  const target = firstBytes(decoded, form.byteLength);
  const payload = unaliased(firstBytes(encoded, payloadByteLength), target);
  instance.call("decode", payload, target, form.conversion, 0);
}

/** Decodes a chunk in the window. Returns false if it does not fit or is invalid; the slow path then throws. */
function decodeInWindow(
  encoded: object,
  payloadByteLength: number,
  form: Form,
  checksumCount: number,
): boolean {
  if (!form.decodesInWindow) return false;
  const length = payloadByteLength + checksumCount * CHECKSUM_LENGTH;
  const window = instance.enter();
  const valid =
    fill(window.encoded, encoded) && window.rust.decodeWindow(length, form.conversion, checksumCount);
  instance.leave();
  return valid;
}

/** Checks what {@link decode} checks, and writes nothing. */
export function check(encoded: object, payloadByteLength: number, form: Form, checksumCount: number): void {
  if (checksumCount === 0 && !form.isChecked) return;
  const length = payloadByteLength + checksumCount * CHECKSUM_LENGTH;
  if (form.decodesInWindow) {
    const window = instance.enter();
    const valid =
      fill(window.encoded, encoded) && window.rust.checkWindow(length, form.conversion, checksumCount);
    instance.leave();
    if (valid) return;
  }
  instance.call("check", firstBytes(encoded, length), form.conversion, checksumCount);
}

/** Encodes an array of the form's type and length as new bytes, including checksums. */
export function encode(
  decoded: TypedArray,
  form: Form,
  checksumCount: number,
  byteLength: number,
): Uint8Array {
  if (encodeInWindow(decoded, form, checksumCount, byteLength)) {
    return copied(instance.window.encodedView(byteLength), "Uint8Array") as Uint8Array;
  }
  const encoded = allocate("Uint8Array", byteLength, "encoded") as Uint8Array;
  instance.call("encode", firstBytes(decoded, form.byteLength), encoded, form.conversion, checksumCount);
  return encoded;
}

/** Encodes an array into `byteLength` bytes, which are written only after its elements have been checked. */
export function encodeInto(
  decoded: TypedArray,
  encoded: TypedArray,
  form: Form,
  checksumCount: number,
  byteLength: number,
): void {
  if (encodeInWindow(decoded, form, checksumCount, byteLength)) {
    copyElements(instance.window.encodedView(byteLength), encoded);
    return;
  }
  check(decoded, form.byteLength, form, 0);
  const target = firstBytes(encoded, byteLength);
  const source = unaliased(firstBytes(decoded, form.byteLength), target);
  instance.call("encode", source, target, form.conversion, checksumCount);
}

/** Encodes a chunk in the window. Returns false if it is too long for that or invalid; the slow path then throws. */
function encodeInWindow(decoded: TypedArray, form: Form, checksumCount: number, byteLength: number): boolean {
  if (!form.encodesInWindow) return false;
  const window = instance.enter();
  const isBytes = typedArrayLength(decoded) === form.byteLength; // Perhaps clamped ones, of which there is no view.
  const valid =
    fill(isBytes ? window.decoded : window.decodedView(form), decoded) &&
    window.rust.encodeWindow(byteLength, form.conversion, checksumCount);
  instance.leave();
  return valid;
}

/** Views the first bytes of an array whose length has been checked: shared memory may have grown meanwhile. */
function firstBytes(array: object, byteLength: number): Uint8Array {
  return bytesOf(array, "chunk").subarray(0, byteLength);
}

/** Copies an array to a view of the window. Returns false if it does not fit: shared memory may have grown meanwhile. */
function fill(view: TypedArray, source: object): boolean {
  try {
    copyElements(source, view);
    return true;
  } catch {
    return false;
  }
}

/** Continues the CRC-32C `initial` over `bytes`. Returns undefined if they do not fit into the window. */
export function crc32cInWindow(bytes: object, byteLength: number, initial: number): number | undefined {
  const window = instance.enter();
  const fits = byteLength <= window.encoded.length && fill(window.encoded, bytes);
  const crc = fits ? window.rust.crc32cWindow(byteLength, initial) : undefined;
  instance.leave();
  return crc;
}

/**
 * Returns `source`, or a copy of it where `target` may alias it: two objects may share one memory, and writing to `target`
 * piece by piece would then overwrite bytes that are still to be read. (The caller has checked for overlap in one object.)
 */
function unaliased(source: Uint8Array, target: Uint8Array): Uint8Array {
  const aliased = source.buffer !== target.buffer && isShared(source.buffer) && isShared(target.buffer);
  return aliased ? source.slice() : source;
}
