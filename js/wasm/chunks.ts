/**
 * Passes chunks to Rust.
 *
 * A chunk that fits is copied into the window and out of it here, around a call that takes and returns numbers: for small
 * chunks, in less than half the time of passing arrays to Rust. Longer chunks are passed to Rust, which streams them through
 * the window.
 */

import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { copyElements, isShared, overlap, typedArrayLength } from "../intrinsics.js";
import { allocate, bytesOf, constructorOf, type TypedArray, type TypedArrayName } from "../typed-array.js";
import { convertBlocks } from "./blocks.js";
import type { Form } from "./form.js";
import { instance } from "./instance.js";

/**
 * Copies part of the window to a new array. Above 512 bytes `slice` is faster (4 KiB: 350 instead of 600 ns in Node 20; in
 * WebKit half the time); below, looking up the species costs more than it saves. (A script that replaces the species of arrays is trusted to know what it does.)
 */
function copied(view: TypedArray, name: TypedArrayName): TypedArray {
  return view.byteLength <= 512 ? new (constructorOf(name))(view) : (view.slice() as TypedArray);
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
  const decoded = decodeOnce(encoded, payloadByteLength, form, checksumCount);
  if (!form.next) return decoded;
  return decode(firstBytes(decoded, form.byteLength), form.byteLength, form.next, 0);
}

/** Decodes a chunk without the form's `next`. */
function decodeOnce(
  encoded: object,
  payloadByteLength: number,
  form: Form,
  checksumCount: number,
): TypedArray {
  const view = decodeInWindow(encoded, payloadByteLength, form, checksumCount);
  if (view !== undefined) return copied(view, form.array);
  const { conversion, permutation, payloadOrder } = form;
  const needsCheck = permutation !== undefined || payloadOrder !== undefined;
  if (needsCheck) check(encoded, payloadByteLength, form, checksumCount);
  const decoded = allocate(form.array, form.byteLength, "decoded", permutation === undefined);
  const bytes = firstBytes(decoded, form.byteLength);
  const source = firstBytes(encoded, payloadByteLength + checksumCount * CHECKSUM_LENGTH);
  if (permutation !== undefined) convertBlocks(source, bytes, form, false);
  // Not visible to the caller yet, so one pass verifies and decodes.
  else instance.call("decode", source, bytes, conversion, checksumCount);
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
  if (form.next) {
    const once = decodeOnce(encoded, payloadByteLength, form, checksumCount);
    decodeInto(firstBytes(once, form.byteLength), form.byteLength, decoded, form.next, 0);
    return;
  }
  const isCopy = form.isView && isUnchecked(form, checksumCount); // One copy is faster than two through the window.
  const view = isCopy ? undefined : decodeInWindow(encoded, payloadByteLength, form, checksumCount);
  if (view !== undefined) {
    // Without a view of its bytes, whose creation would take a fifth of the time of decoding 256 bytes.
    copyElements(view, decoded);
    return;
  }
  check(encoded, payloadByteLength, form, checksumCount);
  const target = firstBytes(decoded, form.byteLength);
  const payload = unaliased(firstBytes(encoded, payloadByteLength), target, form);
  if (form.permutation !== undefined) convertBlocks(payload, target, form, false);
  else if (form.isView) target.set(payload);
  else instance.call("decode", payload, target, form.conversion, 0);
}

/**
 * Decodes a chunk in the window. Returns a view of the array, or undefined if the chunk does not fit or is invalid; the slow
 * path then throws.
 */
function decodeInWindow(
  encoded: object,
  payloadByteLength: number,
  form: Form,
  checksumCount: number,
): TypedArray | undefined {
  if (!form.decodesInWindow) return undefined;
  const length = payloadByteLength + checksumCount * CHECKSUM_LENGTH;
  const window = instance.enter();
  const { rust } = window;
  const { conversion, isView } = form;
  const valid =
    fill(window.encoded, encoded) &&
    (isView
      ? rust.checkWindow(length, conversion, checksumCount)
      : rust.decodeWindow(length, conversion, checksumCount, window.setPermutation(form.permutation)));
  instance.leave();
  if (!valid) return undefined;
  return isView ? window.encodedView(form.byteLength, form.array) : window.decodedView(form);
}

/**
 * Checks what {@link decode} checks, and writes nothing.
 *
 * @param order how elements move to C order, for the index of an invalid one
 */
export function check(
  encoded: object,
  payloadByteLength: number,
  form: Form,
  checksumCount: number,
  order: readonly number[] = form.payloadOrder ?? [],
): void {
  if (isUnchecked(form, checksumCount)) return;
  const length = payloadByteLength + checksumCount * CHECKSUM_LENGTH;
  if (form.decodesInWindow) {
    const window = instance.enter();
    const valid =
      fill(window.encoded, encoded) && window.rust.checkWindow(length, form.conversion, checksumCount);
    instance.leave();
    if (valid) return;
  }
  const source = firstBytes(encoded, length);
  instance.call("check", source, form.conversion, checksumCount, Uint32Array.from(order));
}

/** Returns whether any bytes of the right length are a valid chunk. */
function isUnchecked({ isChecked }: Form, checksumCount: number): boolean {
  return checksumCount === 0 && !isChecked;
}

/** Encodes an array of the form's type and length as new bytes, including checksums. */
export function encode(
  decoded: TypedArray,
  form: Form,
  checksumCount: number,
  byteLength: number,
): Uint8Array {
  checkFits(decoded, form);
  const array = arrayToEncode(decoded, form);
  if (encodeInWindow(array, form, checksumCount, byteLength)) {
    return copied(instance.window.encodedView(byteLength), "Uint8Array") as Uint8Array;
  }
  if (form.permutation !== undefined || form.arrayOrder !== undefined) checkArray(decoded, form);
  const inOrder = form.permutation === undefined;
  const encoded = allocate("Uint8Array", byteLength, "encoded", inOrder) as Uint8Array;
  encodeLong(firstBytes(array, form.byteLength), encoded, form, checksumCount);
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
  checkFits(decoded, form);
  const array = arrayToEncode(decoded, form);
  if (encodeInWindow(array, form, checksumCount, byteLength)) {
    copyElements(instance.window.encodedView(byteLength), encoded);
    return;
  }
  checkArray(decoded, form);
  const target = firstBytes(encoded, byteLength);
  encodeLong(unaliased(firstBytes(array, form.byteLength), target, form), target, form, checksumCount);
}

/** Returns the array that the form itself encodes: what its `next` encodes `decoded` to, if it has one. */
function arrayToEncode(decoded: TypedArray, { next }: Form): TypedArray {
  return next ? encode(decoded, next, 0, next.byteLength) : decoded;
}

/** Checks that all elements of an array can be encoded. */
function checkFits(decoded: TypedArray, { arrayCheck, arrayOrder = [], byteLength }: Form): void {
  if (arrayCheck === undefined) return;
  instance.call("check", firstBytes(decoded, byteLength), arrayCheck, 0, Uint32Array.from(arrayOrder));
}

/** Checks the elements of an array that is encoded. */
function checkArray(decoded: TypedArray, form: Form): void {
  check(decoded, form.byteLength, form, 0, form.arrayOrder ?? []);
}

function encodeLong(decoded: Uint8Array, encoded: Uint8Array, form: Form, checksumCount: number): void {
  if (form.permutation === undefined) {
    instance.call("encode", decoded, encoded, form.conversion, checksumCount);
    return;
  }
  convertBlocks(decoded, encoded, form, true);
  if (checksumCount > 0) instance.call("appendChecksums", encoded, checksumCount);
}

/** Encodes a chunk in the window. Returns false if it is too long for that or invalid; the slow path then throws. */
function encodeInWindow(decoded: TypedArray, form: Form, checksumCount: number, byteLength: number): boolean {
  if (!form.encodesInWindow) return false;
  const window = instance.enter();
  const isBytes = typedArrayLength(decoded) === form.byteLength; // Perhaps clamped ones, of which there is no view.
  const valid =
    fill(isBytes ? window.decoded : window.decodedView(form), decoded) &&
    window.rust.encodeWindow(
      byteLength,
      form.conversion,
      checksumCount,
      window.setPermutation(form.permutation),
    );
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
 * Returns `source`, or a copy of it where writing to `target` piece by piece would overwrite bytes that are still to be read:
 * where components move, if they overlap in one object; else only where two objects may share one memory. (Otherwise they
 * do not overlap, as the caller has checked, or each component is written to where it was read.)
 */
function unaliased(source: Uint8Array, target: Uint8Array, { permutation }: Form): Uint8Array {
  const aliased =
    source.buffer === target.buffer
      ? permutation !== undefined && overlap(source, target)
      : isShared(source.buffer) && isShared(target.buffer);
  return aliased ? source.slice() : source;
}
