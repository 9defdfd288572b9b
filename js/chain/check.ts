/** Checks chunks without decoding more of them than that needs. */

import type { ArrayMetadata, ChainMetadata } from "../metadata.js";
import { lengthError } from "./array-codec.js";
import { encodedByteLength } from "./codec-chain.js";
import { defaultForm, isArrayStep } from "./decode.js";
import { type LoadOptions, loadResolved } from "./load.js";
import { OwnCodecs } from "./own-codecs.js";
import { areOwn, type Stage, stagesOf } from "./stages.js";

/** Checks the chunks of a codec chain. */
export interface ChunkCheck {
  /** Whether checking returns promises: where codecs of others decode. */
  readonly isAsync: boolean;
  /** The length that a chunk decodes to, in bytes; undefined where a codec of others decodes to the array. */
  readonly decodedByteLength: number | undefined;
  /**
   * Checks all that decoding a chunk checks. Returns whether a codec of others stores a checksum of all bytes that it decoded
   * to, which has been verified.
   *
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  check(encoded: Uint8Array): boolean | Promise<boolean>;
}

/**
 * Loads the check of an array's chunks.
 *
 * @param metadata and options as those of `loadCodecChain`
 * @throws InvalidMetadataError (also where nobody provides a codec), InvalidArgumentError
 */
export async function loadChunkCheck(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options?: LoadOptions,
): Promise<ChunkCheck> {
  const { resolved, request, options: read, loaded } = await loadResolved(metadata, options);
  const last = resolved.steps.at(-1);
  const expected = encodedByteLength(resolved);
  const check = areOwn(resolved.steps)
    ? checkOf(new OwnCodecs(resolved, request, read))
    : checkByStages(stagesOf(resolved, request, read, loaded));
  return {
    isAsync: !areOwn(resolved.steps),
    decodedByteLength: last && isArrayStep(last) ? defaultForm(last).byteLength : undefined,
    check(encoded) {
      const { byteLength } = encoded;
      if (byteLength !== (expected ?? byteLength)) throw lengthError(request, byteLength);
      return check(encoded);
    },
  };
}

function checkOf(codecs: OwnCodecs): ChunkCheck["check"] {
  return (encoded) => {
    codecs.array.check(codecs.decodeBytes(encoded, true));
    return false;
  };
}

function checkByStages(stages: readonly Stage[]): ChunkCheck["check"] {
  return async (encoded) => {
    let value: unknown = encoded;
    let isCovered = false;
    for (const stage of stages) {
      if (stage.decodeChecked) {
        const checked = await stage.decodeChecked(value as Uint8Array, true);
        value = checked.decoded;
        isCovered ||= checked.isCovered;
      } else if (stage.check) stage.check(value as Uint8Array);
      else value = await stage.decode(value, true, { strided: false });
    }
    return isCovered;
  };
}
