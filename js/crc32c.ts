/**
 * CRC-32C (Castagnoli; RFC 3720) alone, without the codecs, in a module of its own.
 *
 * @module
 */

export { backend, Crc32c, crc32c, crc32cCombine, init } from "./core.js";
