// Where chunks come from, as stores of zarrita. Runs in workers.

import FetchStore from "@zarrita/storage/fetch";
import ZipFileStore from "@zarrita/storage/zip";
import { defineStoreExtension } from "zarrita";

/**
 * What can be opened, as a message to a worker can carry it.
 *
 * @typedef {{ kind: "url", url: string } | { kind: "zip", name: string, file: Blob }
 *   | { kind: "files", name: string, files: [path: string, file: Blob][] }} Source
 */

/** @param {Source} source */
export function openStore(source) {
  if (source.kind === "files") return new FilesStore(source.files);
  const options = { transformEntries: fromRoot };
  if (source.kind === "zip") return ZipFileStore.fromBlob(source.file, options);
  if (!URL.canParse(source.url)) throw new Error("This is not an address.");
  if (/\.(zip|ozx)$/i.test(new URL(source.url).pathname)) return ZipFileStore.fromUrl(source.url, options);
  return new FetchStore(source.url, { fetch: fetchRange });
}

/** A whole file in place of a part of it would be taken for that part. */
async function fetchRange(request) {
  const response = await fetch(request);
  if (request.headers.has("Range") && response.status === 200) {
    throw new Error("This server does not send parts of files, which shards need.");
  }
  return response;
}

/** All keys of a store, where it can tell. */
export async function keysOf(store) {
  if (store instanceof ZipFileStore) return Object.keys((await store.info).entries);
  return store instanceof FilesStore ? store.keys() : undefined;
}

/** Files of the user's, by path. */
class FilesStore {
  #files;

  constructor(files) {
    this.#files = fromRoot(Object.fromEntries(files));
  }

  async get(key) {
    return this.#read(key, (file) => file);
  }

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

  async #read(key, part) {
    const file = this.#files[key.slice(1)];
    return file && new Uint8Array(await part(file).arrayBuffer());
  }
}

/** Entries by path, without the folders around the store: its root is where the first metadata are. */
function fromRoot(entries) {
  const depth = (path) => path.split("/").length;
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
 * A store in which one bit is not what it was.
 *
 * `held.bit` is `{ key, byte, bit }`, or undefined when nothing is broken. The ends of files are read for the index of
 * shards only, which stays whole.
 */
export const withFlippedBit = defineStoreExtension((store, held) => {
  const flip = (key, bytes, offset) => {
    const position = held.bit?.key === key ? held.bit.byte - offset : -1;
    if (bytes === undefined || position < 0 || position >= bytes.length) return bytes;
    const broken = bytes.slice();
    broken[position] ^= 1 << held.bit.bit;
    return broken;
  };
  return {
    get: async (key, options) => flip(key, await store.get(key, options), 0),
    getRange: async (key, range, options) => {
      const bytes = await store.getRange(key, range, options);
      return "suffixLength" in range ? bytes : flip(key, bytes, range.offset);
    },
  };
});
