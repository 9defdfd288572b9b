/** The steps of a chain as they are executed. They return promises only if an external codec is called. */

import type { Awaitable } from "../awaitable.js";
import type { Verify } from "../crc32c/mismatch.js";
import type { DecodeOptions, EncodeOptions } from "../options.js";
import type { TypedArray } from "../typed-array.js";
import type { ChunkParts } from "./chunk.js";
import type { ShardStep } from "./resolved.js";

/** Options of decoding one step. */
export interface StageOptions extends DecodeOptions {
  /** Called if a checksum of all bytes that an external codec decoded to has been verified. */
  readonly onCovered?: () => void;
}

/** A step: from what the step before it decoded, to the next. */
export interface Stage {
  decode(encoded: unknown, verify: Verify, options: StageOptions): Awaitable<unknown>;
  encode(decoded: unknown, options: EncodeOptions): Awaitable<unknown>;
}

/** The last step in the order of decoding. */
export interface ArrayStage extends Stage {
  decode(encoded: unknown, verify: Verify, options: StageOptions): Awaitable<ChunkParts<TypedArray>>;
  /** Checks what decoding checks. */
  check(encoded: unknown): Awaitable<unknown>;
  /** Decodes an inner chunk of a shard to an array with the bytes of its elements, in C order. */
  decodeInner(shard: ShardStep, encoded: unknown, verify: Verify): Awaitable<TypedArray>;
  /** Encodes an inner chunk of a shard from these bytes, which are aligned. */
  encodeInner(shard: ShardStep, decoded: Uint8Array): Awaitable<unknown>;
}
