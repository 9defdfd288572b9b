/** What the codecs of a chain are called, and which chains this package can decode by itself. */

import type { CodecMetadata } from "zarr-codecs";
import { CODEC_NAMES } from "../generated/facts.js";

/** Returns the name of a codec, also of one in short-hand. */
export const codecName = (codec: CodecMetadata): string => (typeof codec === "string" ? codec : codec.name);

/** Returns whether this package decodes every codec of a chain. */
export const isOurs = (codecs: readonly CodecMetadata[]): boolean =>
  codecs.every((codec) => CODEC_NAMES.includes(codecName(codec)));

/** Returns whether the last bytes of an encoded chunk are a checksum of all others. */
export function endsWithChecksum(codecs: readonly CodecMetadata[]): boolean {
  const last = codecs.at(-1);
  return last !== undefined && codecName(last) === "crc32c";
}
