/** A store that verifies what passes through it: the store that `withChecksums` loads. */

import { isMetadata } from "../../array/keys.js";
import { lengthError } from "../../core.js";
import { locate } from "../../errors.js";
import type { RangeQuery } from "../../shard/ranges.js";
import { type AnyStore, Nodes } from "../../store/nodes.js";
import { CheckedArray } from "./checked-array.js";

export class CheckedStore implements AnyStore {
  readonly #store: AnyStore;
  readonly #nodes: Nodes<CheckedArray>;

  constructor(store: AnyStore) {
    this.#store = store;
    // Reads a part of a shard, for its index. Files that pass as a whole have theirs, so the store has this method.
    const read = async (key: string, range: RangeQuery) =>
      (await store.getRange?.(key, range)) as Uint8Array | undefined;
    this.#nodes = new Nodes(store, {
      array: async (_, metadata) => ({ shown: metadata, array: new CheckedArray(metadata, read) }),
      group: (metadata) => metadata,
    });
  }

  async get(key: string, ...rest: unknown[]): Promise<unknown> {
    if (isMetadata(key)) return this.#nodes.get(key, rest);
    const bytes = await this.#store.get(key, ...rest);
    if (bytes instanceof Uint8Array) {
      await this.#check(key, { offset: 0, length: bytes.length }, bytes, bytes.length);
    }
    return bytes;
  }

  async getRange(key: string, range: RangeQuery, ...rest: unknown[]): Promise<unknown> {
    const bytes = await this.#store.getRange?.(key, range, ...rest);
    if (bytes instanceof Uint8Array) await this.#check(key, range, bytes);
    return bytes;
  }

  async set(key: string, ...rest: unknown[]): Promise<void> {
    await this.#store.set?.(key, ...rest);
    if (isMetadata(key)) this.#nodes.forget(key);
    else (await this.#nodes.arrayOf(key))?.array.forget(key);
  }

  async #check(key: string, range: RangeQuery, bytes: Uint8Array, fileLength?: number): Promise<void> {
    const found = await this.#nodes.arrayOf(key);
    const chunk = found?.array.keys.decode(key.slice(found.path.length));
    if (!found || !chunk) return;
    const asked = "offset" in range ? range.length : range.suffixLength;
    // From a server that ignores ranges. Fewer bytes are right at the end of a file.
    if (bytes.length > asked) throw locate(lengthError(bytes, asked), { key, range });
    await found.array.check({ key, chunk, range, bytes, fileLength });
  }
}
