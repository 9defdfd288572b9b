// What the page uses of js/verify, bundled from its source, and stores to verify.

import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import FileSystemStore from "@zarrita/storage/fs";
import { build } from "esbuild";
import { MemoryStore, storeOf } from "../zarrita/stores.mjs";

/** Keeps what calls Rust, and errors, out of the bundle: they are those of the package that tests import. */
const installedPackage = {
  name: "installed-package",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(core|errors)\.js$/ }, ({ path }) => ({
      path: new URL(path.slice(path.lastIndexOf("/") + 1), import.meta.resolve("zarr-codecs")).href,
      external: true,
    })),
};

// One file for each process: tests run at the same time.
const outfile = fileURLToPath(new URL(`../../target/tests/verify-${process.pid}.mjs`, import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL("../../js/verify/index.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  platform: "neutral",
  outfile,
  plugins: [installedPackage],
});

export const verify = await import(outfile);
rmSync(outfile);

/** A store that comes with the page, written by zarr-python. */
export const openFolder = (name) =>
  new FileSystemStore(fileURLToPath(new URL(`../../www/data/${name}`, import.meta.url)));

/** The stores that zarr-python and tensorstore wrote for the tests of zarrita. */
export const WRITTEN = ["zarr-python", "tensorstore"].map((writer) => {
  const path = new URL(`../zarrita/${writer}.json`, import.meta.url);
  return storeOf(JSON.parse(readFileSync(path, "utf8")));
});

const toJson = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** The metadata of an array in one of these stores. */
export const metadataOf = (store, array) => toJson(store.get(`${array}/zarr.json`));

/** A copy of a store in which some bytes are others. */
export function withBytes(store, changes) {
  const copy = new MemoryStore(store);
  for (const [key, change] of Object.entries(changes)) copy.set(key, change(Uint8Array.from(store.get(key))));
  return copy;
}

/** Flips a bit, for `withBytes`. */
export const flip = (byte, bit) => (bytes) => {
  bytes[byte] ^= 1 << bit;
  return bytes;
};

/** The results for all chunks of an array, in their order, with keys below the array. */
export async function resultsOf(store, array, metadata = metadataOf(store, array), options) {
  const prefix = array === "/" ? "/" : `${array}/`;
  const bytes = new TextEncoder().encode(JSON.stringify(metadata));
  const held = {
    get: (key) => (key === `${prefix}zarr.json` ? bytes : store.get(key)),
    ...(store.getRange && { getRange: (key, range) => store.getRange(key, range) }),
  };
  const results = [];
  const settings = { array, all: "inner", missing: "warn", retries: 0 };
  for await (const result of verify.verifyStore(held, { ...settings, ...options })) {
    results.push({ ...result, key: result.key.slice(prefix.length - 1) });
  }
  const place = ({ chunk, inner = [] }) => [...(chunk ?? []), ...inner];
  return results.sort((a, b) => place(a).join().localeCompare(place(b).join(), "en", { numeric: true }));
}

/** What most tests look at: where a chunk is, its state and proof. */
export const summaryOf = ({ key, inner, state, proof }) =>
  [key, inner && `[${inner}]`, state, proof].filter(Boolean).join(" ");

/** The metadata of an array, as short as possible. */
export const arrayMetadata = (members) => ({
  zarr_format: 3,
  node_type: "array",
  data_type: "uint8",
  shape: [4],
  fill_value: 0,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: "default" },
  codecs: ["bytes"],
  ...members,
});
