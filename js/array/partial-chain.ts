/** Chains of which some codecs, or the data type, are unknown: they are decoded from the end as far as codecs are known. */

import type { CodecRegistry, ExternalCodec } from "../chain/external.js";
import type { LoadOptions } from "../chain/load.js";
import { ChunkLengthError, InvalidMetadataError } from "../errors.js";
import type { ChainMetadata, CodecMetadata } from "../metadata.js";
import { allCodecs, codecName, isBuiltIn, isKnownType, isOwn } from "./codec-names.js";

/** The last codecs of a chain, as a chain of their own. */
export interface PartialChain {
  readonly metadata: ChainMetadata<string>;
  readonly options: LoadOptions;
  /** The codecs that are decoded, and those before them. */
  readonly known: readonly CodecMetadata[];
  readonly remaining: readonly CodecMetadata[];
}

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

/**
 * Loads something of the last codecs of a chain that are provided.
 *
 * @param load is called with undefined if there are none
 */
export async function loadPartial<T>(
  { codecs }: Pick<ChainMetadata<string>, "codecs">,
  options: LoadOptions,
  load: (partial: PartialChain | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await load(partialChain(codecs, options));
  } catch (error) {
    if (!(error instanceof InvalidMetadataError)) throw error;
    // Those that the registry has may not be codecs over bytes.
    return load(partialChain(codecs, { ...options, codecs: undefined }));
  }
}

function partialChain(codecs: readonly CodecMetadata[], options: LoadOptions): PartialChain | undefined {
  const known = lastOf(codecs, isProvidedBy(options.codecs));
  if (known.length === 0) return undefined;
  const remaining = codecs.slice(0, -known.length);
  const unknown = remaining.map((_, i) => (i === 0 ? UNKNOWN : UNKNOWN_OVER_BYTES));
  const get = (name: string) => STAND_INS.get(name) ?? options.codecs?.get(name);
  return {
    metadata: { dataType: "uint8", shape: [1], codecs: [...unknown, ...known] },
    options: { ...options, codecs: { get } },
    known,
    remaining,
  };
}

/** Returns whether data type and codecs are all known, so that metadata that is rejected is wrong. */
export function isUnderstood(
  { dataType, codecs }: Pick<ChainMetadata<string>, "dataType" | "codecs">,
  registry: CodecRegistry | undefined,
): boolean {
  const isProvided = isProvidedBy(registry);
  return isKnownType(dataType) && allCodecs(codecs).every((codec) => isOwn(codec) || isProvided(codec));
}

const isProvidedBy = (registry: CodecRegistry | undefined) => (codec: CodecMetadata) =>
  isBuiltIn(codec) || registry?.get(codecName(codec)) !== undefined;

/** Returns the last codecs of which something is true; never the first one, which is none over bytes. */
function lastOf(codecs: readonly CodecMetadata[], isSuch: (codec: CodecMetadata) => boolean) {
  const others = codecs.slice(1).reverse();
  const end = others.findIndex((codec) => !isSuch(codec));
  return others.slice(0, end < 0 ? undefined : end).reverse();
}

/** Returns bytes of which there is one at least. @throws ChunkLengthError */
export function expectSome(name: string, bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > 0) return bytes;
  throw new ChunkLengthError(`${name} is 0 bytes, expected at least 1`, { expected: 1, actual: 0 });
}
