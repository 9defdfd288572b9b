/** Stores that read sharded arrays and verify chunks. What they do is loaded when the first key is read or written. */

import type { CodecRegistry } from "../../chain/external.js";
import { type Allowed, readOptions } from "../../options.js";
import type { CoalesceOptions } from "../../shards/range-reader.js";
import { type ExtendedStore, lazyStore, type ReadableStore } from "./lazy-store.js";

export type { CoalesceOptions };

/** Options of {@link withShards}. */
export interface ShardOptions extends CoalesceOptions {
  /**
   * Codecs of others, such as zarrita's `registry`, for shards that have to be read whole, because a codec other than
   * `transpose` precedes `sharding_indexed` or any follows it. The host's `gzip`, `zlib` and `zstd` need none.
   */
  readonly codecs?: CodecRegistry | undefined;
}

const SHARD_OPTIONS: Allowed<ShardOptions> = {
  maxGap: undefined,
  maxRequestLength: undefined,
  codecs: undefined,
};

/**
 * Wraps a store, so that a sharded array looks unsharded: its chunks are the inner chunks of its shards. zarrita then reads
 * shards with their index at the start, nested shards, and shards with codecs before and after them.
 *
 * The index of each shard is verified and read once. Inner chunks that are read at the same time and close to each other
 * share requests. Errors have the key of the shard, the coordinates of the inner chunk and its bytes (`key`, `chunk`,
 * `range`); those of decoding too, with the codecs of {@link register}.
 *
 * Sharded arrays are read only; their metadata cannot be written either.
 *
 * @throws InvalidArgumentError
 */
export function withShards<S extends ReadableStore>(store: S, options?: ShardOptions): ExtendedStore<S> {
  const read = readOptions(options, SHARD_OPTIONS);
  return lazyStore(store, async (store) => new (await load()).ShardedStore(store, read));
}

/**
 * Wraps a store, so that what is read through it is verified and handed on unchanged: chunks and inner chunks whose last
 * codecs are checksums, and the indexes of shards. For programs that bring their own copy of zarrita or another reader.
 *
 * A part of a shard is verified as far as it contains whole inner chunks, for which the shard's index is read once, unless it
 * has been read through this store. Errors have the key, the coordinates and the bytes of what is damaged.
 *
 * @throws InvalidArgumentError
 */
export function withChecksums<S extends ReadableStore>(store: S): ExtendedStore<S> {
  return lazyStore(store, async (store) => new (await load()).CheckedStore(store));
}

async function load() {
  const stores = await import("../../stores.js");
  await stores.init();
  return stores;
}
