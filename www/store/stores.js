// Stores for what can be opened. Runs in workers.

import { below, Folder, ListedFiles, rootsOf } from "./file-stores.js";
import { HttpStore } from "./http-store.js";
import { withVersion2 } from "./version2.js";
import { ZipStore } from "./zip-store.js";

/**
 * @typedef {import("./source.js").Source} Source
 * @typedef {import("./cached.js").RangeStore} RangeStore
 * @typedef {RangeStore & { metadataKeys?: () => AsyncIterable<string>, folders?: (path: string) => Promise<string[]> }}
 *   OpenedStore with the keys of its metadata, where it can be listed, or the names of folders, where they may be
 */

/** Thrown for several stores in one zip or folder; `choices` are their folders. */
export class SeveralStores extends Error {
  /** @param {string[]} choices */
  constructor(choices) {
    super(`it contains ${choices.length} stores; choose one`);
    this.choices = choices;
  }
}

/**
 * Opens a source; arrays of Zarr v2 look like those of v3 in it.
 *
 * @param {Source} source
 * @returns {Promise<OpenedStore>}
 */
export async function openStore(source) {
  return withVersion2(await openAny(source));
}

/** @param {Source} source @returns {Promise<OpenedStore>} */
async function openAny(source) {
  const { root } = source;
  if (source.kind === "files") {
    const entries = Object.fromEntries(source.files);
    return new ListedFiles(below(entries, root ?? onlyRoot(Object.keys(entries))));
  }
  if (source.kind === "folder") {
    return new Folder(source.handle, root ?? (await onlyRootIn(new Folder(source.handle))));
  }
  if (source.kind === "zip") return openZip(source.file, root);
  if (!URL.canParse(source.url))
    throw new Error("expected an absolute address, like https://host/image.zarr");
  const { protocol, pathname } = new URL(source.url);
  if (!/^(https?|blob|data):$/.test(protocol))
    throw new Error(
      `browsers read from http and https only, not from ${protocol.slice(0, -1)}: use the https address of the store`,
    );
  return /\.(zip|ozx)$/i.test(pathname) ? openZip(source.url, root) : new HttpStore(source.url);
}

/** @param {Blob | string} zip @param {string} [root] */
async function openZip(zip, root) {
  const store = new ZipStore(zip);
  store.setRoot(root ?? onlyRoot(await store.paths()));
  return store;
}

/** Finds the only store in a folder, which most often is the folder itself. @param {Folder} folder */
async function onlyRootIn(folder) {
  /** @type {string[]} */
  const keys = [];
  for await (const key of folder.metadataKeys()) {
    if (!key.includes("/")) return "";
    keys.push(key);
  }
  return onlyRoot(keys);
}

/** Finds the only store among files. @param {string[]} paths @throws {SeveralStores} */
function onlyRoot(paths) {
  const roots = rootsOf(paths);
  if (roots.length > 1)
    throw new SeveralStores(roots.sort((a, b) => a.localeCompare(b, "en", { numeric: true })));
  if (roots.length === 1) return roots[0];
  throw new Error("there is no Zarr store in it: found no file named zarr.json, .zarray or .zgroup");
}
