// Compiled, never run, with all declaration files checked: no types of zarrita are needed.

import { withCodecs } from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/numcodecs";
import { register } from "zarr-codecs/register";

export const unregister: () => void = register(new Map<string, () => Promise<unknown>>());
export const store = withCodecs(new Map<string, Uint8Array>());
export const encoded: Uint8Array = new Crc32cCodec("warn").encode(new ArrayBuffer(4));
