// Stores of zarrita for what can be opened. Runs in workers.

import FetchStore from "@zarrita/storage/fetch";
import ZipFileStore from "@zarrita/storage/zip";
import { defineStoreExtension } from "zarrita";

/**
 * @typedef {import("zarr-codecs/verify").Store} Store
 * @typedef {import("zarr-codecs/verify").StoreKey} StoreKey
 * @typedef {import("zarr-codecs/verify").ByteRange} ByteRange
 */

/** Opens a source. @param {import("./source.js").Source} source @returns {FilesStore | ZipFileStore | FetchStore} */
export function openStore(source) {
  if (source.kind === "files") return new FilesStore(source.files);
  const options = { transformEntries: fromRoot };
  if (source.kind === "zip") return ZipFileStore.fromBlob(source.file, options);
  if (!URL.canParse(source.url))
    throw new Error("expected an absolute address, like https://host/image.zarr");
  if (/\.(zip|ozx)$/i.test(new URL(source.url).pathname)) return ZipFileStore.fromUrl(source.url, options);
  return new FetchStore(source.url, { fetch: fetchRange });
}

/** Rejects whole files where a part was requested: they would be taken for that part. @param {Request} request */
async function fetchRange(request) {
  const response = await fetch(request);
  if (request.headers.has("Range") && response.status === 200) {
    throw new Error("This server does not send parts of files, which shards need.");
  }
  return response;
}

/**
 * Lists the keys of a store, or returns `undefined` where the store cannot.
 *
 * @param {object} store
 * @returns {Promise<string[] | undefined>}
 */
export async function keysOf(store) {
  if (store instanceof FilesStore) return store.keys();
  if (!(store instanceof ZipFileStore)) return undefined;
  // zarrita reads the directory of the zip but does not list it.
  const { info } = /** @type {{ info: Promise<{ entries: Record<string, unknown> }> }} */ (
    /** @type {unknown} */ (store)
  );
  return Object.keys((await info).entries);
}

/** A store of files that the user chose. */
class FilesStore {
  /** @type {Record<string, Blob>} */
  #files;

  /** @param {[path: string, file: Blob][]} files */
  constructor(files) {
    this.#files = fromRoot(Object.fromEntries(files));
  }

  /** @param {StoreKey} key */
  async get(key) {
    return this.#read(key, (file) => file);
  }

  /** @param {StoreKey} key @param {ByteRange} range */
  async getRange(key, range) {
    return this.#read(key, (file) =>
      "suffixLength" in range
        ? file.slice(Math.max(0, file.size - range.suffixLength))
        : file.slice(range.offset, range.offset + range.length),
    );
  }

  keys() {
    return Object.keys(this.#files);
  }

  /** @param {StoreKey} key @param {(file: Blob) => Blob} part */
  async #read(key, part) {
    const file = this.#files[key.slice(1)];
    return file && new Uint8Array(await part(file).arrayBuffer());
  }
}

/**
 * Removes the folders around a store from paths: its root is where the first metadata are.
 *
 * @template T
 * @param {Record<string, T>} entries by path
 * @returns {Record<string, T>}
 */
function fromRoot(entries) {
  const depth = (/** @type {string} */ path) => path.split("/").length;
  const metadata = Object.keys(entries).filter((path) => /(^|\/)(zarr\.json|\.z(group|array))$/.test(path));
  const [first = ""] = metadata.sort((a, b) => depth(a) - depth(b));
  const root = first.slice(0, first.lastIndexOf("/") + 1);
  return Object.fromEntries(
    Object.entries(entries)
      .filter(([path]) => path.startsWith(root))
      .map(([path, entry]) => [path.slice(root.length), entry]),
  );
}

/**
 * The address of a bit in a store.
 *
 * @typedef {{ key: string, byte: number, bit: number }} Bit
 * @typedef {{ bit?: Bit }} Held
 */

/**
 * Wraps a store so that one bit is flipped, while `held.bit` is set.
 *
 * Suffixes of files are left alone: only indexes of shards are read that way, and the page flips bits of elements.
 */
export const withFlippedBit = defineStoreExtension((store, /** @type {Held} */ held) => {
  const flip = (
    /** @type {string} */ key,
    /** @type {Uint8Array | undefined} */ bytes,
    /** @type {number} */ offset,
  ) => {
    const { bit } = held;
    const position = bit?.key === key ? bit.byte - offset : -1;
    if (bit === undefined || bytes === undefined || position < 0 || position >= bytes.length) return bytes;
    const broken = bytes.slice();
    broken[position] ^= 1 << bit.bit;
    return broken;
  };
  return {
    get: async (key, options) => flip(key, await store.get(key, options), 0),
    getRange: async (key, range, options) => {
      const bytes = await store.getRange?.(key, range, options);
      return "suffixLength" in range ? bytes : flip(key, bytes, range.offset);
    },
  };
});
