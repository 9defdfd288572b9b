/** Repairs chunks with a flipped bit. */

import { type ChecksumMismatchError, describe, invalidArgument } from "../errors.js";
import { expectReadable } from "../expect.js";
import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { type Bytes, bytesOf, concatenate } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import { crc32c } from "./crc32c.js";

/**
 * Returns a copy of a corrupt chunk in which the bit that has probably flipped, as the error's `diagnosis` says, is restored, so
 * that its checksum is right. Damage of other kinds may look like a flipped bit; `diagnosis.message` states how rarely. No bit
 * is named in chunks of more than 1 MiB.
 *
 * @param encoded the bytes that were decoded when the error was thrown: they end with the checksum
 * @param error a ChecksumMismatchError whose `diagnosis.code` is `"flipped_bit"`
 * @throws InvalidArgumentError (another error, or one about other bytes)
 * @example
 * ```ts
 * import { ChecksumMismatchError, createCodecChain, repairFlippedBit } from "zarr-codecs";
 *
 * const chain = createCodecChain({ dataType: "uint8", shape: [4], codecs: ["bytes", "crc32c"] });
 * const encoded = chain.encode(Uint8Array.of(1, 2, 3, 4));
 * encoded[2] ^= 0x40;
 * try {
 *   chain.decode(encoded);
 * } catch (error) {
 *   if (!(error instanceof ChecksumMismatchError)) throw error;
 *   error.diagnosis?.byteOffset; // => 2
 *   chain.decode(repairFlippedBit(encoded, error)).data; // => Uint8Array.of(1, 2, 3, 4)
 * }
 * ```
 */
export function repairFlippedBit(encoded: Bytes, error: ChecksumMismatchError): Uint8Array<ArrayBuffer> {
  const repaired = concatenate([bytesOf(encoded, "encoded")]);
  const expected = 'an error about these bytes whose diagnosis is "flipped_bit"';
  const code = expectReadable("error", () => {
    const { code, byteOffset = 0, bit = 0 } = error.diagnosis ?? {};
    if (code === "flipped_bit") repaired[byteOffset] = (repaired[byteOffset] as number) ^ (1 << bit);
    return code;
  });
  if (code !== "flipped_bit") throw invalidArgument("error", expected, describe(code ?? error));
  const end = repaired.byteLength - CHECKSUM_LENGTH;
  try {
    instance.call("verifyChecksum", repaired.subarray(end), crc32c(repaired.subarray(0, end)), end);
  } catch (cause) {
    throw invalidArgument("error", expected, "one about others", { cause });
  }
  return repaired;
}
