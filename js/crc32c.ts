/**
 * CRC-32C (Castagnoli) alone: the fastest for JavaScript, without the codecs.
 *
 * @module
 */

export { backend, Crc32c, crc32c, crc32cCombine, init } from "./core.js";
