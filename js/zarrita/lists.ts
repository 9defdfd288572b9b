/** The codecs of an array as zarrita runs them: which of them are this package's, and their lengths. */

import { type CodecChain, createCodecChain, type ExternalStep, requestFor, resolve } from "../core.js";
import { CODEC_NAMES } from "../generated/facts.js";
import type { ChainOptions } from "../options.js";
import type { DataType } from "../typed-array.js";
import { ARRAY_TO_BYTES_NAMES, CONVERTED, type Conversion } from "./stores/codecs.js";
import { dataTypeOf, type Leniency, type PipelineCodec, type PipelineMetadata } from "./view.js";

/** The place of a codec in a chain. */
export type Kind = "array_to_array" | "array_to_bytes" | "bytes_to_bytes";

/** Replaces a codec of others, which zarrita runs, so that ours keep their indexes for the order and the paths in errors. */
const OTHER = { name: "other", must_understand: false };

/** A sound array-to-bytes codec of this package, for lengths, which no byte order changes. */
const BYTES = { name: "bytes", configuration: { endian: "little" } };

export const isBytes = ({ name }: PipelineCodec): boolean => ARRAY_TO_BYTES_NAMES.includes(name);

export const isCrc32c = (codec: PipelineCodec): boolean => codec.name === "crc32c";

/**
 * Resolves our codecs in an array's list of codecs.
 *
 * @throws InvalidMetadataError
 */
export function resolveOwn(
  codecs: readonly PipelineCodec[],
  metadata: PipelineMetadata,
  { missingEndian, invalidBool }: Leniency,
  float16: ChainOptions["float16"] = "auto",
): CodecChain {
  const stored = storedMetadata(codecs, metadata);
  const toBytes = codecs.findIndex(isBytes);
  const replaced = codecs.map((codec, i) => {
    // Filters of Zarr v2 precede the byte order, even those that zarrita applies to bytes.
    const isFilter = isVersion2Filter(codec, metadata) || (i < toBytes && isNumcodecs(codec));
    if (isFilter || !isOwn(codec)) return OTHER;
    return codec.name === CONVERTED ? plainBytes(codec) : codec;
  });
  return createCodecChain(
    {
      dataType: stored.dataType as DataType,
      shape: stored.shape,
      codecs: replaced as { name: string }[],
    },
    { missingEndian, invalidBool, float16: stored.isConverted ? "float32" : float16 },
  );
}

/** Returns the configuration of the codec that converts to the shown data type, where there is one. */
export function conversionOf(codecs: readonly PipelineCodec[]): Conversion | undefined {
  const codec = codecs.find(({ name }) => name === CONVERTED);
  return (codec?.configuration as { conversion: Conversion } | undefined)?.conversion;
}

/** Returns the data type and the shape of the chunk that is stored, where another one is shown. */
function storedMetadata(codecs: readonly PipelineCodec[], metadata: PipelineMetadata) {
  const conversion = conversionOf(codecs);
  const shape = conversion?.has_axis ? metadata.shape.slice(0, -1) : metadata.shape;
  const isConverted = conversion !== undefined;
  return { dataType: isConverted ? conversion.data_type : dataTypeOf(metadata), shape, isConverted };
}

/** Returns the `bytes` codec that was replaced. */
function plainBytes(codec: PipelineCodec): PipelineCodec {
  const { conversion: _, ...configuration } = codec.configuration as Record<string, unknown>;
  return { ...codec, name: "bytes", configuration };
}

/** Returns whether this package knows a codec. Array-to-array codecs are left to zarrita, and change no length. */
const isOwn = (codec: PipelineCodec) => isBytes(codec) || CODEC_NAMES.includes(codec.name);

const isNumcodecs = ({ name }: PipelineCodec) => name.startsWith("numcodecs.");

/**
 * Returns whether a codec is the Zarr v2 filter `crc32c`, which zarrita before 0.7 looks up by the name of the Zarr v3 codec.
 * It states the location of the checksum, and may precede `bytes`.
 */
export function isVersion2Filter(
  { name, configuration }: PipelineCodec,
  metadata: PipelineMetadata | undefined,
): boolean {
  const { location } = Object(configuration) as { location?: unknown };
  const isOld = metadata !== undefined && metadata.dataType === undefined;
  return isOld && name === "crc32c" && location === "end";
}

/** Returns the indexes of the codecs with this name and configuration: zarrita does not tell which of them is meant. */
export function placesOf(
  { name, configuration }: PipelineCodec,
  metadata: PipelineMetadata | undefined,
): number[] {
  return (metadata?.codecs ?? []).flatMap((codec, i) =>
    codec.name === name && codec.configuration === configuration ? [i] : [],
  );
}

/**
 * Returns the codecs between `bytes`, which the list must have, and the codec at an index; undefined unless it comes later, and
 * all of them are of this package, so that lengths are known.
 */
export function between(codecs: readonly PipelineCodec[], place: number): PipelineCodec[] | undefined {
  const toBytes = codecs.findIndex(isBytes);
  const codecsBetween = codecs.slice(toBytes + 1, place);
  const isKnown = toBytes < place && codecsBetween.every(isOwn);
  return isKnown ? codecsBetween : undefined;
}

/**
 * Returns how many bytes a codec of others decodes to, if that is known.
 *
 * @param place its index in the list of codecs
 * @param kinds the kinds of codecs by name; zarrita goes by them, and not by the order in the metadata
 */
export function decodedByteLength(
  metadata: PipelineMetadata,
  place: number,
  kinds: ReadonlyMap<string, Kind>,
): number | undefined {
  const codecs = metadata.codecs ?? [];
  const kindOf = (codec: PipelineCodec) => (isOwn(codec) ? "bytes_to_bytes" : kinds.get(codec.name));
  const before = codecs.slice(0, place).filter((codec) => !isBytes(codec));
  if (before.some((codec) => kindOf(codec) === undefined)) return undefined;
  if (codecs.some((codec) => kindOf(codec) === "array_to_bytes")) return undefined; // Of others, to any length.
  // The others are array-to-array codecs: zarrita passes metadata of what they encode to.
  const bytesToBytes = before.filter((codec) => kindOf(codec) === "bytes_to_bytes");
  const chain = [BYTES, ...bytesToBytes.map((codec) => (isOwn(codec) ? { name: codec.name } : OTHER)), OTHER];
  // Rust ignores these kinds for codecs of its own.
  const external = chain.map((_, index) => ({ path: `codecs[${index}]`, kind: "bytes_to_bytes" }));
  try {
    const { dataType, shape } = storedMetadata(codecs, metadata);
    const request = requestFor({ dataType: dataType as string, shape, codecs: chain }, {});
    const { steps } = resolve({ ...request, external });
    return (steps[0] as ExternalStep).decodedByteLength; // Steps are in the order of decoding.
  } catch {
    return undefined; // Invalid, which `bytes` reports, or a data type of Zarr v2.
  }
}
