/**
 * This package's codecs for any copy of zarrita in an application.
 *
 * Imports neither zarrita nor the compiled Rust, which is loaded when a chunk needs it: little-endian data without checksums
 * does not.
 *
 * @module
 */

export { isZarrCodecError } from "./errors.js";
export {
  type CodecRegistry,
  type RegisterOptions,
  register,
  type Verify,
} from "./zarrita/register.js";
