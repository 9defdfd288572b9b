/** Checks the bytes of one chunk. */

import { type Awaitable, then } from "../awaitable.js";
import { loadChunkCheck as loadChainCheck } from "../chain/check.js";
import type { CodecRegistry } from "../chain/external.js";
import type { LoadOptions } from "../chain/load.js";
import { InvalidMetadataError } from "../errors.js";
import type { ChainMetadata, CodecMetadata } from "../metadata.js";
import { hasChecksum, isCheckedFormat } from "./codec-names.js";
import type { Proof } from "./outcome.js";
import { expectSome, isUnderstood, loadPartial } from "./partial-chain.js";

/** Checks chunks of one form. */
export interface ChunkCheck {
  /** Whether checking returns promises. */
  readonly isAsync: boolean;
  /** How many bytes of memory a chunk takes while it is read and checked, about. */
  readonly memory: number;
  /** Returns what is proven of bytes. @throws errors of this package, if they are damaged */
  check(encoded: Uint8Array): Awaitable<Proof>;
}

/**
 * Loads the check of chunks: decodes as much of their chain as there are codecs for.
 *
 * @throws InvalidMetadataError if the codecs are available and cannot decode the data type
 */
export async function loadChunkCheck(
  chain: ChainMetadata<string>,
  options: LoadOptions,
): Promise<ChunkCheck> {
  const checking = { ...options, codecs: withoutCheckedFormats(options.codecs) };
  try {
    const loaded = await loadChainCheck(chain, checking);
    return grading(loaded, proofOf(chain.codecs, loaded.isAsync, loaded.decodedByteLength !== undefined));
  } catch (error) {
    if (!(error instanceof InvalidMetadataError) || isUnderstood(chain, options.codecs)) throw error;
  }
  return loadPartial(chain, checking, async (partial) => {
    if (partial === undefined) return PRESENCE;
    const loaded = await loadChainCheck(partial.metadata, partial.options);
    return grading(loaded, proofOf(partial.known, true, false));
  });
}

/** Leaves formats to the host whose checksum it verifies; not all external codecs do. */
function withoutCheckedFormats(registry: CodecRegistry | undefined): CodecRegistry {
  return { get: (name) => (isCheckedFormat(name) ? undefined : registry?.get(name)) };
}

/** Returns what decoding a chunk without an error proves. */
function proofOf(codecs: readonly CodecMetadata[], hasExternal: boolean, isLengthKnown: boolean): Proof {
  if (hasChecksum(codecs)) return "checksum";
  if (!hasExternal) return "length";
  return isLengthKnown ? "decoded" : "present";
}

/** Makes a check that returns a proof, or a better one if an external codec has verified a checksum. */
function grading(loaded: Awaited<ReturnType<typeof loadChainCheck>>, proof: Proof): ChunkCheck {
  const { isAsync, decodedByteLength = UNKNOWN_LENGTH } = loaded;
  return {
    isAsync,
    // External codecs are given bytes, and return new ones.
    memory: (isAsync ? 3 : 1) * decodedByteLength,
    check: (encoded) => then(loaded.check(encoded), (isCovered) => (isCovered ? "checksum" : proof)),
  };
}

/** The length that is assumed of chunks whose codecs do not tell theirs. */
const UNKNOWN_LENGTH = 2 ** 22;

/** Nothing is known of chunks but that there has to be something. */
const PRESENCE: ChunkCheck = {
  isAsync: false,
  memory: UNKNOWN_LENGTH,
  check(encoded) {
    expectSome("encoded chunk", encoded);
    return "present";
  },
};
