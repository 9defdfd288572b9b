/** A store in which arrays of more data types look like arrays of those that zarrita has: what `withExtendedTypes` loads. */

import { InvalidMetadataError } from "../../errors.js";
import { isMetadata, isV2Metadata, mayHaveAddedAxis, pathOf } from "./chunk-keys.js";
import { decode, encode, isObject } from "./json.js";
import type { AnyStore } from "./lazy-store.js";
import { Nodes } from "./nodes.js";
import { overridden } from "./overridden.js";
import { type ExtendedArray, restore, show } from "./translation.js";

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
    this.#nodes = new Nodes((key) => store.get(key), show);
  }

  get(key: string, ...rest: unknown[]): Promise<unknown> {
    return isMetadata(key) ? this.#getMetadata(key, rest) : this.#getChunk(key, rest);
  }

  async getRange(key: string, ...rest: unknown[]): Promise<unknown> {
    return this.#store.getRange?.((await this.#locate(key)).key, ...(rest as [never]));
  }

  set(key: string, ...rest: unknown[]): Promise<void> {
    return isMetadata(key) ? this.#setMetadata(key, rest) : this.#setChunk(key, rest);
  }

  async #getMetadata(key: string, rest: unknown[]): Promise<unknown> {
    return this.#nodes.translateBytes(pathOf(key), await this.#store.get(key, ...rest));
  }

  async #setMetadata(key: string, [bytes, ...rest]: unknown[]): Promise<void> {
    const document = decode(bytes);
    const restored = isObject(document) ? await restore(document) : document;
    await this.#store.set?.(key, restored === document ? bytes : encode(restored), ...rest);
    this.#nodes.forget(pathOf(key)); // Read again on use: the wrapped store may translate it, too.
  }

  async #getChunk(asked: string, rest: unknown[]): Promise<unknown> {
    const { key, fill } = await this.#locate(asked);
    const bytes = await this.#store.get(key, ...rest);
    if (bytes === undefined && fill !== undefined) throw new MissingChunkError(fill.message, fill);
    if (bytes !== undefined && isV2Metadata(asked)) this.#nodes.setVersion2(pathOf(asked));
    return bytes;
  }

  async #setChunk(key: string, rest: unknown[]): Promise<void> {
    await this.#store.set?.((await this.#locate(key)).key, ...rest);
  }

  /** Returns the key of a chunk in the store, and its fill value if zarrita cannot express that. */
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
        return fill.chunk(array.chunks, memory?.useSharedArrayBuffer === true);
      }
    };
    return overridden(array, { getChunk });
  }
}
