/** The arrays of a hierarchy, found by the keys of their chunks. */

import { InvalidMetadataError } from "../../errors.js";
import { arrayPaths, METADATA, pathsAbove } from "./chunk-keys.js";
import { decode, encode, isObject, type Json } from "./json.js";

/** Called for each array in a document, with its path (with a trailing slash) and what is known of it. */
export type OnArray<A> = (path: string, array: A | undefined) => void;

/** Translates a document of metadata, its own or consolidated, and reports the arrays in it. */
export type Show<A> = (path: string, document: Json, onArray: OnArray<A>) => Promise<Json>;

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
  readonly #get: (key: string) => unknown;
  readonly #show: Show<A>;
  /** The nodes found so far, by path with a trailing slash. */
  readonly #nodes = new Map<string, Node<A> | Promise<Node<A>>>();

  constructor(get: (key: string) => unknown, show: Show<A>) {
    this.#get = get;
    this.#show = show;
  }

  /** Translates the bytes of metadata that were read. Returns them as they are where nothing changes. */
  async translateBytes(path: string, bytes: unknown): Promise<unknown> {
    const document = decode(bytes);
    if (!isObject(document)) {
      if (!this.#nodes.has(path)) this.#nodes.set(path, NO_ARRAY);
      return bytes; // Missing or invalid, which zarrita reports.
    }
    const shown = await this.#translate(path, document);
    return shown === document ? bytes : encode(shown);
  }

  /** Translates metadata that was read, and remembers the arrays in it. */
  async #translate(path: string, document: Json): Promise<Json> {
    // Keeps a known array until it is translated, because its chunks may be read concurrently.
    if (document.node_type !== "array") this.#nodes.set(path, NO_ARRAY);
    try {
      return await this.#show(path, document, (path, array) => {
        this.#nodes.set(path, { isArray: true, array });
      });
    } catch (error) {
      this.#nodes.delete(path);
      throw error;
    }
  }

  /** Remembers that a path has an array of Zarr v2, or a group of such arrays, unless it is known. */
  setVersion2(path: string): void {
    if (!this.#nodes.has(path)) this.#nodes.set(path, { isArray: true });
  }

  /** Forgets a node, so that it is read again when it is needed. */
  forget(path: string): void {
    this.#nodes.delete(path);
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
    const document = decode(await this.#get(path + METADATA));
    let node: Node<A> = NO_ARRAY;
    if (!isObject(document)) return node;
    try {
      await this.#show(path, document, (found, array) => {
        const known = this.#nodes.get(found);
        if (found === path) node = { isArray: true, array };
        else if (known === undefined || known === NO_ARRAY) this.#nodes.set(found, { isArray: true, array });
      });
    } catch (error) {
      if (!(error instanceof InvalidMetadataError)) throw error;
      node = { isArray: true }; // zarrita cannot open it, so its keys are not translated.
    }
    return node;
  }
}
