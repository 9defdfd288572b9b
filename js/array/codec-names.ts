/** What the codecs of a chain are called, and what is known of each by its name. */

import { hasDecoder } from "../chain/built-in-decoder.js";
import {
  BYTES_NAMES,
  CHECKSUM_NAMES,
  CODEC_NAMES,
  OTHER_TYPES,
  OWN_CODEC_NAMES,
  VIEWS,
} from "../generated/facts.js";
import type { CodecMetadata, NamedConfiguration } from "../metadata.js";

const SHARDING = "sharding_indexed";

/** The formats that always store a checksum of their content, and that the host decodes and verifies. */
const CHECKED_FORMATS = ["gzip", "numcodecs.gzip", "zlib", "numcodecs.zlib"];

/** Returns the name of a codec, also of one in short-hand. */
export const codecName = (codec: CodecMetadata): string => (typeof codec === "string" ? codec : codec.name);

/** Returns whether a codec is one of this package. */
export const isOwn = (codec: CodecMetadata): boolean => OWN_CODEC_NAMES.includes(codecName(codec));

/** Returns whether a codec is one that the host decodes, verifying the checksum of its format. */
export const isCheckedFormat = (codec: CodecMetadata): boolean => CHECKED_FORMATS.includes(codecName(codec));

/** Returns whether a codec over bytes is built in. */
export function isBuiltIn(codec: CodecMetadata): boolean {
  const name = codecName(codec);
  const isOwnOverBytes = CODEC_NAMES.includes(name) && !BYTES_NAMES.includes(name);
  return isOwnOverBytes || hasDecoder(name);
}

/** Returns whether decoding a chunk verifies a checksum of all bytes that its elements come from. */
export const hasChecksum = (codecs: readonly CodecMetadata[]): boolean =>
  codecs.some((codec) => {
    if (codecName(codec) === SHARDING) return listsOf(codec).every(hasChecksum);
    return isCheckedFormat(codec) || CHECKSUM_NAMES.includes(codecName(codec));
  });

/** Returns the codecs of inner chunks, and those of the index, whose form has been checked. */
function listsOf(codec: CodecMetadata): (readonly CodecMetadata[])[] {
  const { codecs, index_codecs } = (codec as NamedConfiguration).configuration ?? {};
  return [codecs, index_codecs] as (readonly CodecMetadata[])[];
}

/** Returns all codecs of a list, also those in shards. */
export const allCodecs = (codecs: readonly CodecMetadata[]): readonly CodecMetadata[] =>
  codecs.flatMap((codec) =>
    codecName(codec) === SHARDING ? listsOf(codec).flatMap((list = []) => allCodecs(list)) : [codec],
  );

/** Returns whether the last bytes of an encoded chunk are a CRC-32C of all others. */
export function endsWithChecksum(codecs: readonly CodecMetadata[]): boolean {
  const last = codecs.at(-1);
  return last !== undefined && codecName(last) === "crc32c";
}

/** Returns whether a chunk consists of its elements in C order, followed by checksums. */
export function storesElements([first, ...others]: readonly CodecMetadata[]): boolean {
  return (
    first !== undefined &&
    BYTES_NAMES.includes(codecName(first)) &&
    others.every((codec) => codecName(codec) === "crc32c")
  );
}

/** Returns whether this package has a data type. */
export function isKnownType(dataType: unknown): boolean {
  const name = String((dataType as NamedConfiguration | undefined)?.name ?? dataType);
  return name === "bool" || name in VIEWS || name in OTHER_TYPES || /^r\d+$/.test(name);
}
