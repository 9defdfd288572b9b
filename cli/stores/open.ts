/** Opens stores by their location. */

import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openFolder } from "./folder.js";
import { isZip } from "./keys.js";
import { type OpenedStore, StoreError, type StoreSettings } from "./store.js";

/** Tells the kind of a store by its location. @throws StoreError */
export function storeKind(location: string): "folder" | "zip" | "http" | "s3" {
  const unexpected = (what: string) =>
    new StoreError(`${location}: expected a folder, a .zip or .ozx file, https:// or s3://, got ${what}`);
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return "http";
  if (scheme === "s3") return "s3";
  if (scheme !== undefined && scheme !== "file") throw unexpected(`${scheme}://`);
  const isFile = statSync(localPath(location), { throwIfNoEntry: false })?.isFile();
  if (!isFile) return "folder";
  if (isZip(location)) return "zip";
  throw unexpected("another file");
}

/** Returns the path of a store in the file system. */
export const localPath = (location: string): string =>
  location.startsWith("file://") ? fileURLToPath(location) : location;

/** Opens a store. Only what this one needs is loaded, since every thread waits for it. @throws StoreError */
export async function openStore(location: string, settings: StoreSettings): Promise<OpenedStore> {
  switch (storeKind(location)) {
    case "http":
      return (await import("./http.js")).openHttp(location, settings);
    case "s3":
      return (await import("./s3.js")).openS3(location, settings);
    case "zip":
      return (await import("./zip.js")).openZip(localPath(location), settings);
    case "folder":
      return openFolder(localPath(location));
  }
}
