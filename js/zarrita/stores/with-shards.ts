/** Stores that read sharded arrays and verify chunks. What they do is loaded when the first key is read or written. */

import { type Allowed, readOptions } from "../../options.js";
import type { CoalesceOptions } from "../../shard/range-reader.js";
import { type ExtendedStore, lazyStore, type ReadableStore } from "./lazy-store.js";

import type { ShardOptions } from "./sharded-store.js";

export type { CoalesceOptions, ShardOptions };

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
 * @example
 * ```ts
 * import { withShards } from "zarr-codecs/zarrita";
 * import { open } from "zarrita";
 *
 * const metadata = {
 *   zarr_format: 3, node_type: "array", shape: [64, 64], data_type: "uint8", fill_value: 0, attributes: {},
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [32, 32] } },
 *   chunk_key_encoding: { name: "default" },
 *   codecs: [{ name: "sharding_indexed", configuration: {
 *     chunk_shape: [8, 8],
 *     codecs: ["bytes", "crc32c"],
 *     index_codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }],
 *     index_location: "start",
 *   } }],
 * };
 * const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
 * const array = await open(withShards(store), { kind: "array" });
 * array.chunks; // => [8, 8]
 * ```
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
 * @example
 * ```ts
 * import { withChecksums } from "zarr-codecs/zarrita";
 *
 * const metadata = {
 *   zarr_format: 3, node_type: "array", shape: [2], data_type: "uint8", fill_value: 0, attributes: {},
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
 *   chunk_key_encoding: { name: "default" },
 *   codecs: ["bytes", "crc32c"],
 * };
 * const store = withChecksums(new Map([
 *   ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
 *   ["/c/0", Uint8Array.of(1, 2, 3, 4, 5, 6)],
 * ]));
 * const { key } = await Promise.resolve(store.get("/c/0")).then(() => ({ key: "none" }), (error) => error);
 * key; // => "/c/0"
 * ```
 */
export function withChecksums<S extends ReadableStore>(store: S): ExtendedStore<S> {
  return lazyStore(store, async (store) => new (await load()).CheckedStore(store));
}

async function load() {
  const stores = await import("../../stores.js");
  await stores.init();
  return stores;
}
