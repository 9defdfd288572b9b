// Where the bench runs, and the versions of what it compares.

import { readFileSync } from "node:fs";
import { cpus, type } from "node:os";
import { join } from "node:path";
import { ROOT } from "../scripts/run.mjs";

const PEERS = ["zarrita", "hash-wasm", "@node-rs/crc32", "@aws-crypto/crc32c", "crc-32"];

/** Reads the family and model of the processor, where Linux tells them. */
function familyAndModel() {
  try {
    const text = readFileSync("/proc/cpuinfo", "utf8");
    const [family, model] = ["cpu family", "model"].map(
      (key) => text.match(new RegExp(`^${key}\\s*: (\\d+)$`, "m"))?.[1],
    );
    return family && model ? ` (family ${family}, model ${model})` : "";
  } catch {
    return "";
  }
}

/** Names the processor. Virtual machines often hide the number in its name; family and model identify it then. */
export function processor() {
  const name = cpus()[0].model.trim();
  return /\d{3}/.test(name.replace(/@.*/, "")) ? name : `${name}${familyAndModel()}`;
}

/** Describes the runtime, the processor and the system. */
export const describeHost = (runtime) => `${runtime} on ${processor()}, ${type()}`;

/** The versions of the package and its peers, by name. */
export function versions() {
  const version = (path) => JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8")).version;
  return Object.fromEntries([
    ["zarr-codecs", version(".")],
    ...PEERS.map((name) => [name, version(join("node_modules", name))]),
  ]);
}
