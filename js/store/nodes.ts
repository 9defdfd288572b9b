/** The arrays of a hierarchy, found by the keys of their chunks. */

import { arrayPaths, isMetadata, isV2Metadata, METADATA, pathOf, pathsAbove } from "../array/keys.js";
import { InvalidMetadataError, type RangeQuery } from "../errors.js";
import { decode, encode, isObject, type Json } from "../json.js";
import { showNodes } from "./consolidated.js";

/** A store whose methods receive all further arguments unchanged. */
export interface AnyStore {
  get(key: string, ...rest: unknown[]): unknown;
  getRange?(key: string, range: RangeQuery, ...rest: unknown[]): unknown;
  set?(key: string, ...rest: unknown[]): unknown;
}

/** Translates metadata to the form that zarrita is shown. Metadata that do not change stay the same object. */
interface Translation<A> {
  /** Translates the metadata of an array, given its path with a trailing slash. Returns also what is known of the array. */
  array(path: string, metadata: Json): Promise<{ shown: Json; array?: A | undefined }>;
  /**
   * Translates the metadata of a group.
   *
   * @param shown the metadata with translated nodes
   * @param omitted the nodes that `shown` lacks, because they cannot be opened
   */
  group(metadata: Json, shown: Json, omitted: Json): Json;
}

/** A node of the hierarchy, or its absence. */
interface Node<A> {
  readonly isArray: boolean;
  readonly array?: A | undefined;
}

const NO_ARRAY: Node<never> = { isArray: false };

/** The path of an array, with a trailing slash, and what is known of the array; undefined if there is nothing. */
export type Found<A> = { readonly path: string; readonly array: A } | undefined;

const found = <A>(path: string, { array }: Node<A>): Found<A> =>
  array === undefined ? undefined : { path, array };

/** The nodes of a store, with something known of some of its arrays. */
export class Nodes<A> {
  readonly #store: AnyStore;
  readonly #translation: Translation<A>;
  /** The nodes found so far, by path with a trailing slash. */
  readonly #nodes = new Map<string, Node<A> | Promise<Node<A>>>();

  constructor(store: AnyStore, translation: Translation<A>) {
    this.#store = store;
    this.#translation = translation;
  }

  /** Reads a key. Translates metadata, and remembers the arrays in them. */
  async get(key: string, rest: unknown[]): Promise<unknown> {
    const bytes = await this.#store.get(key, ...rest);
    if (isMetadata(key)) return this.#translateBytes(pathOf(key), bytes);
    if (bytes !== undefined && isV2Metadata(key)) this.#setVersion2(pathOf(key));
    return bytes;
  }

  /** Translates the bytes of metadata. Returns them as they are where nothing changes. */
  async #translateBytes(path: string, bytes: unknown): Promise<unknown> {
    const document = decode(bytes);
    if (!isObject(document)) {
      if (!this.#nodes.has(path)) this.#nodes.set(path, NO_ARRAY);
      return bytes; // Missing or invalid, which zarrita reports.
    }
    // Keeps a known array until it is translated, because its chunks may be read concurrently.
    if (document.node_type !== "array") this.#nodes.set(path, NO_ARRAY);
    try {
      const shown = await this.#show(path, document, (path, node) => this.#nodes.set(path, node));
      return shown === document ? bytes : encode(shown);
    } catch (error) {
      this.#nodes.delete(path);
      throw error;
    }
  }

  /** Translates metadata, and reports the arrays in them. */
  async #show(path: string, metadata: Json, onArray: (path: string, node: Node<A>) => void): Promise<Json> {
    if (metadata.node_type === "array") {
      const { shown, array } = await this.#translation.array(path, metadata);
      onArray(path, { isArray: true, array });
      return shown;
    }
    const show = (path: string, node: Json) => this.#show(path, node, onArray);
    const { shown, omitted } = await showNodes(path, metadata, show);
    return this.#translation.group(metadata, shown, omitted);
  }

  /** Remembers that a path has an array of Zarr v2, or a group of such arrays, unless it is known. */
  #setVersion2(path: string): void {
    if (!this.#nodes.has(path)) this.#nodes.set(path, { isArray: true });
  }

  /** Forgets the node with this metadata key, so that it is read again when it is needed. */
  forget(key: string): void {
    this.#nodes.delete(pathOf(key));
  }

  /** Returns the array above a key; a promise if it has to be found first. */
  arrayOf(key: string): Found<A> | Promise<Found<A>> {
    const path = this.knownPath(key);
    return path === undefined ? this.#find(key) : found(path, this.#nodes.get(path) as Node<A>);
  }

  /** Returns the path of the array above a key, if that array is known. */
  knownPath(key: string): string | undefined {
    return pathsAbove(key).find((path) => {
      const node = this.#nodes.get(path);
      return node !== undefined && "isArray" in node && node.isArray;
    });
  }

  /** Finds that array in the store, because zarrita may have read its metadata elsewhere, as from a cache. */
  async #find(key: string): Promise<Found<A>> {
    const paths = arrayPaths(key);
    for (const path of paths) {
      const node = await this.node(path);
      if (node.isArray) return found(path, node);
    }
    // Its metadata may be only in the consolidated metadata of a group.
    for (const path of pathsAbove(paths[0] ?? "")) await this.node(path);
    const path = this.knownPath(key);
    return path === undefined ? undefined : found(path, await this.node(path));
  }

  /** Returns the node at a path, reading it from the store if it is not known. */
  node(path: string): Node<A> | Promise<Node<A>> {
    const known = this.#nodes.get(path);
    if (known !== undefined) return known;
    const reading = this.#read(path);
    const replace = (node: Node<A> | undefined) => {
      if (this.#nodes.get(path) !== reading) return; // Replaced meanwhile.
      if (node === undefined) this.#nodes.delete(path);
      else this.#nodes.set(path, node);
    };
    reading.then(replace, () => replace(undefined));
    this.#nodes.set(path, reading);
    return reading;
  }

  async #read(path: string): Promise<Node<A>> {
    const document = decode(await this.#store.get(path + METADATA));
    let node: Node<A> = NO_ARRAY;
    if (!isObject(document)) return node;
    try {
      await this.#show(path, document, (at, shown) => {
        const known = this.#nodes.get(at);
        if (at === path) node = shown;
        else if (known === undefined || known === NO_ARRAY) this.#nodes.set(at, shown);
      });
    } catch (error) {
      if (!(error instanceof InvalidMetadataError)) throw error;
      node = { isArray: true }; // zarrita cannot open it, so its keys are not translated.
    }
    return node;
  }
}
