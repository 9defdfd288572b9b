/** Runs steps over bytes of any length. */

import { invalidArgument } from "../errors.js";
import { expectOut } from "../expect.js";
import { CHECKSUM_LENGTH, LONGEST_CHUNK } from "../generated/facts.js";
import { copyElements } from "../intrinsics.js";
import { allocate } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import type { BytesStep, Form, NativeStep } from "./resolved.js";

/** A step over bytes. */
export type OverBytes = NativeStep | BytesStep;

/** Decodes and encodes bytes. */
export interface BytesCodec {
  decode(encoded: Uint8Array, verify: boolean): Uint8Array;
  encode(decoded: Uint8Array): Uint8Array;
}

/** Returns the codec of a step over bytes. */
export function bytesCodec(step: OverBytes): BytesCodec {
  return {
    decode: (encoded, verify) => decodeBytes(step, encoded, verify),
    encode: (decoded) => encodeBytes(step, decoded),
  };
}

/**
 * Decodes bytes: returns the payload of their checksums, a view of them where that is possible.
 *
 * @throws ChunkLengthError (too short for the checksums), ChecksumMismatchError
 */
export function decodeBytes(step: OverBytes, encoded: Uint8Array, verify: boolean): Uint8Array {
  expectLength(encoded.byteLength, "encoded");
  if (step.kind === "native") return verified(step, encoded, verify);
  const length = Math.max(encoded.byteLength - step.overhead, 0);
  const decoded = allocate("Uint8Array", length) as Uint8Array;
  instance.call("decodeBytes", encoded, decoded, step.operation, verify);
  return decoded;
}

/**
 * Encodes bytes into new ones.
 *
 * @throws InvalidArgumentError
 */
export function encodeBytes(step: OverBytes, decoded: Uint8Array): Uint8Array<ArrayBuffer> {
  const overhead = step.kind === "native" ? step.checksumCount * CHECKSUM_LENGTH : step.overhead;
  const length = decoded.byteLength + overhead;
  expectLength(length, "decoded");
  const encoded = allocate("Uint8Array", length, "encoded") as Uint8Array<ArrayBuffer>;
  if (step.kind === "native")
    instance.call("encode", decoded, encoded, conversionOf(step), step.checksumCount);
  else instance.call("encodeBytes", decoded, encoded, step.operation);
  return encoded;
}

/**
 * Decodes bytes as {@link decodeBytes} does, into `out` or, if `copy` is true, into a new buffer.
 *
 * @throws ChunkLengthError, ChecksumMismatchError, InvalidArgumentError
 */
export function decodeBytesInto(
  step: NativeStep,
  encoded: Uint8Array,
  verify: boolean,
  copy: boolean,
  out?: Uint8Array,
): Uint8Array {
  expectLength(encoded.byteLength, "encoded");
  const length = encoded.byteLength - step.checksumCount * CHECKSUM_LENGTH;
  if (length >= 0 && out !== undefined) expectOut(out, "Uint8Array", length, encoded, "the encoded bytes");
  const payload = verified(step, encoded, verify);
  if (out === undefined) return copy ? ownCopy(payload) : payload;
  copyElements(payload, out);
  return out;
}

/** Verifies the checksums of encoded bytes, and returns a view of their payload. */
function verified(step: NativeStep, encoded: Uint8Array, verify: boolean): Uint8Array {
  const { checksumCount } = step;
  const length = encoded.byteLength - checksumCount * CHECKSUM_LENGTH;
  if (verify || length < 0) {
    instance.call("check", encoded, conversionOf(step), checksumCount, new Uint32Array(0));
  }
  return encoded.subarray(0, length);
}

/** Returns the conversion of a step over bytes, which changes nothing. */
const conversionOf = ({ forms }: NativeStep) => (forms[0] as Form).conversion;

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
