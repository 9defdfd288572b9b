/**
 * This package's codecs for zarrita: for each of its copies that an application holds.
 *
 * zarrita itself is not imported here, nor is the compiled Rust: that is loaded when a chunk needs it, which
 * little-endian data without checksums does not.
 *
 * @module
 */

export {
  type CodecRegistry,
  type RegisterOptions,
  register,
  type Verify,
} from "./zarrita/register.js";
export {
  type ExtendedStore,
  type ReadableStore,
  withExtendedTypes,
} from "./zarrita/stores/extended-types.js";
