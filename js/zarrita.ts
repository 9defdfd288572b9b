/**
 * Registers `bytes`, `endian`, `crc32c` and the checksum codecs of numcodecs, when imported, in the copy of zarrita that this
 * module resolves to.
 *
 * @module
 */

import { registry } from "zarrita";
import { register } from "./register.js";

export { type CodecRegistry, type RegisterOptions, register, type Verify } from "./register.js";

/**
 * Restores the codecs that zarrita had before this module was imported.
 *
 * @example
 * ```ts
 * import { unregister } from "zarr-codecs/zarrita";
 * import { registry } from "zarrita";
 *
 * registry.has("endian"); // => true
 * unregister();
 * registry.has("endian"); // => false
 * ```
 */
export const unregister: () => void = register(registry);
