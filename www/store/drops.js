// What was dropped on the page, or picked: a folder, a zip, several of them, or a link.

import { fromEvent } from "file-selector";
import { atAddress } from "./source.js";

/**
 * @typedef {import("./source.js").Source} Source
 * @typedef {{ sources: Source[], reason?: string }} Found the stores to open or to choose from, or why there are none
 */

const isZip = (/** @type {string} */ name) => /\.(zip|ozx)$/i.test(name);

/**
 * Finds what was dropped. Folders are not read, where the browser can do without.
 *
 * @param {DragEvent} event
 * @param {() => void} onReading is called if the browser has to list all files first
 * @returns {Promise<Found>}
 */
export async function dropped(event, onReading) {
  const { dataTransfer } = event;
  const items = [...(dataTransfer?.items ?? [])];
  const link = dataTransfer?.getData("text/uri-list") || dataTransfer?.getData("text/plain");
  if (!items.some(({ kind }) => kind === "file")) {
    const url = link?.split(/\r?\n/).find((line) => /^https?:/.test(line.trim()));
    return url
      ? { sources: [atAddress(url.trim())] }
      : { sources: [], reason: "Neither a file nor a folder nor an address of http was dropped." };
  }
  // The browser forgets the items after this turn of the event loop.
  const handles = Promise.all(
    items.map((item) => /** @type {any} */ (item).getAsFileSystemHandle?.().catch(() => undefined)),
  );
  const listing = items.some((item) => /** @type {any} */ (item).getAsFileSystemHandle)
    ? undefined
    : fromEvent(event);
  const found = /** @type {(FileSystemHandle | undefined)[]} */ (await handles).filter(
    (handle) => handle !== undefined,
  );
  if (found.length > 0) return fromHandles(found);
  onReading();
  return fromFiles(await (listing ?? fromEvent(event)));
}

/** @param {FileSystemHandle[]} handles @returns {Promise<Found>} */
async function fromHandles(handles) {
  /** @type {Source[]} */
  const sources = [];
  /** @type {[string, File][]} */
  const files = [];
  for (const handle of handles) {
    if (handle.kind === "directory") {
      sources.push({
        kind: "folder",
        name: handle.name,
        handle: /** @type {FileSystemDirectoryHandle} */ (handle),
      });
      continue;
    }
    const file = await /** @type {FileSystemFileHandle} */ (handle).getFile();
    if (isZip(file.name)) sources.push({ kind: "zip", name: file.name, file });
    else files.push([file.name, file]);
  }
  return sources.length > 0 ? { sources } : looseFiles(files);
}

/**
 * Finds the stores among files as file-selector returns them: zips, or all files of a folder.
 *
 * @param {Awaited<ReturnType<typeof fromEvent>>} items
 * @returns {Found}
 */
export function fromFiles(items) {
  const files = items.filter((item) => item instanceof File);
  if (files.length === 0) return { sources: [], reason: "There are no files in it: the folder is empty." };
  const zips = files.filter((file) => isZip(file.name) && !pathOf(file).includes("/"));
  if (zips.length > 0) return { sources: zips.map((file) => ({ kind: "zip", name: file.name, file })) };
  return looseFiles(files.map((file) => [pathOf(file), file]));
}

/** @param {[string, File][]} files @returns {Found} */
function looseFiles(files) {
  const [first] = files;
  if (files.length === 1 && !first[0].includes("/") && !/^(zarr\.json|\.z(array|group))$/.test(first[0])) {
    return {
      sources: [],
      reason: `${first[0]} is a single file, not a store: drop the folder or the zip that it is in. A single chunk can be decoded in “Your own chunk” below.`,
    };
  }
  return { sources: [{ kind: "files", name: first[0].split("/")[0], files }] };
}

/** @param {File & { path?: string }} file */
const pathOf = (file) => (file.webkitRelativePath || file.path || file.name).replace(/^\.?\//, "");
