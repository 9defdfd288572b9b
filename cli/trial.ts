/** Reads a chunk with a wrong checksum by a copy of zarrita. Runs as a process of its own, for `doctor`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Trial } from "./doctor.js";

const METADATA = {
  ...{ zarr_format: 3, node_type: "array", shape: [4], data_type: "uint8", fill_value: 0, attributes: {} },
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  codecs: [{ name: "bytes" }, { name: "crc32c" }],
};

/** Four elements and a checksum that is not theirs. */
const DAMAGED = new Uint8Array([1, 2, 3, 4, 0, 0, 0, 0]);

const store = new Map([
  ["/zarr.json", new TextEncoder().encode(JSON.stringify(METADATA))],
  ["/c/0", DAMAGED],
]);

interface Zarrita {
  readonly open: { v3(store: unknown, options: { kind: "array" }): Promise<unknown> };
  get(array: unknown): Promise<unknown>;
}

async function rejects(zarrita: Zarrita): Promise<boolean> {
  const array = await zarrita.open.v3(store, { kind: "array" });
  return zarrita.get(array).then(
    () => false,
    () => true,
  );
}

/** Imports a package by its folder, as Node resolves its entry. */
async function importFolder(folder: string, entry: "." | "./zarrita") {
  const { exports, main, module } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  let target = exports?.[entry] ?? (entry === "." ? (exports ?? module ?? main) : undefined);
  while (typeof target === "object" && target !== null) target = target.import ?? target.default;
  return import(pathToFileURL(join(folder, target)).href);
}

const [copy, ours] = process.argv.slice(2) as [string, string];
const zarrita: Zarrita = await importFolder(copy, ".");
const alone = await rejects(zarrita);
if (ours) await importFolder(ours, "./zarrita");
const trial: Trial = { alone, registered: ours ? await rejects(zarrita) : alone };
process.stdout.write(JSON.stringify(trial));
