/** External codecs: what is expected of them, and how each is called, with its input and output checked. */

import { describe, ExternalCodecError, isZarrCodecError } from "../errors.js";
import { typedArrayName, viewBytes } from "../intrinsics.js";
import type { ExternalStep } from "./resolved.js";

/** An external codec, as zarrita and numcodecs have them. Its functions may be asynchronous. */
export interface ExternalCodec {
  /** Which part of a chain it can be. Default: `"bytes_to_bytes"`. */
  readonly kind?: "array_to_array" | "array_to_bytes" | "bytes_to_bytes" | undefined;
  /** Encodes bytes, or a chunk `{ data, shape, stride }`. */
  encode(decoded: never): unknown;
  /** Decodes bytes, or a chunk `{ data, shape, stride }`. */
  decode(encoded: never): unknown;
  /** Returns the metadata of what an array-to-array codec encodes to, if data type or shape change. */
  getEncodedMeta?(metadata: never): unknown;
}

/** Creates codecs from their configuration. The metadata are `{ dataType, shape, codecs, fillValue }`. */
export interface ExternalCodecClass {
  fromConfig(configuration: never, metadata: never): ExternalCodec;
}

/** External codecs by their names: zarrita's `registry`, or a `Map` of functions that load a codec's class. */
export interface CodecRegistry {
  get(name: string): (() => ExternalCodecClass | Promise<ExternalCodecClass>) | undefined;
}

/** The place of a codec in the metadata. */
export type CodecPlace = Pick<ExternalStep, "name" | "path">;

/**
 * Calls an external codec.
 *
 * @throws ExternalCodecError (it throws)
 */
export async function callExternal(
  codec: ExternalCodec,
  direction: "decode" | "encode",
  input: unknown,
  place: CodecPlace,
): Promise<unknown> {
  try {
    const result = copiedPart(codec[direction](input as never));
    return copiedPart(await result);
  } catch (cause) {
    if (isZarrCodecError(cause)) throw cause;
    throw externalCodecError(place, `could not ${direction} the chunk: ${messageOf(cause)}`, cause);
  }
}

/**
 * Copies bytes that are part of a larger buffer: they may be memory of a codec that its next call overwrites, which may come
 * before the promise of a synchronous result is awaited. Returns any other value unchanged.
 */
function copiedPart(result: unknown): unknown {
  const isPart =
    typedArrayName(result) === "Uint8Array" &&
    (result as Uint8Array).byteLength < (result as Uint8Array).buffer.byteLength;
  return isPart ? new Uint8Array(result as Uint8Array) : result;
}

/** Returns bytes that an external codec returned. @throws ExternalCodecError (they are none) */
export function expectBytes(result: unknown, direction: "decode" | "encode", place: CodecPlace): Uint8Array {
  const bytes = ignoringErrors(() => viewBytes(result));
  if (bytes !== undefined) return bytes;
  throw wrongResult(place, `${direction} returned ${describe(result)}, expected bytes`);
}

/** Creates the error about what a codec returned, which says nothing about the chunk. */
export function wrongResult(place: CodecPlace, problem: string): ExternalCodecError {
  return externalCodecError(place, problem, new TypeError(problem));
}

/** Creates an error. @param cause why the codec failed; undefined if the chunk is not valid */
export function externalCodecError(place: CodecPlace, problem: string, cause?: unknown): ExternalCodecError {
  const options = cause === undefined ? undefined : { cause };
  const { path, name: codec } = place;
  return new ExternalCodecError(`${path}: ${codec}: ${problem}`, { path, codec }, options);
}

export function messageOf(cause: unknown): string {
  return ignoringErrors(() => (cause instanceof Error ? cause.message : String(cause))) ?? "an error";
}

function ignoringErrors<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
