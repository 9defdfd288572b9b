/** The codecs of a chain, with or without external ones. */

import { type Awaitable, then } from "../awaitable.js";
import type { Verify } from "../crc32c/mismatch.js";
import { copiedTo } from "../expect.js";
import {
  type ChainOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
  NO_OPTIONS,
  readOptions,
} from "../options.js";
import { bytesOf, type TypedArray } from "../typed-array.js";
import { ArrayCodec, lengthError } from "./array-codec.js";
import { bytesStage } from "./bytes.js";
import type { ChunkParts } from "./chunk.js";
import { defaultForm, isArrayStep } from "./decode.js";
import type {
  ArrayStep,
  BytesStep,
  ExternalStep,
  NativeStep,
  Request,
  Resolved,
  ResolvedCodec,
  ShardStep,
  Step,
} from "./resolved.js";
import { type InnerCodecs, ShardCodec } from "./shard/shard-codec.js";
import { ShardLayout } from "./shard/shard-layout.js";
import type { ArrayStage, Stage, StageOptions } from "./stage.js";

/**
 * Creates the stage of an external codec. Chains that have none are used without the code that runs external codecs.
 *
 * @param shape the shape of the chunk; undefined if another codec is decoded next
 */
export type CreateExternal = (step: ExternalStep, shape: readonly number[] | undefined) => Stage;

/** The codec `sharding_indexed` of a chain. */
export interface Sharding {
  /** The grid of inner chunks, and how their index is stored. */
  readonly layout: ShardLayout;
  /** The codecs of an inner chunk. */
  readonly chunks: Codecs;
  /** Whether a shard is the whole encoded chunk: no bytes-to-bytes codec follows. */
  readonly isOutermost: boolean;
}

/** External codecs that take an array get it in C order. */
const C_ORDER: StageOptions = { strided: false };

/** The codecs of a chain. What they return is a promise only if {@link Codecs.isAsync}. */
export class Codecs implements InnerCodecs {
  readonly resolved: Resolved;
  readonly options: ChainOptions;
  /** Whether any codec is external, those of inner chunks included. */
  readonly isAsync: boolean;
  readonly sharding: Sharding | undefined;
  /** The length of a decoded chunk, in bytes; undefined if an external codec decodes to the array. */
  readonly decodedByteLength: number | undefined;
  /** The length of an encoded chunk, in bytes; undefined if it varies. */
  readonly encodedByteLength: number | undefined;
  /** Kept for errors about lengths, which Rust explains from the metadata. */
  readonly #request: Request;
  /** The step to the array of the chunk. */
  readonly #last: ArrayStage;
  /** The steps before it, in the order of decoding. */
  readonly #before: readonly Stage[];

  constructor(resolved: Resolved, request: Request, options: ChainOptions, createExternal?: CreateExternal) {
    const { steps } = resolved;
    const last = steps.at(-1) as Step;
    this.resolved = resolved;
    this.options = options;
    this.isAsync = !steps.every(isBuiltIn);
    this.sharding = shardingOf(resolved, request, options, createExternal);
    this.decodedByteLength = isArrayStep(last) ? defaultForm(last).byteLength : undefined;
    this.encodedByteLength = (steps[0] as NativeStep | BytesStep).encodedByteLength; // Absent in steps of other kinds.
    this.#request = request;
    const stages = this.#createStages(createExternal);
    this.#last = stages.at(-1) as ArrayStage;
    this.#before = stages.slice(0, -1);
  }

  decode(encoded: unknown, options: DecodeOptions | undefined): Awaitable<ChunkParts<TypedArray>> {
    const read = readOptions(options, DECODE_OPTIONS);
    return this.decodeAs(encoded, read.verify ?? this.options.verify ?? true, read);
  }

  /** Decodes a chunk with options that have been read. */
  decodeAs(encoded: unknown, verify: Verify, read: StageOptions): Awaitable<ChunkParts<TypedArray>> {
    if (this.#before.length === 0) return this.#last.decode(encoded, verify, read);
    const bytes = bytesOf(encoded, "encoded");
    this.#expectLength(bytes.byteLength);
    return then(this.#decodeBefore(bytes, verify), (value) => this.#last.decode(value, verify, read));
  }

  encode(chunk: unknown, options: EncodeOptions | undefined): Awaitable<Uint8Array> {
    const read = readOptions(options, ENCODE_OPTIONS);
    if (this.#before.length === 0) return this.#last.encode(chunk, read) as Awaitable<Uint8Array>;
    const value = this.#last.encode(chunk, NO_OPTIONS);
    return then(this.#encodeBefore(value), (encoded) => copiedTo(read.out, encoded));
  }

  /**
   * Checks all that decoding a chunk checks. Returns whether an external codec stores a checksum of all bytes that it decoded
   * to, which has been verified.
   */
  check(encoded: Uint8Array): Awaitable<boolean> {
    this.#expectLength(encoded.byteLength);
    if (!this.isAsync) {
      this.#last.check(this.#decodeBefore(encoded, true));
      return false; // No codec is external.
    }
    let isCovered = false;
    const onCovered = () => {
      isCovered = true;
    };
    // Not a spread of C_ORDER: V8 gives each object a hidden class of its own that spreads a constant.
    const value = this.#decodeBefore(encoded, true, { strided: false, onCovered });
    const checked = then(value, (value) => this.#last.check(value));
    return then(checked, () => isCovered);
  }

  decodeInner(shard: ShardStep, encoded: Uint8Array, verify: Verify): Awaitable<TypedArray> {
    if (this.#before.length === 0) return this.#last.decodeInner(shard, encoded, verify);
    return then(this.#decodeBefore(encoded, verify), (value) => this.#last.decodeInner(shard, value, verify));
  }

  encodeInner(shard: ShardStep, decoded: Uint8Array): Awaitable<Uint8Array> {
    return this.#encodeBefore(this.#last.encodeInner(shard, decoded));
  }

  #decodeBefore(encoded: Uint8Array, verify: Verify, options = C_ORDER): Awaitable<unknown> {
    let decoded: Awaitable<unknown> = encoded;
    for (const stage of this.#before) {
      decoded = then(decoded, (value) => stage.decode(value, verify, options));
    }
    return decoded;
  }

  #encodeBefore(encoded: Awaitable<unknown>): Awaitable<Uint8Array> {
    return this.#before.reduceRight<Awaitable<unknown>>(
      (value, stage) => then(value, (value) => stage.encode(value, NO_OPTIONS)),
      encoded,
    ) as Awaitable<Uint8Array>;
  }

  #expectLength(actual: number): void {
    if (actual !== (this.encodedByteLength ?? actual)) throw lengthError(this.#request, actual);
  }

  /** Creates the stages of all steps. A shard and the step that arranges its inner chunks are one. */
  #createStages(createExternal: CreateExternal | undefined): Stage[] {
    const { steps, shape } = this.resolved;
    let shard: ShardStep | undefined;
    const stages: Stage[] = [];
    for (const step of steps) {
      if (step.kind === "shard") shard = step;
      else if (step.kind === "external") {
        const create = createExternal as CreateExternal; // Rust resolves no external codec unless it is loaded.
        stages.push(create(step, step === steps.at(-1) ? shape : undefined)); // Codecs between may change the shape.
      } else if (!isArrayStep(step)) stages.push(bytesStage(step));
      else stages.push(this.#arrayStage(step, shard));
    }
    return stages;
  }

  #arrayStage(step: ArrayStep, shard: ShardStep | undefined): ArrayStage {
    const array = new ArrayCodec(step, this.#request, this.options);
    return shard && this.sharding ? new ShardCodec(shard, this.sharding, array) : array;
  }
}

/** Returns whether a step has no external codec, nor have those of inner chunks. */
function isBuiltIn(step: Step): boolean {
  return step.kind === "shard" ? step.chain.steps.every(isBuiltIn) : step.kind !== "external";
}

function shardingOf(
  { steps, codecs }: Resolved,
  request: Request,
  options: ChainOptions,
  createExternal: CreateExternal | undefined,
): Sharding | undefined {
  const step = steps.find((step): step is ShardStep => step.kind === "shard");
  if (step === undefined) return undefined;
  const { configuration } = codecs.find(({ name }) => name === "sharding_indexed") as ResolvedCodec;
  const inner = { ...step.chain, codecs: configuration?.codecs as readonly ResolvedCodec[] };
  const level = (request.level ?? 0) + 1;
  return {
    layout: shardLayout(step, request),
    chunks: new Codecs(inner, { ...request, level }, options, createExternal),
    isOutermost: steps[0] === step,
  };
}

/** Returns the layout of the shards of a step. */
export function shardLayout(step: ShardStep, request: Request): ShardLayout {
  return new ShardLayout(step, request, new Codecs(step.index, request, NO_OPTIONS));
}
