/**
 * The compiled Rust: which build runs, and its functions with their errors as classes.
 *
 * The module is inlined and compiled at the first call, so nobody has to wait for it or to initialize anything.
 */

import { errorFromRust } from "../errors.js";
import type { TypedArrayName } from "../typed-array.js";
import { WASM_BASE64 } from "./generated/wasm.js";
import * as rust from "./generated/zarr_codecs.js";

/** What Rust makes of metadata (`src/wasm/resolved.rs`, where each member is explained). */
export interface Resolved {
  readonly dataType: string;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly codecs: readonly { readonly name: string; readonly configuration?: Record<string, unknown> }[];
  readonly array: TypedArrayName;
  readonly dataByteLength: number;
  readonly encodedByteLength: number;
  readonly checksumCount: number;
  readonly conversion: Conversion;
  readonly toFloat32?: Conversion;
  readonly isIdentity: boolean;
  readonly hasInvalidElements: boolean;
  readonly encodedArithmetic: string;
  readonly decodedArithmetic: string;
}

/** How encoded bytes become decoded ones (`Conversion` in `src/codec/bytes.rs`). */
export type Conversion = rust.Conversion;

let started = false;

function start(module?: WebAssembly.Module): void {
  if (started) return;
  rust.initSync({ module: module ?? decodeBase64(WASM_BASE64) });
  started = true;
}

/**
 * Compiles the module without blocking, so that the first call need not. Optional.
 *
 * @example
 * ```ts
 * await init();
 * ```
 */
export async function init(): Promise<void> {
  if (started) return;
  start(await WebAssembly.compile(decodeBase64(WASM_BASE64)));
}

/**
 * Starts with a module that the host has compiled (`zarr-codecs/zarr_codecs.wasm`), for hosts that forbid compiling.
 * Optional elsewhere; without effect once the package has started.
 */
export function initSync(module: WebAssembly.Module): void {
  start(module);
}

/** Which build runs: WebAssembly with SIMD instructions, or the portable one. */
export function backend(): "simd" | "portable" {
  return call(rust.hasSimd) ? "simd" : "portable";
}

/** Resolves a plain copy of metadata. */
export function resolve(
  metadata: unknown,
  ofArray: boolean,
  missingEndian: "little" | "big" | undefined,
  acceptInvalidBool: boolean,
): Resolved {
  return call(rust.resolve, metadata, ofArray, missingEndian, acceptInvalidBool);
}

/** Decodes `encoded` into `decoded`, checking everything there is to check. */
export function decode(
  encoded: Uint8Array,
  decoded: Uint8Array,
  conversion: Conversion,
  checksumCount: number,
): void {
  call(rust.decode, encoded, decoded, conversion, checksumCount);
}

/** Checks what {@link decode} checks, and writes nothing. */
export function check(encoded: Uint8Array, conversion: Conversion, checksumCount: number): void {
  call(rust.check, encoded, conversion, checksumCount);
}

/** Encodes `decoded` into `encoded`, checksums included. */
export function encode(
  decoded: Uint8Array,
  encoded: Uint8Array,
  conversion: Conversion,
  checksumCount: number,
): void {
  call(rust.encode, decoded, encoded, conversion, checksumCount);
}

/** The error about a chunk of another length than expected. */
export function chunkLengthError(
  encoded: boolean,
  expected: number,
  actual: number,
  arithmetic: string,
): Error {
  return errorFromRust(call(rust.chunkLengthError, encoded, expected, actual, arithmetic));
}

/** Checks a little-endian checksum against that of `byteLength` bytes. */
export function verifyChecksum(stored: Uint8Array, computed: number, byteLength: number): void {
  call(rust.verifyChecksum, stored, computed, byteLength);
}

/** The CRC-32C of what `initial` is of, followed by `bytes`, which are fewer than 2^32. */
export function crc32c(bytes: Uint8Array, initial: number): number {
  return call(rust.crc32c, bytes, initial);
}

/** The CRC-32C of two messages joined. */
export function crc32cCombine(a: number, b: number, lengthOfB: number): number {
  return call(rust.crc32cCombine, a, b, lengthOfB);
}

function call<A extends unknown[], R>(f: (...args: A) => R, ...args: A): R {
  start();
  try {
    return f(...args);
  } catch (error) {
    throw error instanceof Error ? error : errorFromRust(error as Parameters<typeof errorFromRust>[0]);
  }
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
