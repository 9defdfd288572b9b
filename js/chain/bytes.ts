/** Runs steps over bytes of any length. */

import { type Verify, verifying } from "../crc32c/mismatch.js";
import { invalidArgument } from "../errors.js";
import { expectOut } from "../expect.js";
import { CHECKSUM_LENGTH, LONGEST_CHUNK } from "../generated/facts.js";
import { copyElements } from "../intrinsics.js";
import { allocate, concatenate } from "../typed-array.js";
import type { Form } from "../wasm/form.js";
import { instance } from "../wasm/instance.js";
import type { BytesStep, NativeStep } from "./resolved.js";
import type { Stage } from "./stage.js";

/** A step over bytes. */
export type OverBytes = NativeStep | BytesStep;

/** Creates the stage of a step over bytes. */
export function bytesStage(step: OverBytes): Stage {
  return {
    decode: (encoded: Uint8Array, verify) => decodeBytes(step, encoded, verify),
    encode: (decoded: Uint8Array) => encodeBytes(step, decoded),
  };
}

/**
 * Decodes bytes. Returns the payload of their checksums, a view of them unless `copy` is true or `out` is given; the codecs of
 * numcodecs always return new bytes, and take no `out`.
 *
 * @throws ChunkLengthError (too short for the checksums), ChecksumMismatchError, InvalidArgumentError
 */
export function decodeBytes(
  step: OverBytes,
  encoded: Uint8Array,
  verify: Verify,
  copy = false,
  out?: Uint8Array,
): Uint8Array {
  if (typeof verify !== "boolean") {
    return verifying(verify, (verify) => decodeBytes(step, encoded, verify, copy, out));
  }
  expectLength(encoded.byteLength, "encoded");
  if (step.kind === "bytes") {
    const length = Math.max(encoded.byteLength - step.overhead, 0);
    const decoded = allocate("Uint8Array", length) as Uint8Array;
    instance.call("decodeBytes", encoded, decoded, step.operation, verify);
    return decoded;
  }
  const { checksumCount } = step;
  const length = encoded.byteLength - checksumCount * CHECKSUM_LENGTH;
  if (length >= 0 && out !== undefined) expectOut(out, "Uint8Array", length, encoded, "the encoded bytes");
  if (verify || length < 0) {
    instance.call("check", encoded, conversionOf(step), checksumCount, new Uint32Array(0));
  }
  const payload = encoded.subarray(0, length);
  if (out === undefined) return copy ? concatenate([payload]) : payload;
  copyElements(payload, out);
  return out;
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

/** Returns the conversion of a step over bytes, which changes nothing. */
const conversionOf = ({ forms }: NativeStep) => (forms[0] as Form).conversion;

/** Checks the encoded length of bytes: Rust reads the lengths of arrays as 32-bit integers. */
function expectLength(length: number, argument: string): void {
  if (length <= LONGEST_CHUNK) return;
  throw invalidArgument(argument, `at most ${LONGEST_CHUNK} bytes with checksums`, `${length}`);
}
