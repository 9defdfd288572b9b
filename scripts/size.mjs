// `npm run size`: fails if the packed package is larger than its budgets.

import { statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { ensurePackages, ROOT } from "./run.mjs";

ensurePackages();
const esbuild = await import("esbuild");

const PORTABLE = "*/wasm/loaders/portable.js";
const CORE = "*/core.js";
const LOADED_FOR_CHUNKS = ["*/zarrita-codecs.js"];

/** What applications bundle: code that uses an entry, without what is loaded later. Budgets are in bytes, gzipped. */
const BUNDLES = [
  {
    name: "{ createCodecChain }, the module included",
    code: 'export { createCodecChain } from "./dist/index.js"',
    external: [PORTABLE],
    budget: 85_000,
  },
  {
    name: "{ withCodecs }, before a chunk needs the module",
    code: 'export { withCodecs } from "./dist/index.js"',
    external: [CORE],
    budget: 12_000,
  },
  {
    name: "zarr-codecs/register, before a chunk needs the module, without zarrita",
    code: 'import "./dist/register.js"',
    external: [...LOADED_FOR_CHUNKS, "zarrita"],
    budget: 4_000,
  },
  {
    name: "zarr-codecs/crc32c with decodeCrc32c",
    code: 'export { decodeCrc32c } from "./dist/crc32c.js"',
    external: [PORTABLE],
    budget: 11_000,
  },
  {
    name: "{ createCodecChain } from zarr-codecs/portable",
    code: 'export { createCodecChain } from "./dist/portable/index.js"',
    external: [],
    budget: 110_000,
  },
  {
    name: "the decoders, loaded when a chunk needs them",
    code: 'export * from "./dist/decoders.js"',
    external: ["*/loaders/portable.js"],
    budget: 60_000,
  },
  {
    name: "zarr-codecs/verify, without zarr-codecs itself",
    code: 'export * from "./dist/verify.js"',
    external: [CORE],
    budget: 14_300,
  },
];

/** Bundles code for browsers. Returns its sizes. */
async function sizesOf({ code, external }) {
  const stdin = { contents: code, resolveDir: ROOT };
  const options = { bundle: true, minify: true, format: "esm", write: false, logLevel: "error" };
  const { outputFiles } = await esbuild.build({ stdin, external, ...options });
  const { contents } = outputFiles[0];
  return { minified: contents.length, size: gzipSync(contents, { level: 9 }).length };
}

await build();
const FILES = [
  { name: "zarr_codecs.wasm", path: join(ROOT, "dist/zarr_codecs.wasm"), budget: 153_000 },
  { name: "the tarball", path: pack(), budget: 860_000 },
];

const bundles = await Promise.all(BUNDLES.map(async (bundle) => ({ ...bundle, ...(await sizesOf(bundle)) })));
const files = FILES.map((file) => ({ ...file, size: statSync(file.path).size }));
const kilobytes = (bytes) => bytes && (bytes / 1000).toFixed(2);
console.table(
  [...bundles, ...files].map(({ name, minified, size, budget }) => ({
    name,
    "minified kB": kilobytes(minified),
    "gzipped or file kB": kilobytes(size),
    "budget kB": kilobytes(budget),
  })),
);
const exceeded = [...bundles, ...files].filter(({ size, budget }) => size > budget);
for (const { name } of exceeded) console.error(`larger than its budget: ${name}`);
process.exitCode = exceeded.length > 0 ? 1 : 0;
