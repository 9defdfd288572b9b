/** Codecs of others: what is expected of them, and how each is called, with its input and output checked. */

import { describe, ExternalCodecError, isZarrCodecError } from "../errors.js";
import { typedArrayName, viewBytes } from "../intrinsics.js";
import { instance } from "../wasm/instance.js";
import { inflateRaw } from "./host-codecs.js";
import type { ExternalStep } from "./resolved.js";

/** A codec of others, as zarrita and numcodecs have them. Its functions may be asynchronous. */
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

/** Codecs of others by their names: zarrita's `registry`, or a `Map` of functions that load a codec's class. */
export interface CodecRegistry {
  get(name: string): (() => ExternalCodecClass | Promise<ExternalCodecClass>) | undefined;
}

/** Decoded bytes, and whether a checksum of all of them was verified. */
export interface CheckedBytes {
  readonly decoded: Uint8Array;
  readonly isCovered: boolean;
}

/** A bytes-to-bytes codec of others in a chain, whose chunks are checked as far as their format allows. */
export class GuardedCodec {
  readonly #codec: ExternalCodec;
  readonly #step: Omit<ExternalStep, "kind">;
  readonly #encoder: ExternalCodec | undefined;
  readonly #format: number;

  /** @param encoder encodes where `codec` throws, as codecs do that only decode */
  constructor(codec: ExternalCodec, step: Omit<ExternalStep, "kind">, encoder?: ExternalCodec) {
    this.#codec = codec;
    this.#step = step;
    this.#encoder = encoder;
    this.#format = instance.call("guardFormat", step.name);
  }

  /**
   * Decodes bytes. Checks their header before, and the length and checksum of the result.
   *
   * @param verify whether to verify the checksum
   * @throws ExternalCodecError, ChunkLengthError, ChecksumMismatchError
   */
  async decode(encoded: Uint8Array, verify: boolean): Promise<Uint8Array> {
    return (await this.decodeChecked(encoded, verify)).decoded;
  }

  /** Decodes bytes, and returns also whether a checksum of all of them was verified. */
  async decodeChecked(encoded: Uint8Array, verify: boolean): Promise<CheckedBytes> {
    const { name, path, decodedByteLength } = this.#step;
    const expected = instance.call("guardEncoded", this.#format, encoded, decodedByteLength, path, name);
    const check = (decoded: Uint8Array): CheckedBytes => {
      const isCovered = instance.call("guardDecoded", expected, decoded, verify, path, name);
      return { decoded, isCovered };
    };
    const decoded = await this.#call(this.#codec, "decode", encoded).catch(async (error) => {
      // Decoders that verify a checksum only say that something is wrong: the check says what.
      const rest = await this.#decodeWithoutChecksum(encoded).catch(() => undefined);
      if (rest === undefined) throw error;
      check(rest);
      if (verify) throw error;
      return rest;
    });
    return check(decoded);
  }

  /** Encodes bytes. @throws ExternalCodecError */
  encode(decoded: Uint8Array): Promise<Uint8Array> {
    const encoder = this.#encoder;
    const encoding = this.#call(this.#codec, "encode", decoded);
    return encoder ? encoding.catch(() => this.#call(encoder, "encode", decoded)) : encoding;
  }

  async #call(codec: ExternalCodec, direction: "decode" | "encode", bytes: Uint8Array): Promise<Uint8Array> {
    const result = await callExternal(codec, direction, bytes, this.#step);
    return expectBytes(result, direction, this.#step);
  }

  /**
   * Decodes bytes without their checksum, where the format has one and can do without; returns undefined elsewhere. The decoder
   * that failed may have detached the bytes.
   */
  async #decodeWithoutChecksum(encoded: Uint8Array): Promise<Uint8Array | undefined> {
    const deflated = instance.call("guardDeflated", this.#format, encoded);
    if (deflated) return inflateRaw(deflated, this.#step.decodedByteLength);
    const rest = instance.call("guardWithoutChecksum", this.#format, encoded);
    return rest && this.#call(this.#codec, "decode", rest);
  }
}

/** The place of a codec in the metadata. */
export type CodecPlace = Pick<ExternalStep, "name" | "path">;

/**
 * Calls a codec of others.
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

/** Returns bytes that a codec of others returned. @throws ExternalCodecError (they are none) */
export function expectBytes(result: unknown, direction: "decode" | "encode", place: CodecPlace): Uint8Array {
  const bytes = ignoringErrors(() => viewBytes(result));
  if (bytes !== undefined) return bytes;
  throw externalCodecError(place, `${direction} returned ${describe(result)}, expected bytes`);
}

export function externalCodecError(place: CodecPlace, problem: string, cause?: unknown): ExternalCodecError {
  const options = cause === undefined ? undefined : { cause };
  return new ExternalCodecError(`${place.path}: ${place.name}: ${problem}`, place, options);
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
