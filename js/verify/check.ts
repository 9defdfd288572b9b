/** Checks the bytes of one chunk. */

import {
  ChecksumMismatchError,
  ChunkLengthError,
  type CodecMetadata,
  type CodecRegistry,
  createCodecChain,
  InvalidMetadataError,
  loadCodecChain,
} from "zarr-codecs";
import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { codecName, endsWithChecksum, hasChecksum, isCheckedFormat, isOwn } from "./codecs.js";
import type { ChunkLayout } from "./layout.js";

/**
 * What is proven of a chunk: `checksum`: all bytes that its elements come from are covered by a checksum, which is right;
 * `decoded`: it decodes to the right length; `length`: there are as many bytes as there have to be; `present`: there are
 * some; `none`.
 */
export type Proof = "checksum" | "decoded" | "length" | "present" | "none";

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
export type ChunkCheck = (encoded: Uint8Array) => Promise<ChunkVerdict>;

/** Options of checking chunks. */
export interface CheckOptions {
  /** Codecs of others, as `loadCodecChain` takes them. Chunks of codecs that nobody provides are not decoded. */
  readonly codecs?: CodecRegistry | undefined;
}

/**
 * Makes the check for the chunks of an array.
 *
 * @throws InvalidMetadataError where the codecs are available and cannot decode the data type
 */
export async function createChunkCheck(
  { dataType, chunkShape: shape, codecs }: ChunkLayout,
  { codecs: registry }: CheckOptions = {},
): Promise<ChunkCheck> {
  const endsInChecksum = endsWithChecksum(codecs);
  const load = loadCodecChain({ dataType, shape, codecs }, { codecs: withoutCheckedFormats(registry) });
  const chain = await load.catch((error) => {
    if (isProvided(codecs, registry) || !(error instanceof InvalidMetadataError)) throw error;
    return undefined;
  });
  if (chain) {
    const proof = proofOf(codecs, chain.decodedByteLength);
    return (encoded) => decodeToCheck(chain, encoded, proof, endsInChecksum);
  }
  if (endsInChecksum) {
    return async (encoded) => decodeToCheck(payloadChain(encoded), encoded, "checksum", true);
  }
  return async ({ byteLength }) => ({ state: "sound", proof: "present", byteLength });
}

/** Leaves formats to the host whose checksum it verifies; not all codecs of others do. */
function withoutCheckedFormats(registry: CodecRegistry | undefined): CodecRegistry {
  return { get: (name) => (isCheckedFormat(name) ? undefined : registry?.get(name)) };
}

function isProvided(codecs: readonly CodecMetadata[], registry: CodecRegistry | undefined): boolean {
  return codecs.every(
    (codec) => isOwn(codec) || isCheckedFormat(codec) || registry?.get(codecName(codec)) !== undefined,
  );
}

/** Returns what decoding a chunk without an error proves. */
function proofOf(codecs: readonly CodecMetadata[], decodedByteLength: number | undefined): Proof {
  if (hasChecksum(codecs)) return "checksum";
  if (codecs.every(isOwn)) return "length";
  return decodedByteLength === undefined ? "present" : "decoded";
}

/** Makes a chain that verifies a chunk of other codecs, whose payload is bytes of any number but 0. */
function payloadChain({ byteLength }: Uint8Array) {
  return createCodecChain({
    dataType: "uint8",
    shape: [Math.max(1, byteLength - CHECKSUM_LENGTH)],
    codecs: ["bytes", "crc32c"],
  });
}

async function decodeToCheck(
  chain: { decode(encoded: Uint8Array): unknown },
  encoded: Uint8Array,
  proof: Proof,
  endsInChecksum: boolean,
): Promise<ChunkVerdict> {
  const { byteLength } = encoded;
  try {
    await chain.decode(encoded);
  } catch (error) {
    const verdict = { state: "damaged", proof: "none", byteLength, error } as const;
    if (error instanceof ChecksumMismatchError) {
      return { ...verdict, checksum: { stored: error.stored, computed: error.computed } };
    }
    // The last bytes of a chunk of another length are not its checksum.
    if (!endsInChecksum || error instanceof ChunkLengthError) return verdict;
    return { ...verdict, checksum: verified(encoded) };
  }
  return { state: "sound", proof, byteLength, ...(endsInChecksum && { checksum: verified(encoded) }) };
}

/** The checksum at the end of a chunk that decoding found to be right. */
function verified({ buffer, byteOffset, byteLength }: Uint8Array): Checksum {
  const stored = new DataView(buffer, byteOffset).getUint32(byteLength - CHECKSUM_LENGTH, true);
  return { stored, computed: stored };
}
