// Compiled, never run, with all declaration files checked: no types of zarrita are needed.

import { withCodecs } from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/crc32c";
import { register } from "zarr-codecs/zarrita";

export const unregister: () => void = register(new Map<string, () => Promise<unknown>>());
export const store = withCodecs(new Map<string, Uint8Array>());
export const encoded: Uint8Array = new Crc32cCodec({ verify: "warn" }).encode(new ArrayBuffer(4));
