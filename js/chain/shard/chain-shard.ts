/** The shard codec of a chain, for reading single inner chunks. */

import type { ChainOptions } from "../../options.js";
import type { AsyncCodecChain } from "../async-codec-chain.js";
import type { CodecChain } from "../codec-chain.js";
import { innerRequest, shardLayout } from "../own-codecs.js";
import type { Request, Resolved, ResolvedCodec, ShardStep } from "../resolved.js";
import type { ShardLayout } from "./shard-layout.js";

/** The codec `sharding_indexed` of a chain. */
export interface ChainShard {
  /** The grid of inner chunks, and how their index is stored. */
  readonly layout: ShardLayout;
  /** The chain of an inner chunk. */
  readonly chain: CodecChain | AsyncCodecChain;
  /** Whether a shard is the whole encoded chunk: no bytes-to-bytes codec follows. */
  readonly isOutermost: boolean;
  /** The option of the chain. */
  readonly strided: boolean | undefined;
}

const shards = new WeakMap<CodecChain | AsyncCodecChain, () => ChainShard>();

/** Returns the codec `sharding_indexed` of a chain; undefined if it has none. */
export function shardOf(chain: CodecChain | AsyncCodecChain): ChainShard | undefined {
  return shards.get(chain)?.();
}

/** Remembers the codec `sharding_indexed` of a chain, if it has one. `create` creates the chain of an inner chunk. */
export function rememberShard<C extends CodecChain | AsyncCodecChain>(
  chain: C,
  { steps, codecs }: Resolved,
  request: Request,
  { strided }: ChainOptions,
  create: (resolved: Resolved, request: Request) => C,
): void {
  const step = steps.find((step): step is ShardStep => step.kind === "shard");
  if (step === undefined) return;
  let shard: ChainShard | undefined;
  shards.set(chain, () => {
    shard ??= {
      layout: shardLayout(step, request),
      chain: create({ ...step.chain, codecs: innerCodecs(codecs) }, innerRequest(request)),
      isOutermost: steps[0] === step,
      strided,
    };
    return shard;
  });
}

/** Returns the codecs of inner chunks. */
function innerCodecs(codecs: readonly ResolvedCodec[]): readonly ResolvedCodec[] {
  const sharding = codecs.find(({ name }) => name === "sharding_indexed");
  return sharding?.configuration?.codecs as readonly ResolvedCodec[];
}
