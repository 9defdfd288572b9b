/** The codecs of an array as zarrita runs them: which of them are this package's, and their lengths. */

import { type CodecChain, createCodecChain } from "../core.js";
import { BYTES_NAMES, CODEC_NAMES } from "../generated/facts.js";
import type { ChainOptions } from "../options.js";
import type { DataType } from "../typed-array.js";
import { dataTypeOf, type Leniency, type PipelineCodec, type PipelineMetadata } from "./view.js";

/** Replaces a codec of others, which zarrita runs, so that ours keep their indexes for the order and the paths in errors. */
const OTHER = { name: "other", must_understand: false };

export const isBytes = ({ name }: PipelineCodec): boolean => BYTES_NAMES.includes(name);

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
  const toBytes = codecs.findIndex(isBytes);
  const replaced = codecs.map((codec, i) => {
    // Filters of Zarr v2 precede the byte order, even those that zarrita applies to bytes.
    const isFilter = isVersion2Filter(codec, metadata) || (i < toBytes && isNumcodecs(codec));
    return isFilter || !isOwn(codec) ? OTHER : codec;
  });
  return createCodecChain(
    {
      dataType: dataTypeOf(metadata) as DataType,
      shape: metadata.shape,
      codecs: replaced as { name: string }[],
    },
    { missingEndian, invalidBool, float16 },
  );
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
