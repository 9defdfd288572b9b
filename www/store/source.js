// What can be opened: the stores that come with the page, one at an address, or files of the user's.

/**
 * Where a store is, as a plain object that a worker can be sent. `root` is a folder of several with stores in them.
 *
 * @typedef {{ kind: "url", url: string, root?: string }} UrlSource
 * @typedef {UrlSource | { kind: "zip", name: string, file: Blob, root?: string }
 *   | { kind: "folder", name: string, handle: FileSystemDirectoryHandle, root?: string }
 *   | { kind: "files", name: string, files: [path: string, file: Blob][], root?: string }} Source
 */

/** The names of the stores that come with the page, by their path beside it. @type {Record<string, string>} */
export const BUNDLED = { "cells.ome.zarr": "Cells", "sample.zarr": "A world of data types" };

/** The store that is opened by default. */
export const FIRST = atAddress("cells.ome.zarr");

/**
 * A store at an absolute address, or at a path beside the page; of a file of metadata, the store that it is in.
 *
 * @param {string} address
 * @returns {UrlSource}
 */
export function atAddress(address) {
  const url = address.replace(/\/(zarr\.json|\.z(array|group|attrs|metadata))$/, "");
  return {
    kind: "url",
    url: URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href : url,
  };
}

/** Names a source for people. @param {Source} source */
export function nameOf(source) {
  const inside = source.root ? `, ${source.root.slice(0, -1)}` : "";
  if (source.kind !== "url") return source.name + inside;
  const own = Object.keys(BUNDLED).find((path) => atAddress(path).url === source.url);
  return own ? `${BUNDLED[own]} (${own})` : source.url + inside;
}
