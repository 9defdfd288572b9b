/** A store in which a sharded array looks unsharded: the store that `withShards` loads. */

import { InvalidArgumentError } from "../../errors.js";
import { type RangeQuery, viewRange } from "../../shards/ranges.js";
import { isMetadata } from "./chunk-keys.js";
import { isSharded } from "./codecs.js";
import { decode, isObject } from "./json.js";
import type { AnyStore } from "./lazy-store.js";
import { type Found, Nodes } from "./nodes.js";
import { ShardReader } from "./shard-reader.js";
import { MARK, marked, unshard } from "./sharded-array.js";
import type { ShardOptions } from "./with-shards.js";

export class ShardedStore implements AnyStore {
  readonly #store: AnyStore;
  readonly #nodes: Nodes<ShardReader>;

  constructor(store: AnyStore, options: ShardOptions) {
    this.#store = store;
    this.#nodes = new Nodes(store, {
      array: async (path, metadata) => {
        if (!isSharded(metadata.codecs)) return { shown: metadata };
        const unsharded = await unshard(metadata, options.codecs);
        const array = new ShardReader(store, path, metadata, unsharded, options);
        return { shown: unsharded.shown, array };
      },
      group: (metadata, shown) => (shown === metadata ? metadata : marked(shown)),
    });
  }

  async get(key: string, ...rest: unknown[]): Promise<unknown> {
    if (isMetadata(key)) return this.#nodes.get(key, rest);
    const found = this.#nodes.arrayOf(key);
    const chunk = chunkOf(key, found instanceof Promise ? await found : found);
    return chunk ? chunk.reader.read(chunk.coordinates, rest) : this.#nodes.get(key, rest);
  }

  async getRange(key: string, range: RangeQuery, ...rest: unknown[]): Promise<unknown> {
    const chunk = chunkOf(key, await this.#nodes.arrayOf(key));
    if (chunk === undefined) return this.#store.getRange?.(key, range, ...rest);
    const bytes = await chunk.reader.read(chunk.coordinates, rest);
    return bytes && viewRange(bytes, range);
  }

  async set(key: string, ...rest: unknown[]): Promise<void> {
    const document = isMetadata(key) ? decode(rest[0]) : undefined;
    const isShown = isObject(document) && (MARK in document || isSharded(document.codecs));
    if (isShown || (!isMetadata(key) && (await this.#nodes.arrayOf(key)))) {
      const message = `${key} is of a sharded array, which withShards only reads: write to the store itself`;
      throw new InvalidArgumentError(message, { argument: "key" });
    }
    await this.#store.set?.(key, ...rest);
    if (isMetadata(key)) this.#nodes.forget(key);
  }
}

/** Returns the coordinates of a chunk of a sharded array, and what reads it; undefined for any other key. */
function chunkOf(key: string, found: Found<ShardReader>) {
  const coordinates = found?.array.keys.decode(key.slice(found.path.length));
  return found && coordinates && { reader: found.array, coordinates };
}
