/** A store in which arrays of more data types look like arrays of those that zarrita has: what `withExtendedTypes` loads. */

import { isMetadata } from "../../array/keys.js";
import { InvalidMetadataError } from "../../errors.js";
import { decode, encode, isObject } from "../../json.js";
import { type AnyStore, Nodes } from "../../store/nodes.js";
import { overridden } from "../../store/overridden.js";
import { mayHaveAddedAxis } from "./chunk-keys.js";
import { filledChunk } from "./fill-value.js";
import { type ExtendedArray, restore, showArray, showGroup } from "./translation.js";

/** An array of zarrita, as used here. */
export interface ZarritaArray {
  readonly path: string;
  readonly chunks: readonly number[];
  getChunk(coordinates: number[], options?: unknown, memory?: { useSharedArrayBuffer?: boolean }): unknown;
}

/** The error about a missing chunk that zarrita cannot fill. */
class MissingChunkError extends InvalidMetadataError {}

export class TranslatedStore implements AnyStore {
  readonly #store: AnyStore;
  readonly #nodes: Nodes<ExtendedArray>;

  constructor(store: AnyStore) {
    this.#store = store;
    this.#nodes = new Nodes(store, { array: (_, metadata) => showArray(metadata), group: showGroup });
  }

  async get(asked: string, ...rest: unknown[]): Promise<unknown> {
    const { key, fill } = await this.#locate(asked);
    const bytes = await this.#nodes.get(key, rest);
    if (bytes === undefined && fill) throw new MissingChunkError(fill.error.message, fill.error);
    return bytes;
  }

  async getRange(key: string, ...rest: unknown[]): Promise<unknown> {
    return this.#store.getRange?.((await this.#locate(key)).key, ...(rest as [never]));
  }

  async set(key: string, ...rest: unknown[]): Promise<void> {
    if (isMetadata(key)) return this.#setMetadata(key, rest);
    await this.#store.set?.((await this.#locate(key)).key, ...rest);
  }

  async #setMetadata(key: string, [bytes, ...rest]: unknown[]): Promise<void> {
    const document = decode(bytes);
    const restored = isObject(document) ? await restore(document) : document;
    await this.#store.set?.(key, restored === document ? bytes : encode(restored), ...rest);
    this.#nodes.forget(key); // Read again on use: the wrapped store may translate it, too.
  }

  /** Returns the key in the store, and the fill value of a chunk if zarrita cannot express that. */
  async #locate(key: string): Promise<{ key: string; fill?: ExtendedArray["fill"] }> {
    if (!mayHaveAddedAxis(key)) return { key };
    const found = await this.#nodes.arrayOf(key);
    if (found === undefined) return { key };
    const { path, array } = found;
    return { key: path + array.keyOf(key.slice(path.length)), fill: array.fill };
  }

  /** Wraps an array to fill missing chunks where zarrita cannot. Called by zarrita 0.7. */
  async extend(array: ZarritaArray): Promise<ZarritaArray> {
    const path = array.path.endsWith("/") ? array.path : `${array.path}/`;
    const node = await this.#nodes.node(this.#nodes.knownPath(path) ?? path);
    const fill = node.array?.fill;
    if (fill === undefined) return array;
    const getChunk: ZarritaArray["getChunk"] = async (coordinates, options, memory) => {
      try {
        return await array.getChunk(coordinates, options, memory);
      } catch (error) {
        if (!(error instanceof MissingChunkError)) throw error;
        return filledChunk(fill.components, array.chunks, memory?.useSharedArrayBuffer === true);
      }
    };
    return overridden(array, { getChunk });
  }
}
