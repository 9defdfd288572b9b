/** The codecs of a chain that has none of others. */

import { type ChainOptions, type DecodeOptions, NO_OPTIONS } from "../options.js";
import type { TypedArray } from "../typed-array.js";
import { ArrayCodec } from "./array-codec.js";
import { type BytesCodec, bytesCodec, type OverBytes } from "./bytes.js";
import type { ChunkParts } from "./codec-chain.js";
import type { ArrayStep, Request, Resolved, ShardStep } from "./resolved.js";
import { ShardCodec } from "./shard/shard-codec.js";
import { ShardLayout } from "./shard/shard-layout.js";

export class OwnCodecs {
  /** The step to the array. */
  readonly array: ArrayCodec;
  /** The steps over bytes before it, in the order of decoding. */
  readonly overBytes: readonly BytesCodec[];

  constructor({ steps }: Resolved, request: Request, options: ChainOptions) {
    this.array = new ArrayCodec(steps.at(-1) as ArrayStep, request, options);
    this.overBytes = steps.slice(0, -1).map((step) => {
      if (step.kind === "shard") return ownShardCodec(step, request, options);
      return bytesCodec(step as OverBytes); // There are no codecs of others.
    });
  }

  /** Decodes a chunk that has steps over bytes. */
  decode(encoded: Uint8Array, verify: boolean, options: DecodeOptions): ChunkParts<TypedArray> {
    const last = this.overBytes.at(-1) as BytesCodec;
    const bytes = this.overBytes.slice(0, -1).reduce((bytes, codec) => codec.decode(bytes, verify), encoded);
    const isNew = options.out === undefined && !options.inPlace;
    const data = last instanceof ShardCodec && isNew ? last.decodeArray(bytes, verify) : undefined;
    if (data !== undefined) return this.array.describe(data);
    return this.array.decode(last.decode(bytes, verify), verify, options);
  }

  /** Decodes the steps over bytes. */
  decodeBytes(encoded: Uint8Array, verify: boolean): Uint8Array {
    return this.overBytes.reduce((bytes, codec) => codec.decode(bytes, verify), encoded);
  }

  /** Encodes the steps over bytes. */
  encodeBytes(decoded: Uint8Array): Uint8Array {
    return this.overBytes.reduceRight((bytes, codec) => codec.encode(bytes), decoded);
  }

  /** Decodes a chunk to the array of a form, in C order. */
  decodeTo(form: number, encoded: Uint8Array, verify: boolean): TypedArray {
    return this.array.decodeTo(form, this.decodeBytes(encoded, verify), verify);
  }

  /** Encodes a chunk from the bytes of the array of a form, which are aligned. */
  encodeFrom(form: number, decoded: Uint8Array): Uint8Array {
    return this.encodeBytes(this.array.encodeFrom(form, decoded));
  }
}

/** Returns the codec of a shard whose inner chunks have no codecs of others. */
export function ownShardCodec(step: ShardStep, request: Request, options: ChainOptions): ShardCodec {
  const codecs = new OwnCodecs(step.chain, innerRequest(request), options);
  return new ShardCodec(step, shardLayout(step, request), codecs);
}

/** Returns the layout of the shards of a step. */
export function shardLayout(step: ShardStep, request: Request): ShardLayout {
  return new ShardLayout(step, request, new OwnCodecs(step.index, request, NO_OPTIONS));
}

/** Returns the request for the chain of inner chunks. */
export function innerRequest(request: Request): Request {
  return { ...request, level: (request.level ?? 0) + 1 };
}
