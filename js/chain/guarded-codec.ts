/** Bytes-to-bytes external codecs, whose chunks are checked as far as their format allows. */

import { instance } from "../wasm/instance.js";
import { callExternal, type ExternalCodec, expectBytes } from "./external.js";
import { inflateRaw } from "./host-codecs.js";
import type { ExternalStep } from "./resolved.js";
import type { Stage, StageOptions } from "./stage.js";

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
   * @param verify whether to verify the checksum
   * @throws ExternalCodecError, ChunkLengthError, ChecksumMismatchError
   */
  async decode(
    encoded: Uint8Array,
    verify: boolean,
    { onCovered }: Pick<StageOptions, "onCovered"> = {},
  ): Promise<Uint8Array> {
    const { name, path, decodedByteLength } = this.#step;
    const expected = instance.call("guardEncoded", this.#format, encoded, decodedByteLength, path, name);
    const checked = (decoded: Uint8Array): Uint8Array => {
      if (instance.call("guardDecoded", expected, decoded, verify, path, name)) onCovered?.();
      return decoded;
    };
    const decoded = await this.#call(this.#codec, "decode", encoded).catch(async (error) => {
      // Decoders that verify a checksum only say that something is wrong: the check says what.
      const rest = await this.#decodeWithoutChecksum(encoded).catch(() => undefined);
      if (rest === undefined) throw error;
      checked(rest);
      if (verify) throw error;
      return rest;
    });
    return checked(decoded);
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
