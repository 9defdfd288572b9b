/** Bytes-to-bytes external codecs, whose chunks are checked as far as their format allows. */

import { type Verify, verifying } from "../crc32c/mismatch.js";
import { ChunkLengthError, ExternalCodecError } from "../errors.js";
import { LONGEST_DECODED } from "../generated/facts.js";
import { instance } from "../wasm/instance.js";
import { BuiltInDecoder, hasDecoder } from "./built-in-decoder.js";
import { callExternal, type ExternalCodec, expectBytes } from "./external.js";
import type { ExternalStep } from "./resolved.js";
import type { Stage, StageOptions } from "./stage.js";

export class GuardedCodec implements Stage {
  readonly #codec: ExternalCodec;
  readonly #step: Omit<ExternalStep, "kind">;
  readonly #encoder: ExternalCodec | undefined;
  /** Tells what is wrong with a chunk, if its format is known. */
  readonly #decoder: BuiltInDecoder | undefined;
  readonly #format: number;

  /** @param encoder encodes where `codec` throws, as codecs do that only decode */
  constructor(codec: ExternalCodec, step: Omit<ExternalStep, "kind">, encoder?: ExternalCodec) {
    this.#codec = codec;
    this.#step = step;
    this.#encoder = encoder;
    const isDecodable = hasDecoder(step.name) && (step.decodedByteLength ?? 0) <= LONGEST_DECODED;
    this.#decoder = isDecodable ? new BuiltInDecoder(step) : undefined;
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
    options: Pick<StageOptions, "onCovered">,
  ): Promise<Uint8Array> {
    const { name, path, decodedByteLength } = this.#step;
    const expected = instance.call("guardEncoded", this.#format, encoded, decodedByteLength, path, name);
    const [isContradictory] = expected as [boolean];
    // Another decoder may allocate the length that damaged bytes state.
    if (isContradictory && this.#decoder) return this.#decoder.decode(encoded, verify, options);
    const { byteLength } = encoded;
    try {
      const decoded = await this.#call(this.#codec, "decode", encoded);
      const isCovered = instance.call("guardDecoded", expected, decoded, verify, byteLength, path, name);
      if (isCovered) options.onCovered?.();
      return decoded;
    } catch (error) {
      if (this.#decoder === undefined || encoded.byteLength !== byteLength) throw error; // The decoder has detached them.
      return this.#decodeAgain(this.#decoder, encoded, verify, error);
    }
  }

  /** Decodes bytes for which the codec has failed. @throws what is wrong with them; `error` if nothing is */
  async #decodeAgain(
    decoder: BuiltInDecoder,
    encoded: Uint8Array,
    verify: boolean,
    error: unknown,
  ): Promise<Uint8Array> {
    const decoded = await decoder.decode(encoded, verify).catch((problem) => {
      const isNotLoaded = problem instanceof ExternalCodecError && problem.cause !== undefined;
      // Of a wrong length, the codec may know more: it has decoded all bytes.
      const isLength = [problem, error].every((each) => each instanceof ChunkLengthError);
      throw isNotLoaded || isLength ? error : problem;
    });
    if (verify) throw error;
    return decoded;
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
}
