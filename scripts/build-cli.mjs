// Bundles the command in cli/ into dist/cli/, with the libraries it uses, whose licences come along.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { section } from "./licenses.mjs";
import { ROOT } from "./run.mjs";

const DIST = join(ROOT, "dist/cli");

/** CommonJS in a bundle of modules looks for a function of this name. */
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);';

/** The files of the command, and those that it loads when it needs them. */
const ENTRIES = {
  main: "main.ts",
  http: "stores/http.ts",
  s3: "stores/s3.ts",
  zip: "stores/zip.ts",
};

const OPTIONS = {
  absWorkingDir: ROOT,
  outdir: DIST,
  bundle: true,
  platform: "node",
  target: "node20",
  metafile: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  sourcemap: process.env.COVERAGE ? "inline" : false,
  logLevel: "warning",
};

const entry = ([out, file]) => ({ in: join(ROOT, "cli", file), out });

/** Builds dist/cli/. */
export async function buildCli() {
  const { build } = await import("esbuild");
  // What needs the package imports it by name, so that both share its files.
  const main = await build({
    ...OPTIONS,
    entryPoints: Object.entries(ENTRIES).map(entry),
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    external: ["zarr-codecs"],
    banner: { js: REQUIRE },
  });
  // One file, and not a module: Node starts a thread of it in 22 ms, and one of modules in 30 to 35 (Node 20, 2026-11-23).
  const worker = await build({
    ...OPTIONS,
    entryPoints: [entry(["worker", "shares/worker.ts"])],
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    conditions: ["thread"],
    alias: { "zarr-codecs": join(ROOT, "js/index.ts"), "zarr-codecs/verify": join(ROOT, "js/verify.ts") },
    plugins: [{ name: "files", setup: ({ onResolve }) => onResolve({ filter: /^\./ }, resolveLoaded) }],
  });
  writeFileSync(join(DIST, "THIRD-PARTY-LICENSES"), licenses(packagesIn(main, worker)));
}

/** What a thread loads when it needs it is in files of their own: those of the command, the decoders, and the portable build. */
function resolveLoaded({ kind, path }) {
  if (kind !== "dynamic-import") return;
  const name = basename(path, ".js");
  if (name === "core") return; // It is in the thread's file.
  if (name in ENTRIES) return { path: `./${name}.js`, external: true };
  if (name === "portable") return { path: "../wasm/loaders/portable.js", external: true };
  if (name === "decoders") return { path: "../decoders.js", external: true };
  throw new Error(`${path} is no entry of the command`);
}

/** The folders of packages of which something is in the bundles. */
function packagesIn(...bundles) {
  const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** The licences of packages. */
function licenses(folders) {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${relative(ROOT, folder)}: has no licence file`);
    return section(`${name} ${version} (${license})`, readFileSync(join(ROOT, folder, file), "utf8"));
  });
  return ["The command zarr-codecs contains the following software.\n", ...texts].join("\n");
}
