/** What the codecs of a chain are called, and what is known of each by its name. */

import type { CodecMetadata } from "zarr-codecs";
import { BYTES_NAMES, CHECKSUM_NAMES, OWN_CODEC_NAMES } from "../generated/facts.js";

/** The formats that always store a checksum of their content, and that the host decodes and verifies. */
const CHECKED_FORMATS = ["gzip", "numcodecs.gzip", "zlib", "numcodecs.zlib"];

/** Returns the name of a codec, also of one in short-hand. */
export const codecName = (codec: CodecMetadata): string => (typeof codec === "string" ? codec : codec.name);

/** Returns whether a codec is one of this package. */
export const isOwn = (codec: CodecMetadata): boolean =>
  OWN_CODEC_NAMES.includes(codecName(codec)) && codecName(codec) !== "sharding_indexed";

/** Returns whether a codec is one that the host decodes, verifying the checksum of its format. */
export const isCheckedFormat = (codec: CodecMetadata): boolean => CHECKED_FORMATS.includes(codecName(codec));

/** Returns whether decoding a chunk verifies a checksum of all bytes that its elements come from. */
export const hasChecksum = (codecs: readonly CodecMetadata[]): boolean =>
  codecs.some((codec) => isCheckedFormat(codec) || CHECKSUM_NAMES.includes(codecName(codec)));

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
