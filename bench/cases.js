// What is measured. A case gives, for a size in bytes of encoded data, the ways to do one piece of work: ours first.
//
// Fresh output (a new array per call) and reused output (`out`) are cases of their own: what a fresh one costs is
// mostly up to the host's allocator.

import { BYTES_CASES } from "./bytes.js";
import { CONVERSION_CASES } from "./conversions.js";
import { SIZES } from "./shared.js";
import { TRANSPOSE_CASES } from "./transpose.js";
import { TYPE_CASES } from "./types.js";

export { SIZES };

/**
 * @typedef {"big" | "little"} Endian
 * @typedef {"uint16" | "float32" | "float64"} NumberType
 * @typedef {import("./loops.js").Target} Target
 */

/**
 * One way to do the work of a case.
 *
 * @typedef {object} Implementation
 * @property {string} name
 * @property {() => unknown} run
 * @property {(outcome: any) => unknown} [read] gives a number or an array that must equal that of the others
 * @property {boolean} [differs] it does other work, for comparison: its outcome is not that of the others
 */

/**
 * The ways of others to do the same work, as peers.js loads them.
 *
 * @typedef {object} Peers
 * @property {{ name: string, run: (bytes: Uint8Array) => unknown, read?: (outcome: any) => unknown }[]} checksums
 * @property {Swap[]} swaps
 * @property {(dataType: NumberType, length: number, endian: Endian) => { bytes: ZarritaCodec, crc32c: ZarritaCodec }} zarrita
 * @property {(shape: number[], order: number[]) => ZarritaCodec} zarritaTranspose
 */

/**
 * @typedef {{ name: string, swap: (bytes: Uint8Array, target: Target) => void }} Swap
 * @typedef {{ decode: (encoded: any) => any, encode: (decoded: any) => any }} ZarritaCodec
 */

/** @typedef {(size: number, peers: Peers) => Implementation[]} Prepare */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {boolean} [inTime] say how long it takes, not how many bytes that is per second
 * @property {number[]} [sizes] at which it is measured unless others are asked for: most often SIZES
 * @property {Prepare} prepare
 */

/** @type {Case[]} */
export const CASES = [...BYTES_CASES, ...CONVERSION_CASES, ...TRANSPOSE_CASES, ...TYPE_CASES].map((one) => ({
  sizes: SIZES,
  ...one,
}));
