/** Bytes-to-bytes external codecs, whose chunks are checked as far as their format allows. */

import { type Verify, verifying } from "../crc32c/mismatch.js";
import { ChecksumMismatchError, ExternalCodecError } from "../errors.js";
import { instance } from "../wasm/instance.js";
import { callExternal, type ExternalCodec, expectBytes, externalCodecError, messageOf } from "./external.js";
import { inflateRaw } from "./host-codecs.js";
import type { ExternalStep } from "./resolved.js";
import type { Stage, StageOptions } from "./stage.js";

/** The number of formats of which nothing is known. */
const UNKNOWN_FORMAT = 0;

export class GuardedCodec implements Stage {
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
   * @throws ExternalCodecError, ChunkLengthError, ChecksumMismatchError
   */
  decode(
    encoded: Uint8Array,
    verify: Verify,
    options: Pick<StageOptions, "onCovered"> = {},
  ): Promise<Uint8Array> {
    return verifying(verify, (verify) => this.#decode(encoded, verify, options));
  }

  async #decode(
    encoded: Uint8Array,
    verify: boolean,
    { onCovered }: Pick<StageOptions, "onCovered">,
  ): Promise<Uint8Array> {
    const { name, path, decodedByteLength } = this.#step;
    const expected = instance.call("guardEncoded", this.#format, encoded, decodedByteLength, path, name);
    const { byteLength } = encoded;
    const checked = (decoded: Uint8Array, verifies = verify): Uint8Array => {
      const isCovered = instance.call("guardDecoded", expected, decoded, verifies, byteLength, path, name);
      if (isCovered) onCovered?.();
      return decoded;
    };
    const [isContradictory] = expected as [boolean];
    // A decoder may allocate the length that damaged bytes state.
    if (isContradictory) return checked(await this.#inflate(encoded));
    let decoded: Uint8Array;
    try {
      decoded = await this.#call(this.#codec, "decode", encoded);
    } catch (error) {
      if (encoded.byteLength !== byteLength) throw error; // The decoder has detached the bytes.
      // Decoders that verify a checksum only say that something is wrong: the checks say what.
      const rest = await this.#decodeWithoutChecksum(encoded, error);
      checked(rest);
      if (verify) throw error;
      return rest;
    }
    if (!this.#isDeflated(encoded)) return checked(decoded);
    // Not all decoders look at what follows the deflated data. A checksum that matches is where it has to be.
    try {
      return checked(decoded, true);
    } catch (error) {
      checked(await this.#inflate(encoded, error));
      if (verify || !(error instanceof ChecksumMismatchError)) throw error;
      return decoded;
    }
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

  /** Decodes bytes without their checksum. @throws if that is impossible */
  async #decodeWithoutChecksum(encoded: Uint8Array, error: unknown): Promise<Uint8Array> {
    if (this.#isDeflated(encoded)) return this.#inflate(encoded, error);
    const rest = instance.call("guardWithoutChecksum", this.#format, encoded);
    if (rest === undefined) throw this.#rejected(error);
    return this.#call(this.#codec, "decode", rest).catch(() => {
      throw this.#rejected(error);
    });
  }

  /** Returns the error about a chunk that a decoder has rejected: if its format is known, the chunk is not valid. */
  #rejected(error: unknown): unknown {
    const isKnown = this.#format !== UNKNOWN_FORMAT;
    const isThrown = error instanceof ExternalCodecError && error.cause !== undefined;
    return isKnown && isThrown ? new ExternalCodecError(error.message, error) : error;
  }

  #isDeflated(encoded: Uint8Array): boolean {
    return instance.call("guardDeflated", this.#format, encoded) !== undefined;
  }

  /**
   * Inflates the data between header and trailer, and checks that it ends there.
   *
   * @throws ExternalCodecError; `error`, if it is given, where the data cannot be inflated for other reasons
   */
  async #inflate(encoded: Uint8Array, error?: unknown): Promise<Uint8Array> {
    const { name, path, decodedByteLength } = this.#step;
    const deflated = instance.call("guardDeflated", this.#format, encoded) as Uint8Array;
    const inflated = await inflateRaw(encoded, deflated, decodedByteLength).catch((cause) => {
      if (error !== undefined) throw this.#rejected(error);
      throw externalCodecError(this.#step, `could not decode the chunk: ${messageOf(cause)}`);
    });
    const { decoded, end } = inflated ?? { decoded: new Uint8Array(), end: undefined };
    const isAll = instance.call("guardEnd", this.#format, encoded, end, decoded, path, name);
    if (isAll) return decoded;
    if (error !== undefined) throw this.#rejected(error);
    throw externalCodecError(this.#step, "the last member is truncated, or followed by other bytes");
  }
}
