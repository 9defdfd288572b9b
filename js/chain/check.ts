/** Checks chunks without decoding more of them than that needs. */

import type { Awaitable } from "../awaitable.js";
import type { ArrayMetadata, ChainMetadata } from "../metadata.js";
import { type LoadOptions, loadCodecs } from "./load.js";

/** Checks the chunks of a codec chain. */
export interface ChunkCheck {
  /** Whether checking returns promises: if external codecs decode. */
  readonly isAsync: boolean;
  /** The length that a chunk decodes to, in bytes; undefined if an external codec decodes to the array. */
  readonly decodedByteLength: number | undefined;
  /**
   * Checks all that decoding a chunk checks. Returns whether an external codec stores a checksum of all bytes that it decoded
   * to, which has been verified.
   *
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  check(encoded: Uint8Array): Awaitable<boolean>;
}

/**
 * Loads the check of an array's chunks.
 *
 * @param metadata and options as those of `loadCodecChain`
 * @throws InvalidMetadataError (also if nobody provides a codec), InvalidArgumentError
 */
export function loadChunkCheck(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options?: LoadOptions,
): Promise<ChunkCheck> {
  return loadCodecs(metadata, options);
}
