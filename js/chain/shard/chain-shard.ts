/** The shard codec of a chain, for reading single inner chunks. */

import { type ChainOptions, NO_OPTIONS } from "../../options.js";
import { AsyncCodecChain } from "../async-codec-chain.js";
import { CodecChain } from "../codec-chain.js";
import { codecsOf, RESOLVED } from "../resolved-chain.js";
import type { ShardLayout } from "./shard-layout.js";

/** The codec `sharding_indexed` of a chain. */
export interface ChainShard {
  /** The grid of inner chunks, and how their index is stored. */
  readonly layout: ShardLayout;
  /** The chain of an inner chunk. */
  readonly chain: CodecChain | AsyncCodecChain;
  /** Whether a shard is the whole encoded chunk: no bytes-to-bytes codec follows. */
  readonly isOutermost: boolean;
  /** The options of the chain. */
  readonly options: ChainOptions;
}

const shards = new WeakMap<object, ChainShard>();

/** Returns the codec `sharding_indexed` of a chain; undefined if it has none. */
export function shardOf(chain: CodecChain | AsyncCodecChain): ChainShard | undefined {
  const { sharding, options = NO_OPTIONS } = codecsOf(chain) ?? {};
  if (sharding === undefined) return undefined;
  let shard = shards.get(chain);
  if (shard === undefined) {
    const { layout, chunks, isOutermost } = sharding;
    const Chain = chain instanceof CodecChain ? CodecChain : AsyncCodecChain;
    shard = { layout, chain: new Chain(RESOLVED, chunks), isOutermost, options };
    shards.set(chain, shard);
  }
  return shard;
}
