/** Checks the bytes of one chunk. */

import { ChecksumMismatchError, ChunkLengthError, createCodecChain, type DataType } from "zarr-codecs";
import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { endsWithChecksum, isOurs } from "./codecs.js";
import type { ChunkLayout } from "./layout.js";

/**
 * What is proven of a chunk: `checksum`: every byte is covered by a checksum, which is right; `length`: there are as many
 * bytes as there have to be; `present`: there are some; `none`.
 */
export type Proof = "checksum" | "length" | "present" | "none";

/** The checksum that is stored with a chunk, and the one that is computed of its bytes. */
export interface Checksum {
  readonly stored: number;
  readonly computed: number;
}

/** What is known of the bytes of a chunk. */
export interface ChunkVerdict {
  readonly state: "sound" | "damaged";
  readonly proof: Proof;
  readonly byteLength: number;
  /** The last checksum of the chunk, or the one that does not match. */
  readonly checksum?: Checksum;
  /** The reason why a chunk is damaged. */
  readonly error?: unknown;
}

/** Checks the bytes of a chunk. */
export type ChunkCheck = (encoded: Uint8Array) => ChunkVerdict;

/**
 * Makes the check for the chunks of an array.
 *
 * @throws InvalidMetadataError where the codecs are those of this package and cannot decode the data type
 */
export function createChunkCheck({ dataType, chunkShape: shape, codecs }: ChunkLayout): ChunkCheck {
  const hasChecksum = endsWithChecksum(codecs);
  if (isOurs(codecs)) {
    const chain = createCodecChain({ dataType: dataType as DataType, shape, codecs });
    return (encoded) => decodeToCheck(chain, encoded, hasChecksum);
  }
  if (hasChecksum) return (encoded) => decodeToCheck(payloadChain(encoded), encoded, true);
  return ({ byteLength }) => ({ state: "sound", proof: "present", byteLength });
}

/** Makes a chain that verifies a chunk of other codecs, whose payload is bytes of any number but 0. */
function payloadChain({ byteLength }: Uint8Array) {
  return createCodecChain({
    dataType: "uint8",
    shape: [Math.max(1, byteLength - CHECKSUM_LENGTH)],
    codecs: ["bytes", "crc32c"],
  });
}

function decodeToCheck(
  chain: { decode(encoded: Uint8Array): unknown },
  encoded: Uint8Array,
  hasChecksum: boolean,
): ChunkVerdict {
  const { byteLength } = encoded;
  try {
    chain.decode(encoded);
  } catch (error) {
    const verdict = { state: "damaged", proof: "none", byteLength, error } as const;
    if (error instanceof ChecksumMismatchError) {
      return { ...verdict, checksum: { stored: error.stored, computed: error.computed } };
    }
    // The last bytes of a chunk of another length are not its checksum.
    if (!hasChecksum || error instanceof ChunkLengthError) return verdict;
    return { ...verdict, checksum: verified(encoded) };
  }
  if (!hasChecksum) return { state: "sound", proof: "length", byteLength };
  return { state: "sound", proof: "checksum", byteLength, checksum: verified(encoded) };
}

/** The checksum at the end of a chunk that decoding found to be right. */
function verified({ buffer, byteOffset, byteLength }: Uint8Array): Checksum {
  const stored = new DataView(buffer, byteOffset).getUint32(byteLength - CHECKSUM_LENGTH, true);
  return { stored, computed: stored };
}
