/** Codecs that are decoded by the decoders of this package, where neither the caller nor the host provides one. */

import { type Verify, verifying } from "../crc32c/mismatch.js";
import { instance } from "../wasm/instance.js";
import { type CodecPlace, externalCodecError, messageOf, wrongResult } from "./external.js";
import type { ExternalStep } from "./resolved.js";
import type { Stage, StageOptions } from "./stage.js";

/** The codecs that have a decoder, by their names without the prefix of numcodecs. */
const DECODED: readonly string[] = ["blosc", "gzip", "lz4", "zlib", "zstd"];

/** Returns whether a codec has a decoder. */
export function hasDecoder(name: string): boolean {
  return DECODED.includes(name.replace(/^numcodecs\./, ""));
}

export class BuiltInDecoder implements Stage {
  readonly #step: Omit<ExternalStep, "kind">;
  readonly #format: number;

  constructor(step: Omit<ExternalStep, "kind">) {
    this.#step = step;
    this.#format = instance.call("guardFormat", step.name);
  }

  /**
   * Decodes bytes. Checks all that their format allows to check.
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
    const decoders = await loadDecoders(this.#step);
    const { name, path, decodedByteLength } = this.#step;
    const format = this.#format;
    const { decoded, isCovered } = decoders.decode({
      format,
      encoded,
      decodedByteLength,
      verify,
      name,
      path,
    });
    if (isCovered) onCovered?.();
    return decoded;
  }

  /** @throws ExternalCodecError (always: there is only a decoder) */
  async encode(): Promise<never> {
    throw wrongResult(this.#step, 'this host has no encoder: pass one in the option "codecs"');
  }
}

async function loadDecoders(place: CodecPlace) {
  try {
    const decoders = await import("../decoders.js");
    return await decoders.loadDecoders();
  } catch (cause) {
    throw externalCodecError(place, `could not load the decoder: ${messageOf(cause)}`, cause);
  }
}
