// Where the bench runs, and the versions of what it compares.

import { readFileSync } from "node:fs";
import { cpus, type } from "node:os";
import { join } from "node:path";
import { ROOT } from "../scripts/run.mjs";

const PEERS = ["zarrita", "hash-wasm", "@node-rs/crc32", "@aws-crypto/crc32c", "crc-32"];

/** The processor and system, and the runtime that is given. */
export function describeHost(runtime) {
  const [{ model }] = cpus();
  return `${runtime} on ${model.trim()}, ${type()}`;
}

/** The versions of the package and its peers, by name. */
export function versions() {
  const version = (path) => JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8")).version;
  return Object.fromEntries([
    ["zarr-codecs", version(".")],
    ...PEERS.map((name) => [name, version(join("node_modules", name))]),
  ]);
}
