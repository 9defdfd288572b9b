/**
 * The compiled Rust: its functions, with their errors as classes.
 *
 * It is loaded at the first call, so nobody has to wait for it or to initialize anything. A chunk that fits into its
 * window (`src/wasm/window.rs`) is copied there and back here, which for small chunks takes less than half the time of
 * having Rust do it; longer ones are passed to Rust.
 */

import { describe, errorFromRust, InvalidArgumentError } from "../errors.js";
import { copyElements, isShared } from "../intrinsics.js";
import {
  allocate,
  bytesOf,
  constructorOf,
  type TypedArray,
  type TypedArrayName,
  viewAs,
} from "../typed-array.js";
import { load, loadSync } from "./inlined.js"; // or from another loader, depending on the entry: see rust.ts
import type { Rust } from "./rust.js";

/** What Rust makes of metadata (`src/wasm/resolved.rs`, where each member is explained). */
export interface Resolved {
  readonly dataType: string;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly codecs: readonly ResolvedCodec[];
  readonly array: TypedArrayName;
  readonly dataByteLength: number;
  readonly encodedByteLength: number;
  readonly checksumCount: number;
  readonly conversion: number;
  readonly toFloat32?: number;
  readonly isIdentity: boolean;
  readonly hasInvalidElements: boolean;
  readonly encodedArithmetic: string;
  readonly decodedArithmetic: string;
  readonly float32Arithmetic: string;
}

/** A codec that applies, in full. */
export interface ResolvedCodec {
  readonly name: string;
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** The host's `WebAssembly.Module`, where its types are known. */
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : unknown;

/** The first bytes of one half of the window, as an array of any type. */
type Part = (name: TypedArrayName, byteLength: number) => TypedArray;

let encodedPart: Part;
let decodedPart: Part;

/**
 * Gives parts of one half of the window, and keeps those that it gave last: most calls are about chunks of one length,
 * and to make a view takes as long as to copy 1 KiB.
 */
function partOf(half: Uint8Array): Part {
  const kept: Partial<Record<TypedArrayName, { part: TypedArray; byteLength: number }>> = {};
  return (name, byteLength) => {
    const last = kept[name];
    if (last?.byteLength === byteLength) return last.part;
    const part = viewAs(name, half.subarray(0, byteLength)) as TypedArray; // The window is aligned.
    kept[name] = { part, byteLength };
    return part;
  };
}

/**
 * Whether Rust can be called. It does not call back, so a call that begins while another runs finds one that was ended
 * half-way, by a stack overflow or a trap, and has left Rust in no known state: then everything begins anew.
 */
let state: "new" | "ready" | "running" = "new";

let rust: Rust;

/** What `init` waits for, so that all who wait at a time wait for the same. */
let loading: Promise<Rust> | undefined;

/** The two halves of the window. */
let encodedWindow: Uint8Array;
let decodedWindow: Uint8Array;

function enter(): void {
  if (state !== "ready") start();
  state = "running";
}

function start(loaded?: Rust): void {
  if (state === "running") rust.__wbg_reset_state();
  else rust = loaded ?? loadSync();
  encodedWindow = rust.encodedWindow();
  decodedWindow = rust.decodedWindow();
  encodedPart = partOf(encodedWindow);
  decodedPart = partOf(decodedWindow);
  state = "ready";
}

/** Calls a function of Rust's that may throw. */
function call<N extends keyof Rust>(name: N, ...args: Parameters<Rust[N]>): ReturnType<Rust[N]> {
  enter();
  try {
    const result = (rust[name] as (...args: unknown[]) => ReturnType<Rust[N]>)(...args);
    state = "ready";
    return result;
  } catch (thrown) {
    const error = errorFromRust(thrown);
    if (error === undefined) throw thrown; // Not Rust's: the call was ended half-way.
    state = "ready";
    throw error;
  }
}

/**
 * Compiles the module without blocking, so that the first call need not. Where the host does not compile it, loads the
 * portable build in its place. Optional elsewhere.
 *
 * @example
 * ```ts
 * import { crc32c, init } from "zarr-codecs";
 *
 * await init();
 * crc32c(new Uint8Array(32)); // => 0x8a9136aa
 * ```
 */
export async function init(): Promise<void> {
  if (state !== "new") return;
  loading ??= load().finally(() => {
    loading = undefined;
  });
  const loaded = await loading;
  if (state === "new") start(loaded);
}

/**
 * Starts with a module that the host has compiled (`zarr-codecs/zarr_codecs.wasm`), for hosts that forbid compiling.
 * Optional elsewhere; without effect in the portable build, and once the package has started.
 *
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { crc32c, initSync } from "zarr-codecs";
 *
 * const file = new URL(import.meta.resolve("zarr-codecs/zarr_codecs.wasm"));
 * initSync(new WebAssembly.Module(await readFile(file)));
 * crc32c(new Uint8Array(32)); // => 0x8a9136aa
 * ```
 */
export function initSync(module: WasmModule): void {
  const exports = exportsOf(module as WebAssembly.Module);
  const another = (cause?: unknown) =>
    new InvalidArgumentError("module", "that of zarr-codecs/zarr_codecs.wasm", "another one", { cause });
  if (!["decodeWindow", "encodedWindow", "__wbindgen_start"].every((name) => exports.includes(name))) {
    throw another();
  }
  if (state !== "new") return;
  try {
    start(loadSync(module as WebAssembly.Module));
  } catch (cause) {
    const isUnlike = cause instanceof WebAssembly.LinkError || cause instanceof TypeError;
    throw isUnlike ? another(cause) : cause;
  }
}

/** What a module exports, which nothing but a module does. */
function exportsOf(module: WebAssembly.Module): string[] {
  try {
    return WebAssembly.Module.exports(module).map(({ name }) => name);
  } catch (cause) {
    throw new InvalidArgumentError("module", "a WebAssembly.Module", describe(module), { cause });
  }
}

/**
 * Which build runs: WebAssembly with SIMD instructions, or the portable one.
 *
 * @throws InvalidArgumentError where neither can run yet, as any first call does
 * @example
 * ```ts
 * import { backend } from "zarr-codecs";
 * import * as portable from "zarr-codecs/portable";
 *
 * backend(); // => "simd"
 * portable.backend(); // => "portable"
 * ```
 */
export function backend(): "simd" | "portable" {
  return call("hasSimd") ? "simd" : "portable";
}

/** Resolves a plain copy of metadata. */
export function resolve(
  metadata: unknown,
  ofArray: boolean,
  missingEndian: "little" | "big" | undefined,
  acceptInvalidBool: boolean,
): Resolved {
  return call("resolve", metadata, ofArray, missingEndian, acceptInvalidBool);
}

/** Reads a plain copy of a fill value into the bytes of one element of this data type. */
export function fillValue(dataType: string, value: unknown): Uint8Array {
  return call("fillValue", dataType, value);
}

/** The error about a chunk of another length than expected. */
export function chunkLengthError(
  encoded: boolean,
  expected: number,
  actual: number,
  arithmetic: string,
): Error {
  return errorFromRust(call("chunkLengthError", encoded, expected, actual, arithmetic)) as Error;
}

/** Decodes `encoded` into a new array, checking everything there is to check. */
export function decode(
  encoded: Uint8Array,
  name: TypedArrayName,
  byteLength: number,
  conversion: number,
  checksumCount: number,
): TypedArray {
  if (decodeInWindow(encoded, byteLength, conversion, checksumCount)) {
    return new (constructorOf(name))(decodedPart(name, byteLength));
  }
  const decoded = allocate(name, byteLength);
  call("decode", encoded, bytesOf(decoded, "decoded"), conversion, checksumCount);
  return decoded;
}

/**
 * Decodes data without checksums into an array of that type and length. (Not into its bytes: to make a view of them would
 * take a fifth of the time of decoding 256 bytes.)
 */
export function decodeInto(
  data: Uint8Array,
  decoded: TypedArray,
  name: TypedArrayName,
  byteLength: number,
  conversion: number,
): void {
  if (decodeInWindow(data, byteLength, conversion, 0)) {
    copyElements(decodedPart(name, byteLength), decoded);
  } else {
    const bytes = bytesOf(decoded, "out").subarray(0, byteLength); // Shared memory may have grown.
    call("decode", apart(data, bytes), bytes, conversion, 0);
  }
}

/** Decodes a chunk that fits into the window, there. False where it does not fit, or where decoding it throws. */
function decodeInWindow(
  encoded: Uint8Array,
  byteLength: number,
  conversion: number,
  checksumCount: number,
): boolean {
  enter();
  const encodedLength = encoded.byteLength;
  const fits = encodedLength <= WINDOW && byteLength <= WINDOW;
  if (fits) encodedWindow.set(encoded);
  const decoded = fits && rust.decodeWindow(encodedLength, conversion, checksumCount);
  state = "ready";
  return decoded;
}

/** Checks what {@link decode} checks, and writes nothing. */
export function check(encoded: Uint8Array, conversion: number, checksumCount: number): void {
  enter();
  const encodedLength = encoded.byteLength;
  const fits = encodedLength <= WINDOW;
  if (fits) encodedWindow.set(encoded);
  const valid = fits && rust.checkWindow(encodedLength, conversion, checksumCount);
  state = "ready";
  if (!valid) call("check", encoded, conversion, checksumCount);
}

/** Encodes `decoded` into new bytes, checksums included. */
export function encode(
  decoded: Uint8Array,
  byteLength: number,
  conversion: number,
  isIdentity: boolean,
  checksumCount: number,
): Uint8Array {
  if (encodeInWindow(decoded, byteLength, conversion, isIdentity, checksumCount)) {
    return new Uint8Array(encodedPart("Uint8Array", byteLength) as Uint8Array);
  }
  const encoded = allocate("Uint8Array", byteLength) as Uint8Array;
  call("encode", decoded, encoded, conversion, checksumCount);
  return encoded;
}

/**
 * Encodes `decoded` into an array of `byteLength` bytes, checksums included; where an element is invalid, it may be
 * overwritten.
 */
export function encodeInto(
  decoded: Uint8Array,
  encoded: TypedArray,
  byteLength: number,
  conversion: number,
  isIdentity: boolean,
  checksumCount: number,
): void {
  if (encodeInWindow(decoded, byteLength, conversion, isIdentity, checksumCount)) {
    copyElements(encodedPart("Uint8Array", byteLength), encoded);
  } else {
    const bytes = bytesOf(encoded, "out").subarray(0, byteLength); // Shared memory may have grown.
    call("encode", apart(decoded, bytes), bytes, conversion, checksumCount);
  }
}

/** Encodes a chunk in the window. False where it is too long for that, or where encoding it throws. */
function encodeInWindow(
  decoded: Uint8Array,
  byteLength: number,
  conversion: number,
  isIdentity: boolean,
  checksumCount: number,
): boolean {
  enter();
  const longest = isIdentity || checksumCount > 0 ? LONGEST_BUT_CONVERTED : WINDOW;
  const fits = byteLength <= longest && decoded.byteLength <= WINDOW;
  if (fits) decodedWindow.set(decoded);
  const encoded = fits && rust.encodeWindow(byteLength, conversion, checksumCount);
  state = "ready";
  return encoded;
}

/** Bytes of either half of the window (`SIZE` in `kernel/src/window.rs`). */
export const WINDOW = 256 * 1024;

/**
 * Longer chunks are encoded by Rust, unless all there is to do is to convert them: it saves a copy of bytes that stay as
 * they are, and a checksum is computed faster where it may overwrite the encoded bytes, which must have been copied out
 * before (`SHORTEST` in `kernel/src/crc32c/in_place.rs`).
 */
const LONGEST_BUT_CONVERTED = 24 * 1024;

/** The CRC-32C of what `initial` is of, followed by `bytes`, which are fewer than 2^32. */
export function crc32c(bytes: Uint8Array, initial: number): number {
  return call("crc32c", bytes, initial);
}

/** The same of as many bytes as fit into the window. Of `bytes` nothing is looked at but its memory. */
export function crc32cInWindow(bytes: Uint8Array, byteLength: number, initial: number): number {
  enter();
  encodedWindow.set(bytes);
  const crc = rust.crc32cWindow(byteLength, initial);
  state = "ready";
  return crc;
}

/** Checks a little-endian checksum against that of `byteLength` bytes. */
export function verifyChecksum(stored: Uint8Array, computed: number, byteLength: number): void {
  call("verifyChecksum", stored, computed, byteLength);
}

/** The CRC-32C of two messages joined. */
export function crc32cCombine(a: number, b: number, lengthOfB: number): number {
  return call("crc32cCombine", a, b, lengthOfB);
}

/**
 * `source`, or a copy of it where writing to `target` piece by piece might change what is still to be read: shared memory
 * can be the same under different objects. (That the bytes of one object do not overlap has been checked.)
 */
function apart(source: Uint8Array, target: Uint8Array): Uint8Array {
  const aliased = source.buffer !== target.buffer && isShared(source.buffer) && isShared(target.buffer);
  return aliased ? source.slice() : source;
}
