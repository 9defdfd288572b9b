// Reads with zarrita through a store that decodes and verifies, and for all other workers.

import { expose } from "comlink";
import { crc32c, openArray, withCodecs } from "zarr-codecs";
import { coordinatesOf } from "../image/coordinates.js";
import { CachedStore } from "../store/cached.js";
import { expand, readNodes } from "../store/nodes.js";
import { openStore, SeveralStores } from "../store/stores.js";
import { readCoordinate } from "./coordinates.js";
import { Reader } from "./reader.js";
import { share } from "./shared-store.js";

/**
 * @typedef {import("../store/nodes.js").Node} Node
 * @typedef {import("../store/stores.js").OpenedStore} OpenedStore
 */

/** How long coordinates may keep a picture waiting, in milliseconds. */
const PATIENCE = 3000;

export class OurReader extends Reader {
  /** @type {OpenedStore | undefined} */
  #listed;
  /** @type {Map<number, OpenedStore>} */
  #opened = new Map();
  /** @type {Map<number, CachedStore>} */
  #cached = new Map();
  /** @type {CachedStore | undefined} */
  #current;
  /** @type {Map<string, Promise<import("zarr-codecs").ArrayReader>>} */
  #arrayReaders = new Map();

  constructor() {
    super(withCodecs);
  }

  /**
   * Opens a store without using it yet, and returns its nodes, or the stores to choose from.
   *
   * @param {number} opening
   * @param {import("../store/source.js").Source} source
   * @param {MessagePort} port through which another worker reads the store
   * @param {(count: number) => void} onProgress
   * @param {string} [wanted] the path of an array
   * @returns {Promise<{ nodes: Node[], choices?: undefined } | { choices: string[], nodes?: undefined }>}
   */
  async prepare(opening, source, port, onProgress, wanted) {
    try {
      const opened = await openStore(source);
      const store = new CachedStore(opened);
      this.#cached.set(opening, store);
      let reported = performance.now();
      const report = (/** @type {number} */ count) => {
        if (performance.now() - reported < 100) return;
        reported = performance.now();
        onProgress(count);
      };
      const nodes = await readNodes(opened, report, wanted);
      this.#opened.set(opening, opened);
      this.keep(opening, store);
      share(store, port);
      return { nodes };
    } catch (error) {
      if (error instanceof SeveralStores) return { choices: error.choices };
      throw error;
    }
  }

  /** @override @param {number} opening */
  commit(opening) {
    super.commit(opening);
    this.#current = this.#cached.get(opening);
    this.#cached.clear();
    this.#listed = this.#opened.get(opening);
    this.#opened.clear();
    this.#arrayReaders.clear();
  }

  /** @override */
  forget() {
    super.forget();
    this.#current?.forgetFailures();
  }

  /** Reads what is in a closed group. @param {string} path */
  async expand(path) {
    if (this.#listed === undefined) throw new Error("no store is open");
    return expand(this.#listed, path);
  }

  /** Reads the coordinates of an array, those that can be read soon. @param {Node[]} nodes @param {string} path */
  async coordinates(nodes, path) {
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    const found = await Promise.all(
      coordinatesOf(nodes, path).map(async ([axis, node]) => {
        const reading = this.open(node.path)
          .then(({ array }) => readCoordinate(array, node))
          .catch(() => undefined);
        return [axis, await Promise.race([reading, late])];
      }),
    );
    return Object.fromEntries(found.filter(([, coordinate]) => coordinate !== undefined));
  }

  /**
   * Reads bytes of a chunk, and finds where in which file they are; returns `undefined` where the chunk is missing.
   *
   * @param {import("zarr-codecs/verify").StoreNode} node
   * @param {number[]} position of the chunk
   * @param {number} start
   * @param {number} [size]
   */
  async bytes({ path, metadata }, position, start, size = Number.POSITIVE_INFINITY) {
    if (this.store === undefined) throw new Error("no store is open");
    const opening = this.#arrayReaders.get(path) ?? openArray(this.store, path, { metadata });
    this.#arrayReaders.set(path, opening);
    opening.catch(() => this.#arrayReaders.delete(path));
    const chunk = await (await opening).getEncoded(position);
    if (chunk === undefined) return undefined;
    const { key, range, bytes: encoded } = chunk;
    const bytes = encoded.slice(start, start + size);
    return { key, start: (range?.offset ?? 0) + start, bytes, byteLength: encoded.length };
  }

  /**
   * Returns the crc32c that a chunk ends with, and the one that its payload has.
   *
   * @param {import("zarr-codecs/verify").StoreNode} node
   * @param {number[]} position of the chunk
   */
  async checksums(node, position) {
    const { bytes } = (await this.bytes(node, position, 0)) ?? {};
    if (bytes === undefined || bytes.length < 4) return undefined;
    const end = bytes.length - 4;
    const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
    return { stored, computed: crc32c(bytes.subarray(0, end)) };
  }
}

expose(new OurReader());
