/** Checks the bytes of one chunk. */

import { type Awaitable, then } from "../awaitable.js";
import { type CodecRegistry, type ExternalCodec, loadChunkCheck } from "../core.js";
import { ChunkLengthError, InvalidMetadataError } from "../errors.js";
import type { ChainMetadata, CodecMetadata } from "../metadata.js";
import {
  allCodecs,
  codecName,
  hasChecksum,
  isBuiltIn,
  isCheckedFormat,
  isKnownType,
  isOwn,
} from "./codecs.js";
import type { Proof } from "./types.js";

/** Checks chunks of one form. */
export interface BytesCheck {
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
 * @throws InvalidMetadataError where the codecs are available and cannot decode the data type
 */
export async function loadBytesCheck(
  chain: ChainMetadata<string>,
  registry: CodecRegistry | undefined,
): Promise<BytesCheck> {
  const { codecs } = chain;
  try {
    const loaded = await loadChunkCheck(chain, { codecs: withoutCheckedFormats(registry) });
    return grading(loaded, proofOf(codecs, loaded.isAsync, loaded.decodedByteLength !== undefined));
  } catch (error) {
    if (!(error instanceof InvalidMetadataError) || isUnderstood(chain, registry)) throw error;
    return loadPartialCheck(codecs, registry);
  }
}

/** Returns whether data type and codecs are all known, so that metadata which are rejected are wrong. */
export function isUnderstood(
  { dataType, codecs }: Pick<ChainMetadata<string>, "dataType" | "codecs">,
  registry: CodecRegistry | undefined,
): boolean {
  const isProvided = isProvidedBy(registry);
  return isKnownType(dataType) && allCodecs(codecs).every((codec) => isOwn(codec) || isProvided(codec));
}

const isProvidedBy = (registry: CodecRegistry | undefined) => (codec: CodecMetadata) =>
  isBuiltIn(codec) || registry?.get(codecName(codec)) !== undefined;

/** Leaves formats to the host whose checksum it verifies; not all codecs of others do. */
function withoutCheckedFormats(registry: CodecRegistry | undefined): CodecRegistry {
  return { get: (name) => (isCheckedFormat(name) ? undefined : registry?.get(name)) };
}

/** Returns what decoding a chunk without an error proves. */
function proofOf(codecs: readonly CodecMetadata[], hasOthers: boolean, isLengthKnown: boolean): Proof {
  if (hasChecksum(codecs)) return "checksum";
  if (!hasOthers) return "length";
  return isLengthKnown ? "decoded" : "present";
}

/** Makes a check that returns a proof, or a better one where a codec of others has verified a checksum. */
function grading(loaded: Awaited<ReturnType<typeof loadChunkCheck>>, proof: Proof): BytesCheck {
  const { isAsync, decodedByteLength = UNKNOWN_LENGTH } = loaded;
  return {
    isAsync,
    // Codecs of others are given bytes, and return new ones.
    memory: (isAsync ? 3 : 1) * decodedByteLength,
    check: (encoded) => then(loaded.check(encoded), (isCovered) => (isCovered ? "checksum" : proof)),
  };
}

/** The length that is assumed of chunks whose codecs do not tell theirs. */
const UNKNOWN_LENGTH = 2 ** 22;

/** Stand in for codecs that nobody has, so that paths in errors are right: the first one, and those after it. */
const UNKNOWN = "zarr-codecs.unknown";
const UNKNOWN_OVER_BYTES = "zarr-codecs.unknown-over-bytes";

const STAND_INS = new Map([
  [
    UNKNOWN,
    standIn("array_to_bytes", (data) => ({ data: expectSome("payload", data), shape: [1], stride: [1] })),
  ],
  [UNKNOWN_OVER_BYTES, standIn("bytes_to_bytes", (data) => data)],
]);

function standIn(kind: NonNullable<ExternalCodec["kind"]>, decode: (data: Uint8Array) => unknown) {
  return () => ({ fromConfig: () => ({ kind, decode, encode: decode }) });
}

/** Loads a check that decodes the last codecs of a chain of which some, or whose data type, are unknown. */
async function loadPartialCheck(
  codecs: readonly CodecMetadata[],
  registry: CodecRegistry | undefined,
): Promise<BytesCheck> {
  try {
    return await loadLast(codecs, registry);
  } catch (error) {
    if (!(error instanceof InvalidMetadataError)) throw error;
    // Those that the registry has may not be codecs over bytes.
    return loadLast(codecs, undefined);
  }
}

/** Loads a check that decodes the last codecs of a chain as far as they are provided. */
async function loadLast(
  codecs: readonly CodecMetadata[],
  registry: CodecRegistry | undefined,
): Promise<BytesCheck> {
  const known = lastOf(codecs, isProvidedBy(registry));
  if (known.length === 0) return PRESENCE;
  const unknown = codecs.slice(0, -known.length).map((_, i) => (i === 0 ? UNKNOWN : UNKNOWN_OVER_BYTES));
  const metadata = { dataType: "uint8" as const, shape: [1], codecs: [...unknown, ...known] };
  const others = withoutCheckedFormats(registry);
  const get = (name: string) => STAND_INS.get(name) ?? others.get(name);
  return grading(await loadChunkCheck(metadata, { codecs: { get } }), proofOf(known, true, false));
}

/** Returns the last codecs of which something is true; never the first one, which is none over bytes. */
function lastOf(codecs: readonly CodecMetadata[], isSuch: (codec: CodecMetadata) => boolean) {
  const others = codecs.slice(1).reverse();
  const end = others.findIndex((codec) => !isSuch(codec));
  return others.slice(0, end < 0 ? undefined : end).reverse();
}

/** Nothing is known of chunks but that there has to be something. */
const PRESENCE: BytesCheck = {
  isAsync: false,
  memory: UNKNOWN_LENGTH,
  check(encoded) {
    expectSome("encoded chunk", encoded);
    return "present";
  },
};

/** Returns bytes of which there is one at least. @throws ChunkLengthError */
function expectSome(name: string, bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > 0) return bytes;
  throw new ChunkLengthError(`${name} is 0 bytes, expected at least 1`, { expected: 1, actual: 0 });
}
