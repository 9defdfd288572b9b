/** The steps of a chain that may contain codecs of others, as they are executed. */

import { describe, InvalidMetadataError } from "../errors.js";
import { expectOut } from "../expect.js";
import { copyElements, typedArrayByteLength, typedArrayLength, typedArrayName } from "../intrinsics.js";
import type { ChainOptions, DecodeOptions } from "../options.js";
import { countOf } from "../stride.js";
import { allocate, type TypedArray, type TypedArrayName } from "../typed-array.js";
import { ArrayCodec } from "./array-codec.js";
import { bytesCodec } from "./bytes.js";
import type { Chunk } from "./codec-chain.js";
import { isArrayStep } from "./decode.js";
import {
  type CheckedBytes,
  callExternal,
  type ExternalCodec,
  expectBytes,
  externalCodecError,
  GuardedCodec,
} from "./external.js";
import { hostCodec } from "./host-codecs.js";
import { innerRequest, ownShardCodec, shardLayout } from "./own-codecs.js";
import type { External, ExternalStep, Request, Resolved, ShardStep, Step } from "./resolved.js";
import { InnerStages } from "./shard/inner-stages.js";
import { AsyncShardCodec } from "./shard/shard-codec.js";

/** A codec of others in a chain. Without `codec` it is the host's. */
export interface LoadedCodec {
  readonly external: External;
  readonly codec?: ExternalCodec;
  readonly configuration: object;
}

/** A step that is executed: from what the step before it decoded, to the next. */
export interface Stage {
  decode(encoded: unknown, verify: boolean, options: DecodeOptions): unknown;
  encode(decoded: unknown): unknown;
  /** Decodes to the array of a form, where this is the step of this package to the array. */
  decodeTo?(form: number, encoded: Uint8Array, verify: boolean): TypedArray;
  /** Checks what decoding checks, where this is that step. */
  check?(encoded: Uint8Array): void;
  /** Decodes bytes, where this is a codec of others over bytes. */
  decodeChecked?(encoded: Uint8Array, verify: boolean): Promise<CheckedBytes>;
}

/** Returns whether steps are all of this package, those of inner chunks too. */
export function areOwn(steps: readonly Step[]): boolean {
  return steps.every((step) => (step.kind === "shard" ? areOwn(step.chain.steps) : step.kind !== "external"));
}

/** Returns the stages of a chain, in the order of decoding. */
export function stagesOf(
  { steps, shape }: Resolved,
  request: Request,
  options: ChainOptions,
  loaded: readonly LoadedCodec[],
): Stage[] {
  return steps.map((step) => {
    // Codecs between may change the shape.
    if (step.kind === "external")
      return externalStage(step, step === steps.at(-1) ? shape : undefined, loaded);
    if (step.kind === "shard") return shardStage(step, request, options, loaded);
    if (isArrayStep(step)) return new ArrayCodec(step, request, options);
    return bytesCodec(step) as Stage;
  });
}

function shardStage(
  step: ShardStep,
  request: Request,
  options: ChainOptions,
  loaded: readonly LoadedCodec[],
): Stage {
  if (areOwn(step.chain.steps)) return ownShardCodec(step, request, options) as Stage;
  const stages = stagesOf(step.chain, innerRequest(request), options, loaded);
  const chunks = new InnerStages(step, stages);
  return new AsyncShardCodec(step, shardLayout(step, request), chunks) as Stage;
}

/** @param shape that of the chunk that the codec decodes to, if it is known */
function externalStage(
  step: ExternalStep,
  shape: readonly number[] | undefined,
  loaded: readonly LoadedCodec[],
): Stage {
  const found = loaded.find(({ external }) => external.path === step.path);
  if (found === undefined) {
    const rule = "not supported before a codec of others that takes the array";
    throw new InvalidMetadataError(`${step.path}: ${step.name} is ${rule}`, { path: step.path });
  }
  const { codec, external, configuration } = found;
  const { kind } = external;
  if (kind === "bytes_to_bytes") {
    const host = hostCodec(step.name, configuration, step.decodedByteLength);
    return new GuardedCodec((codec ?? host) as ExternalCodec, step, codec && host);
  }
  const implementation = codec as ExternalCodec;
  return {
    async decode(encoded, _, options) {
      const input = kind === "array_to_bytes" ? ownBuffer(encoded as Uint8Array) : encoded;
      const chunk = await callExternal(implementation, "decode", input, step);
      return expectDecoded(chunk, shape, options, step);
    },
    async encode(decoded) {
      const encoded = await callExternal(implementation, "encode", decoded, step);
      return kind === "array_to_bytes" ? expectBytes(encoded, "encode", step) : encoded;
    },
  };
}

/** Returns bytes in a buffer of their own: not all codecs of others respect the offset of a view. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** Returns the chunk that a codec of others decoded to, copied if an option says so. */
function expectDecoded(
  chunk: unknown,
  shape: readonly number[] = [],
  { out, copy }: DecodeOptions,
  step: ExternalStep,
): Chunk {
  const decoded = chunk as Chunk;
  const { data } = (chunk ?? {}) as Partial<Chunk>;
  if (typeof data !== "object" || data === null) {
    throw externalCodecError(step, `decode returned ${describe(chunk)}, expected a chunk`);
  }
  const count = countOf(shape);
  // More may be components, or memory that a stride leaves out.
  if ((typedArrayLength(data) ?? count) < count) {
    throw externalCodecError(step, `decode returned ${describe(data)}, expected ${count} elements`);
  }
  const name = typedArrayName(data) as TypedArrayName | undefined;
  if (name === undefined || (out === undefined && !copy)) return decoded;
  const byteLength = typedArrayByteLength(data) as number;
  const target =
    out === undefined ? allocate(name, byteLength) : expectOut(out, name, byteLength, data, "the data");
  copyElements(data, target);
  return { ...decoded, data: target as never };
}
