// Stores of files that the user chose: a list of them, or a folder that is read as far as keys are asked for.

import pLimit from "p-limit";
import { UnreadableError } from "./errors.js";

/**
 * @typedef {import("zarr-codecs/verify").StoreKey} StoreKey
 * @typedef {import("zarr-codecs/verify").ByteRange} ByteRange
 */

/** How many files are open at once: systems allow a few hundred. */
const CONCURRENT = 24;
const limit = pLimit(CONCURRENT);

const METADATA = /(^|\/)(zarr\.json|\.zarray|\.zgroup)$/;

/** A store whose files a subclass finds. */
class FileStore {
  /** @param {StoreKey} key */
  get(key) {
    return this.#read(key, (file) => file);
  }

  /** @param {StoreKey} key @param {ByteRange} range */
  getRange(key, range) {
    return this.#read(key, (file) =>
      "suffixLength" in range
        ? file.slice(Math.max(0, file.size - range.suffixLength))
        : file.slice(range.offset, range.offset + range.length),
    );
  }

  /**
   * @param {string} _path
   * @returns {Promise<Blob | undefined>}
   */
  async find(_path) {
    return undefined;
  }

  /** @param {StoreKey} key @param {(file: Blob) => Blob} part */
  #read(key, part) {
    return limit(async () => {
      try {
        const file = await this.find(key.slice(1));
        return file && new Uint8Array(await part(file).arrayBuffer());
      } catch (cause) {
        throw new UnreadableError(`the file could not be read: ${cause.message}`, { cause });
      }
    });
  }
}

/** A store of files with their paths. */
export class ListedFiles extends FileStore {
  #files;

  /** @param {Record<string, Blob>} files by path */
  constructor(files) {
    super();
    this.#files = files;
  }

  /** @override @param {string} path */
  async find(path) {
    return this.#files[path];
  }

  /** Lists the keys of metadata. */
  async *metadataKeys() {
    for (const path of Object.keys(this.#files)) if (METADATA.test(path)) yield path;
  }
}

/** A folder whose files are looked up when they are read. */
export class Folder extends FileStore {
  /** @type {Map<string, Promise<FileSystemDirectoryHandle | undefined>>} */
  #folders = new Map();

  /** @param {FileSystemDirectoryHandle} handle @param {string} [root] a folder in it; ends with a slash unless it is empty */
  constructor(handle, root = "") {
    super();
    this.#folders.set("", Promise.resolve(handle));
    if (root !== "") this.#folders.set("", new Folder(handle).#folder(root.slice(0, -1)));
  }

  /** @override @param {string} path */
  async find(path) {
    const folder = await this.#folder(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
    const name = path.slice(path.lastIndexOf("/") + 1);
    const file = await folder?.getFileHandle(name).catch(unlessMissing);
    return file?.getFile();
  }

  /** @param {string} path @returns {Promise<FileSystemDirectoryHandle | undefined>} */
  #folder(path) {
    const known = this.#folders.get(path);
    if (known) return known;
    const at = path.lastIndexOf("/");
    const finding = this.#folder(path.slice(0, Math.max(0, at))).then((parent) =>
      parent?.getDirectoryHandle(path.slice(at + 1)).catch(unlessMissing),
    );
    this.#folders.set(path, finding);
    return finding;
  }

  /** Finds the keys of metadata, without entering the folders of chunks. @returns {AsyncGenerator<string>} */
  async *metadataKeys(path = "") {
    const folder = await this.#folder(path);
    if (folder === undefined) return;
    for (const name of ["zarr.json", ".zarray", ".zgroup"]) {
      const key = path === "" ? name : `${path}/${name}`;
      const file = await this.find(key);
      if (file === undefined) continue;
      yield key;
      if (name === ".zarray") return;
      if (name === "zarr.json" && isArray(await file.text())) return;
    }
    for await (const [name, { kind }] of entriesOf(folder)) {
      if (kind === "directory") yield* this.metadataKeys(path === "" ? name : `${path}/${name}`);
    }
  }
}

/** @param {string} text */
function isArray(text) {
  try {
    return JSON.parse(text).node_type === "array";
  } catch {
    return false; // Reported when the node is read.
  }
}

/** @param {FileSystemDirectoryHandle} folder @returns {AsyncIterable<[string, FileSystemHandle]>} */
const entriesOf = (folder) => /** @type {any} */ (folder).entries();

/** @param {DOMException} error @returns {undefined} */
function unlessMissing(error) {
  if (error.name === "NotFoundError" || error.name === "TypeMismatchError") return undefined;
  throw error;
}

/**
 * Finds the stores among files: the folders with metadata that are in no other such folder.
 *
 * @param {string[]} paths
 */
export function rootsOf(paths) {
  const folders = paths
    .filter((path) => METADATA.test(path))
    .map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  /** @type {string[]} */
  const roots = [];
  // In this order a folder directly follows the one that it is in, or a sibling of it.
  for (const folder of folders.sort()) {
    const last = roots.at(-1);
    if (last === undefined || !folder.startsWith(last)) roots.push(folder);
  }
  return roots;
}

/**
 * Keeps the entries below a folder, with their paths there.
 *
 * @template T
 * @param {Record<string, T>} entries by path
 * @param {string} root
 * @returns {Record<string, T>}
 */
export function below(entries, root) {
  return Object.fromEntries(
    Object.entries(entries)
      .filter(([path]) => path.startsWith(root))
      .map(([path, entry]) => [path.slice(root.length), entry]),
  );
}
