// Finds the copy of zarrita that an npm package imports.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Imports the copy of zarrita that Node resolves from an installed package: its own, or that of the application. */
export async function zarritaOf(name) {
  const [folder] = foldersOf(name, createRequire(import.meta.url));
  const [zarrita] = foldersOf("zarrita", createRequire(join(folder, "package.json")));
  const { version, exports } = JSON.parse(readFileSync(join(zarrita, "package.json"), "utf8"));
  const module = await import(pathToFileURL(join(zarrita, exports["."].import)));
  return { version, folder: zarrita, ...module };
}

/** Returns the folders where a package is installed, the nearest first. */
function foldersOf(name, require) {
  return require.resolve
    .paths(name)
    .map((modules) => join(modules, name))
    .filter((folder) => existsSync(join(folder, "package.json")));
}
