/**
 * The errors of this package. Each message says what was expected, what was found, and where; the fields carry the numbers.
 * Rust decides all but {@link InvalidArgumentError} (`src/error.rs`); they get their class here.
 */

import { abridge } from "./message.js";

// Exported here because the built package has one file for both.
export { describe, describeList, either, truncate } from "./message.js";

/** Brands the errors of every copy of this package in an application. */
const BRAND = Symbol.for("zarr-codecs.error");

/** The stable `code` of an error. */
export type ErrorCode =
  | "invalid_metadata"
  | "chunk_length"
  | "checksum_mismatch"
  | "invalid_element"
  | "external_codec"
  | "invalid_argument";

/** Bytes in a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Bytes in a file whose length may be unknown: so many from an offset, or the last ones. */
export type RangeQuery = ByteRange | { readonly suffixLength: number };

/** The place of a chunk. */
export interface Place {
  readonly key?: string | undefined;
  readonly chunk?: readonly number[] | undefined;
  /** If that chunk is a shard, the coordinates in it of the inner chunk that is damaged. */
  readonly inner?: readonly number[] | undefined;
  /** Says that it is not a chunk, for the message. */
  readonly part?: string | undefined;
  readonly range?: RangeQuery | undefined;
}

/**
 * The base class of this package's errors.
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
  /** Identifies the class; stable across versions. */
  abstract readonly code: ErrorCode;
  readonly [BRAND]: true = true;
  /** The key in its store of the chunk or shard, where a store is known. */
  declare readonly key?: string;
  /** The coordinates of the chunk, where it is one of many: in a shard, those of the inner chunk in the shard's grid. */
  declare readonly chunk?: readonly number[];
  /** The bytes in its file of the chunk, where it is a part of one, or of the shard's index. */
  declare readonly range?: RangeQuery;

  constructor(message: string, options?: ErrorOptions) {
    super(abridge(message), options);
  }
}

/**
 * Metadata that the Zarr specifications do not allow or that this package does not implement.
 * Thrown when a codec chain is created. To recover, correct the metadata at `path`, or set the option that allows it.
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
  /** The JSON path of the invalid value, like `codecs[0].configuration.endian`. */
  readonly path: string;

  constructor(message: string, fields: { path: string }, options?: ErrorOptions) {
    super(message, options);
    this.path = fields.path;
  }
}

/**
 * A chunk whose length does not follow from the data type, shape and codecs: truncated, padded, or of another array.
 * Thrown by `decode` and `encode` before anything is written, and by a `Crc32cDecoderStream` at its end.
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
  /** The length that follows from the metadata, in bytes. */
  readonly expected: number;
  /** The length of the chunk, in bytes. */
  readonly actual: number;

  constructor(message: string, fields: { expected: number; actual: number }) {
    super(message);
    this.expected = fields.expected;
    this.actual = fields.actual;
  }
}

/**
 * The probable cause of a wrong checksum. By their codes:
 *
 * - `crc32`, `big_endian`, `not_inverted`, `masked`, `byte_swapped`: the writer stored another checksum, or in another form.
 * - `at_start`: the checksum is in front of the payload.
 * - `truncated`, `extended`: bytes are probably missing, or too many.
 * - `zeros`: all bytes are zero.
 * - `flipped_bit`: one bit has probably changed, at `byteOffset` and `bit`; `message` states the odds. Only in chunks that are short
 *   enough (1 MiB) for other damage to look the same rarely.
 */
export interface Diagnosis {
  /** Identifies the cause; stable across versions. */
  readonly code:
    | "crc32"
    | "big_endian"
    | "not_inverted"
    | "at_start"
    | "masked"
    | "byte_swapped"
    | "truncated"
    | "extended"
    | "zeros"
    | "flipped_bit";
  /** The cause in words, which also end the error's message. */
  readonly message: string;
  /** The index of the byte with the flipped bit, counted from the start of the encoded chunk or, of a shard's index, of the index. */
  readonly byteOffset?: number;
  /** The flipped bit, from 0, the lowest, to 7. */
  readonly bit?: number;
}

/**
 * A chunk whose stored checksum is not that of its payload or, in gzip, zlib and zstd, of the decoded bytes: it has changed
 * since it was written. Thrown by `decode`. To recover, fetch the chunk again; if `diagnosis.code` is `"flipped_bit"`,
 * `repairFlippedBit` restores what was probably there. To inspect the data anyway, decode with `verify: false`.
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
  /** The checksum in the chunk, an unsigned 32-bit integer. */
  readonly stored: number;
  /** The checksum of the bytes that it covers, an unsigned 32-bit integer. */
  readonly computed: number;
  /** The number of those bytes. */
  readonly byteLength: number;
  /** The probable cause, where the chunk reveals it. */
  readonly diagnosis?: Diagnosis;

  constructor(
    message: string,
    fields: { stored: number; computed: number; byteLength: number; diagnosis?: Diagnosis },
  ) {
    super(message);
    this.stored = fields.stored;
    this.computed = fields.computed;
    this.byteLength = fields.byteLength;
    if (fields.diagnosis) this.diagnosis = fields.diagnosis; // Rust returns null where there is none.
  }
}

/**
 * An element that the data type does not allow: a `bool` other than 0 and 1, or one to encode that does not fit. To read such a
 * `bool` as true, set the option `invalidBool: "coerce"`. Or an entry of a shard's index that cannot be right: inner chunks that
 * lie outside the shard, overlap each other or the index, have the wrong length, or are half missing. Thrown by `decode` and
 * `encode`.
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
  /** The index of the element in the chunk, or of the inner chunk in the shard, in C order. */
  readonly index: number;
  /**
   * The element; of a complex number, the component that is not allowed; of a string, its number of code points. Or the number
   * in the index of the shard.
   */
  readonly value: number;

  constructor(message: string, fields: { index: number; value: number }) {
    super(message);
    this.index = fields.index;
    this.value = fields.value;
  }
}

/**
 * An external codec that failed, or a chunk that it cannot have written. `cause` is why the codec failed: the chunk may be
 * sound. It is absent if the chunk contradicts its format; to recover, fetch it again.
 *
 * Thrown by the functions of an `AsyncCodecChain`, and by readers of arrays.
 *
 * @example
 * ```ts
 * import { ExternalCodecError, loadCodecChain } from "zarr-codecs";
 *
 * const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes", "gzip"] });
 * try {
 *   await chain.decode(new Uint8Array(20));
 * } catch (error) {
 *   if (!(error instanceof ExternalCodecError)) throw error;
 *   [error.path, error.codec]; // => ["codecs[1]", "gzip"]
 * }
 * ```
 */
export class ExternalCodecError extends ZarrCodecError {
  override readonly name = "ExternalCodecError";
  readonly code = "external_codec";
  /** The JSON path of the codec, like `codecs[1]`. */
  readonly path: string;
  /** The name of the codec in the metadata. */
  readonly codec: string;

  constructor(message: string, fields: { path: string; codec: string }, options?: ErrorOptions) {
    super(message, options);
    this.path = fields.path;
    this.codec = fields.codec;
  }
}

/**
 * An argument of the wrong type or length, an unknown option, or a host that lacks what a call needs: `argument` is then
 * `memory` or, where the host does not compile the module, `WebAssembly`. To recover from the latter, `await init()` first,
 * or import `zarr-codecs/portable`.
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

  constructor(message: string, fields: { argument: string }, options?: ErrorOptions) {
    super(message, options);
    this.argument = fields.argument;
  }
}

/** Creates the error about an argument that is not what was expected. */
export function invalidArgument(
  argument: string,
  expected: string,
  got: string,
  options?: ErrorOptions,
): InvalidArgumentError {
  return new InvalidArgumentError(`${argument}: expected ${expected}, got ${got}`, { argument }, options);
}

/** Creates the error about metadata that is not what was expected at a path. */
export function invalidMetadata(path: string, expected: string, got: string): InvalidMetadataError {
  return new InvalidMetadataError(`${path}: expected ${expected}, got ${got}`, { path });
}

/**
 * Returns whether `value` is an error of this package, including one of another copy of it or of another realm, which no
 * `instanceof` recognizes. Its `code` then identifies its type.
 *
 * @example
 * ```ts
 * import { isZarrCodecError } from "zarr-codecs";
 *
 * isZarrCodecError(new Error("another error")); // => false
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
    return BRAND in (value as object);
  } catch {
    return false; // Not an object, or a proxy whose trap throws.
  }
}

/** The places of located errors, and their messages without them. */
const LOCATED = new WeakMap<object, Located>();

interface Located {
  readonly place: Place;
  readonly message: string;
  /** The beginning that was added to the message last. */
  readonly last: string;
}

/**
 * Returns an error about a chunk that has its place: in its fields, and at the beginning of its message. It is a new error,
 * because several callers may get the same one, each for a chunk of its own. Returns other errors unchanged.
 *
 * If the error has a place already, of an inner chunk, the places become one: the range is relative to the one that is added.
 */
export function locate<E>(error: E, place: Place): E {
  if (!isZarrCodecError(error)) return error;
  const { key, chunk, range } = error as Place;
  const known = LOCATED.get(error) ?? { place: { key, chunk, range }, message: error.message, last: "" };
  const last = describePlace(place);
  const combined = known.last === last ? known.place : combinedPlace(known.place, place);
  const beginning = describePlace(combined);
  const message = beginning === "" ? known.message : `${beginning}: ${known.message}`;
  const located = copyOf(error, message);
  LOCATED.set(located, { place: combined, message: known.message, last });
  for (const name of ["key", "chunk", "range"] as const) {
    if (combined[name] !== undefined) set(located, name, combined[name], true);
  }
  return located;
}

function combinedPlace(inner: Place, outer: Place): Place {
  return {
    key: outer.key ?? inner.key,
    chunk: outer.chunk ?? inner.chunk,
    inner: outer.chunk && inner.chunk ? [...inner.chunk, ...(inner.inner ?? [])] : inner.inner,
    part: outer.part ?? inner.part,
    range: inner.range && outer.range ? absolute(inner.range, outer.range) : (outer.range ?? inner.range),
  };
}

/** Copies an error, with another message. */
function copyOf<E extends AnyZarrCodecError>(error: E, message: string): E {
  const { stack, cause } = error;
  const copy: E = new (error.constructor as new (message: string, fields: E, options?: ErrorOptions) => E)(
    message,
    error,
    cause === undefined ? undefined : { cause },
  );
  Object.assign(copy, error);
  // In some hosts the stack begins with the message.
  const located = stack?.replace(error.message, () => message);
  if (located !== stack) set(copy, "stack", located, false);
  return copy;
}

function describePlace({ key, chunk, inner, part, range }: Place): string {
  const words = [
    key,
    chunk && `chunk (${chunk.join(", ")})`,
    inner && `inner chunk (${inner.join(", ")})`,
    part,
    range && describeRange(range),
  ];
  return words.filter((word) => word !== undefined).join(", ");
}

function describeRange(range: RangeQuery): string {
  if ("suffixLength" in range) return `last ${range.suffixLength} bytes of the file`;
  if (range.length === 0) return `0 bytes at ${range.offset} of the file`;
  return `bytes ${range.offset} to ${range.offset + range.length - 1} of the file`;
}

/** Returns where bytes of an inner chunk are in the file, if that is known. */
function absolute(inner: RangeQuery, outer: RangeQuery): RangeQuery {
  if ("suffixLength" in inner || "suffixLength" in outer) return outer;
  return { offset: outer.offset + inner.offset, length: inner.length };
}

function set(error: Error, name: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, name, { value, enumerable, configurable: true, writable: true });
}

/** Any error of this package: a union discriminated by `code`. */
export type AnyZarrCodecError =
  | InvalidMetadataError
  | ChunkLengthError
  | ChecksumMismatchError
  | InvalidElementError
  | ExternalCodecError
  | InvalidArgumentError;

const RUST_ERRORS = {
  invalid_metadata: InvalidMetadataError,
  chunk_length: ChunkLengthError,
  checksum_mismatch: ChecksumMismatchError,
  invalid_element: InvalidElementError,
  external_codec: ExternalCodecError,
};

/**
 * Converts what Rust throws (`src/error.rs`: a message, and the code and fields of its class) to an instance of the right class.
 * Returns undefined for anything else that was thrown.
 */
export function errorFromRust(thrown: unknown): ZarrCodecError | undefined {
  if (!Array.isArray(thrown)) return undefined;
  const [message, fields] = thrown as [string, { code: keyof typeof RUST_ERRORS }];
  const ErrorClass = RUST_ERRORS[fields.code] as new (message: string, fields: object) => ZarrCodecError;
  return new ErrorClass(message, fields);
}
