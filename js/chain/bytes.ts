/** Runs native steps over bytes of any length: the `crc32c` codecs after a codec of others. */

import { invalidArgument } from "../errors.js";
import { expectOut } from "../expect.js";
import { CHECKSUM_LENGTH, LONGEST_CHUNK } from "../generated/facts.js";
import { allocate, bytesOf } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import type { Form, NativeStep } from "./resolved.js";

/**
 * Verifies the checksums of encoded bytes and returns the payload: a view of them, unless `copy` is true or `out` is given.
 *
 * @throws ChunkLengthError (too short for the checksums), ChecksumMismatchError, InvalidArgumentError
 */
export function decodeBytes(
  { forms, checksumCount }: NativeStep,
  encoded: Uint8Array,
  verify: boolean,
  copy: boolean,
  out?: Uint8Array,
): Uint8Array {
  expectLength(encoded.byteLength, "encoded");
  const length = encoded.byteLength - checksumCount * CHECKSUM_LENGTH;
  if (length >= 0 && out !== undefined) expectOut(out, "Uint8Array", length, encoded, "the encoded bytes");
  if (verify || length < 0)
    instance.call("check", encoded, (forms[0] as Form).conversion, checksumCount, new Uint32Array(0));
  const payload = encoded.subarray(0, length);
  if (out === undefined) return copy ? ownCopy(payload) : payload;
  bytesOf(out, "out").set(payload);
  return out;
}

/**
 * Returns a copy of `decoded`, followed by its checksums.
 *
 * @throws InvalidArgumentError
 */
export function encodeBytes(
  { forms, checksumCount }: NativeStep,
  decoded: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const length = decoded.byteLength + checksumCount * CHECKSUM_LENGTH;
  expectLength(length, "decoded");
  const encoded = allocate("Uint8Array", length, "encoded") as Uint8Array<ArrayBuffer>;
  instance.call("encode", decoded, encoded, (forms[0] as Form).conversion, checksumCount);
  return encoded;
}

/** Checks the encoded length of bytes: Rust reads the lengths of arrays as 32-bit integers. */
function expectLength(length: number, argument: string): void {
  if (length <= LONGEST_CHUNK) return;
  throw invalidArgument(argument, `at most ${LONGEST_CHUNK} bytes with checksums`, `${length}`);
}

/** Copies bytes to a new buffer of their length. */
function ownCopy(bytes: Uint8Array): Uint8Array {
  const copy = allocate("Uint8Array", bytes.byteLength) as Uint8Array;
  copy.set(bytes);
  return copy;
}
