/** A store that shows every array as plain bytes, for readers that lack its codecs or verify nothing. */

import { isMetadata, METADATA, pathOf, type StoreKey } from "../array/keys.js";
import type { ArrayStore } from "../array/store-reader.js";
import { describe, InvalidMetadataError, invalidArgument, type RangeQuery } from "../errors.js";
import { isObject, type Json } from "../json.js";
import { type Allowed, CHAIN_OPTIONS, readOptions } from "../options.js";
import { COALESCE_OPTIONS } from "../shard/range-reader.js";
import { viewRange } from "../shard/ranges.js";
import { membersOf, objectText } from "./json-text.js";
import type { OpenArrayOptions } from "./open-array.js";
import { overridden } from "./overridden.js";
import { plainArray } from "./plain-array.js";
import type { ShownArray } from "./shown.js";
import type { DataTypes } from "./shown-array.js";

/** Options of {@link withCodecs}. */
export interface WithCodecsOptions extends Omit<OpenArrayOptions, "metadata" | "signal"> {
  readonly dataTypes?: DataTypes | undefined;
}

const OPTIONS: Allowed<WithCodecsOptions> = {
  ...CHAIN_OPTIONS,
  ...COALESCE_OPTIONS,
  codecs: undefined,
  dataTypes: ["zarrita", "stored"],
};

export function withCodecs<S extends ArrayStore>(store: S, options?: WithCodecsOptions) {
  if (typeof (store as S | undefined)?.get !== "function") {
    throw invalidArgument("store", "a store with a method get", describe(store));
  }
  const shown = new ShownStore(store, readOptions(options, OPTIONS));
  const has = "has" in store ? shown.has.bind(shown) : undefined;
  return overridden(store, {
    get: shown.get.bind(shown),
    getRange: shown.getRange.bind(shown),
    ...(has && { has }),
    set: undefined,
    delete: undefined,
  });
}

/** A node of the hierarchy: an array that is shown, or anything else, whose keys are those of the store. */
type Node = ShownArray | undefined;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

class ShownStore {
  readonly #store: ArrayStore;
  readonly #options: WithCodecsOptions;
  /** By their paths, with a trailing slash. */
  readonly #nodes = new Map<string, { readonly source: string; readonly node: Promise<Node> }>();

  constructor(store: ArrayStore, options: WithCodecsOptions) {
    this.#store = store;
    this.#options = options;
  }

  async get(key: StoreKey, options?: object): Promise<unknown> {
    if (isMetadata(key)) return this.#metadata(key, options);
    const chunk = await this.#chunkOf(key);
    return chunk ? chunk.array.read(chunk.coordinates, options) : this.#store.get(key, options as never);
  }

  async getRange(key: StoreKey, range: RangeQuery, options?: object): Promise<unknown> {
    const isShown = isMetadata(key) || (await this.#chunkOf(key)) !== undefined;
    if (!isShown && this.#store.getRange) return this.#store.getRange(key, range, options as never);
    const value = (await this.get(key, options)) as Uint8Array | undefined;
    return value && viewRange(value, range);
  }

  async has(key: StoreKey, options?: object): Promise<unknown> {
    const chunk = isMetadata(key) ? undefined : await this.#chunkOf(key);
    if (chunk) return chunk.array.has(chunk.coordinates, options);
    return (this.#store as unknown as { has(key: string, options?: object): unknown }).has(key, options);
  }

  /** Finds the chunk with a key that is shown; undefined for any other key. */
  async #chunkOf(key: StoreKey) {
    const path = /^(.*\/)c(?:\/\d+)*$/.exec(key)?.[1];
    if (path === undefined) return undefined;
    const array = await (this.#nodes.get(path)?.node ?? this.#find(path));
    const coordinates = array?.keys.decode(key.slice(path.length));
    return array && coordinates && { array, coordinates };
  }

  /** Finds the array at a path whose metadata was not read here, such as from a cache. */
  async #find(path: string): Promise<Node> {
    await this.#metadata(`${path}${METADATA}` as StoreKey, undefined);
    for (let above = path; !this.#nodes.has(path) && above !== "/"; ) {
      // Its metadata may be only in the consolidated metadata of a group.
      above = above.slice(0, above.lastIndexOf("/", above.length - 2) + 1);
      await this.#metadata(`${above}${METADATA}` as StoreKey, undefined);
    }
    return this.#nodes.get(path)?.node;
  }

  /** Reads the metadata of a node as it is shown. */
  async #metadata(key: StoreKey, options: object | undefined): Promise<unknown> {
    const bytes = await this.#store.get(key, options as never);
    const text = bytes instanceof Uint8Array ? decoder.decode(bytes) : undefined;
    const document = text === undefined ? undefined : parse(text);
    if (text === undefined || !isObject(document)) return bytes;
    const shown = await this.#shown(pathOf(key), text, document);
    return shown === text ? bytes : encoder.encode(shown);
  }

  /** Returns the text of metadata as it is shown. @throws InvalidMetadataError */
  async #shown(path: string, text: string, document: Json): Promise<string> {
    if (document.node_type === "array") return (await this.#array(path, text))?.text ?? text;
    const members = membersOf(text);
    const consolidated = members.get("consolidated_metadata");
    if (consolidated === undefined || !isObject(parse(consolidated))) return text;
    const inner = membersOf(consolidated);
    const nodes = inner.get("metadata");
    if (nodes === undefined || !isObject(parse(nodes))) return text;
    inner.set("metadata", objectText(await this.#shownNodes(path, membersOf(nodes))));
    members.set("consolidated_metadata", objectText(inner));
    return objectText(members);
  }

  /** Shows the nodes in consolidated metadata, but those that cannot be: opening one of them throws the error. */
  async #shownNodes(path: string, nodes: ReadonlyMap<string, string>): Promise<Map<string, string>> {
    const shown = new Map<string, string>();
    for (const [name, text] of nodes) {
      const document = parse(text);
      const at = `${path}${name.replace(/^\/+|\/+$/g, "")}/`;
      try {
        shown.set(name, isObject(document) ? await this.#shown(at, text, document) : text);
      } catch (error) {
        if (!(error instanceof InvalidMetadataError)) throw error;
      }
    }
    return shown;
  }

  #array(path: string, source: string): Promise<Node> {
    const known = this.#nodes.get(path);
    if (known?.source === source) return known.node;
    const node = this.#open(path, source);
    this.#nodes.set(path, { source, node });
    node.catch(() => this.#nodes.delete(path));
    return node;
  }

  async #open(path: string, source: string): Promise<ShownArray> {
    const members = membersOf(source);
    const at = (path === "/" ? path : path.slice(0, -1)) as StoreKey;
    const { dataTypes = "zarrita", ...options } = this.#options;
    const load = async () => {
      const { init, showArray } = await import("../core.js");
      await init();
      return showArray(this.#store, at, members, options, dataTypes);
    };
    return plainArray(this.#store, at, members, load) ?? load();
  }
}

/** Parses a JSON text; returns undefined if it is invalid. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
