/**
 * The errors of this package. Each message says what was expected, what came, and where; the fields carry the numbers.
 * All but {@link InvalidArgumentError} are decided in Rust (`src/error.rs`) and get their class here.
 */

import { typedArrayLength, typedArrayName } from "./intrinsics.js";

/** Marks the errors of every copy of this package that an application may hold. */
const BRAND = Symbol.for("zarr-codecs.error");

/** The stable `code` of an error. */
export type ErrorCode =
  | "invalid_metadata"
  | "chunk_length"
  | "checksum_mismatch"
  | "invalid_element"
  | "invalid_argument";

/**
 * What all errors of this package extend.
 *
 * @example
 * ```ts
 * import { createCodecChain, ZarrCodecError } from "zarr-codecs";
 *
 * try {
 *   createCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes"] }).decode(new Uint8Array(3));
 * } catch (error) {
 *   if (!(error instanceof ZarrCodecError)) throw error;
 *   error.code; // => "chunk_length"
 * }
 * ```
 */
export abstract class ZarrCodecError extends Error {
  /** Which error this is; does not change between versions. */
  abstract readonly code: ErrorCode;
  readonly [BRAND]: true = true;

  constructor(message: string, options?: ErrorOptions) {
    super(abridge(message), options);
  }
}

/**
 * Metadata that the Zarr specifications do not allow or that this package does not implement.
 * Thrown when a codec chain is made. To recover, correct the metadata at `path`, or use an option that allows it.
 *
 * @example
 * ```ts
 * import { createCodecChain, InvalidMetadataError } from "zarr-codecs";
 *
 * try {
 *   createCodecChain({ dataType: "float32", shape: [2], codecs: ["bytes"] });
 * } catch (error) {
 *   if (!(error instanceof InvalidMetadataError)) throw error;
 *   error.path; // => "codecs[0].configuration.endian"
 * }
 * ```
 */
export class InvalidMetadataError extends ZarrCodecError {
  override readonly name = "InvalidMetadataError";
  readonly code = "invalid_metadata";
  /** The JSON path of the offending value, like `codecs[0].configuration.endian`. */
  readonly path: string;

  constructor(message: string, fields: { path: string }, options?: ErrorOptions) {
    super(message, options);
    this.path = fields.path;
  }
}

/**
 * A chunk of another length than data type, shape and codecs ask for: truncated, padded, or not this array's.
 * Thrown by `decode` and `encode` before anything is read or written, and by a `Crc32cDecoderStream` at its end.
 *
 * @example
 * ```ts
 * import { ChunkLengthError, createCodecChain } from "zarr-codecs";
 *
 * try {
 *   createCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes"] }).decode(new Uint8Array(3));
 * } catch (error) {
 *   if (!(error instanceof ChunkLengthError)) throw error;
 *   [error.expected, error.actual]; // => [2, 3]
 * }
 * ```
 */
export class ChunkLengthError extends ZarrCodecError {
  override readonly name = "ChunkLengthError";
  readonly code = "chunk_length";
  /** The length that the metadata asks for, in bytes. */
  readonly expected: number;
  /** The length that came, in bytes. */
  readonly actual: number;

  constructor(message: string, fields: { expected: number; actual: number }) {
    super(message);
    this.expected = fields.expected;
    this.actual = fields.actual;
  }
}

/**
 * A chunk whose stored checksum is not the CRC-32C of the bytes before it: they changed since they were written.
 * Thrown by `decode`. To recover, fetch the chunk again; to look at it all the same, decode with `verify: false`.
 *
 * @example
 * ```ts
 * import { ChecksumMismatchError, createCodecChain } from "zarr-codecs";
 *
 * try {
 *   createCodecChain({ dataType: "uint8", shape: [32], codecs: ["bytes", "crc32c"] }).decode(new Uint8Array(36));
 * } catch (error) {
 *   if (!(error instanceof ChecksumMismatchError)) throw error;
 *   [error.stored, error.computed, error.byteLength]; // => [0, 0x8a9136aa, 32]
 * }
 * ```
 */
export class ChecksumMismatchError extends ZarrCodecError {
  override readonly name = "ChecksumMismatchError";
  readonly code = "checksum_mismatch";
  /** The checksum found in the chunk, an unsigned 32-bit number. */
  readonly stored: number;
  /** The CRC-32C of the bytes it should be of, an unsigned 32-bit number. */
  readonly computed: number;
  /** How many bytes those are. */
  readonly byteLength: number;
  /** What the writer probably did, where the stored value tells. */
  readonly diagnosis?: string;

  constructor(
    message: string,
    fields: { stored: number; computed: number; byteLength: number; diagnosis?: string },
  ) {
    super(message);
    this.stored = fields.stored;
    this.computed = fields.computed;
    this.byteLength = fields.byteLength;
    if (fields.diagnosis !== undefined) this.diagnosis = fields.diagnosis;
  }
}

/**
 * An element whose bytes the data type does not allow: a `bool` other than 0 and 1.
 * Thrown by `decode` and `encode`. To accept such elements as true, use the option `invalidBool: "true"`.
 *
 * @example
 * ```ts
 * import { createCodecChain, InvalidElementError } from "zarr-codecs";
 *
 * try {
 *   createCodecChain({ dataType: "bool", shape: [3], codecs: ["bytes"] }).decode(Uint8Array.of(0, 1, 2));
 * } catch (error) {
 *   if (!(error instanceof InvalidElementError)) throw error;
 *   [error.index, error.value]; // => [2, 2]
 * }
 * ```
 */
export class InvalidElementError extends ZarrCodecError {
  override readonly name = "InvalidElementError";
  readonly code = "invalid_element";
  /** The element's position in the chunk, in C order. */
  readonly index: number;
  /** Its byte. */
  readonly value: number;

  constructor(message: string, fields: { index: number; value: number }) {
    super(message);
    this.index = fields.index;
    this.value = fields.value;
  }
}

/**
 * An argument of the wrong kind or size (no buffer, an array of another type, an unknown option), or a host without what
 * a call needs: then `argument` is `memory` or, where the host does not compile the module, `WebAssembly`. To recover
 * from that, `await init()`, or import `zarr-codecs/portable`.
 *
 * @example
 * ```ts
 * import { createCodecChain, InvalidArgumentError } from "zarr-codecs";
 *
 * const chain = createCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes"] });
 * try {
 *   chain.decode(Uint8Array.of(1, 2), { out: new Uint8Array(3) });
 * } catch (error) {
 *   if (!(error instanceof InvalidArgumentError)) throw error;
 *   error.message; // => "out: expected Uint8Array of 2 elements, got Uint8Array of 3"
 *   error.argument; // => "out"
 * }
 * ```
 */
export class InvalidArgumentError extends ZarrCodecError {
  override readonly name = "InvalidArgumentError";
  readonly code = "invalid_argument";
  /** The argument's name, like `out` or `options.verify`. */
  readonly argument: string;

  constructor(argument: string, expected: string, got: string, options?: ErrorOptions) {
    super(`${argument}: expected ${expected}, got ${got}`, options);
    this.argument = argument;
  }
}

/**
 * Whether `value` is an error of this package, also one from another copy of it or another realm. Its `code` then tells
 * its type.
 *
 * @example
 * ```ts
 * import { isZarrCodecError } from "zarr-codecs";
 *
 * isZarrCodecError(new Error("of somebody else")); // => false
 * ```
 * @example
 * ```ts
 * import { decode, isZarrCodecError } from "zarr-codecs";
 *
 * try {
 *   decode(new Uint8Array(36), { dataType: "uint8", shape: [32], codecs: ["bytes", "crc32c"] });
 * } catch (error) {
 *   if (!isZarrCodecError(error) || error.code !== "checksum_mismatch") throw error;
 *   error.computed; // => 0x8a9136aa
 * }
 * ```
 */
export function isZarrCodecError(value: unknown): value is AnyZarrCodecError {
  try {
    return typeof value === "object" && value !== null && BRAND in value;
  } catch {
    return false; // A proxy that does not want to be looked at.
  }
}

/** Any error of this package, told apart by `code`. */
export type AnyZarrCodecError =
  | InvalidMetadataError
  | ChunkLengthError
  | ChecksumMismatchError
  | InvalidElementError
  | InvalidArgumentError;

/** The fields of an error in Rust (`src/error.rs`). */
type RustError =
  | { code: "invalid_metadata"; path: string }
  | { code: "chunk_length"; expected: number; actual: number }
  | { code: "checksum_mismatch"; stored: number; computed: number; byteLength: number; diagnosis?: string }
  | { code: "invalid_element"; index: number; value: number };

/** Makes an instance of the right class from what Rust throws; undefined for anything else that was thrown. */
export function errorFromRust(thrown: unknown): ZarrCodecError | undefined {
  if (!Array.isArray(thrown)) return undefined;
  const [message, error] = thrown as [string, RustError];
  switch (error.code) {
    case "invalid_metadata":
      return new InvalidMetadataError(message, error);
    case "chunk_length":
      return new ChunkLengthError(message, error);
    case "checksum_mismatch":
      return new ChecksumMismatchError(message, error);
    case "invalid_element":
      return new InvalidElementError(message, error);
  }
}

/** The longest message, in characters. */
const LONGEST = 300;

/** A message without its middle, if it is long: it begins with where the fault is, and ends with what came. */
function abridge(message: string): string {
  if (message.length <= LONGEST) return message;
  const half = Math.floor((LONGEST - " ... ".length) / 2);
  return `${message.slice(0, half)} ... ${message.slice(-half)}`;
}

/** The caller's text for a message: not more of it than helps. */
export function cut(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}...` : text;
}

/** How a value is named in a message. */
export function describe(value: unknown): string {
  if (typeof value === "string") return `"${cut(value)}"`;
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value === "bigint") return describeBigInt(value);
  if (typeof value !== "object" || value === null) return String(value);
  const array = typedArrayName(value);
  if (array !== undefined) return `${array} of ${typedArrayLength(value)}`;
  try {
    if (Array.isArray(value)) return "an array";
    const tag = cut(Object.prototype.toString.call(value).slice(8, -1));
    return tag === "Object" ? "an object" : `${/^[AEIO]/.test(tag) ? "an" : "a"} ${tag}`;
  } catch {
    return "an object that cannot be read";
  }
}

function describeBigInt(value: bigint): string {
  return BigInt.asIntN(128, value) === value ? `${value}n` : "a BigInt of more than 128 bits";
}
