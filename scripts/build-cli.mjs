// Bundles the command in cli/ into dist/cli/, with the libraries it uses, whose licences come along.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./run.mjs";

const DIST = join(ROOT, "dist/cli");
const LICENSES = join(ROOT, "cli/licenses");

/** CommonJS in a bundle of modules looks for a function of this name. */
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);';

const ENTRIES = { main: "main.ts", trial: "trial.ts", worker: "shares/worker.ts" };

/** Builds dist/cli/. The package itself is imported by name, so that both share its files. */
export async function buildCli() {
  const { build } = await import("esbuild");
  const entryPoints = Object.entries(ENTRIES).map(([out, file]) => ({ in: join(ROOT, "cli", file), out }));
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: DIST,
    chunkNames: "[name]-[hash]",
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node20" },
    external: ["zarr-codecs", "zarr-codecs/verify"],
    banner: { js: REQUIRE },
    ...{ metafile: true, minifySyntax: true, minifyWhitespace: true, legalComments: "none" },
    sourcemap: process.env.COVERAGE ? "inline" : false,
    logLevel: "warning",
  });
  writeFileSync(join(DIST, "THIRD-PARTY-LICENSES"), licenses(packagesIn(metafile)));
}

/** The folders of packages of which something is in the bundle. */
function packagesIn({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** The licences of packages, and of the C libraries that are compiled into them. */
function licenses(folders) {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${relative(ROOT, folder)}: has no licence file`);
    return section(`${name} ${version} (${license})`, readFileSync(join(ROOT, folder, file), "utf8"));
  });
  const compiled = existsSync(LICENSES) ? readdirSync(LICENSES).sort() : [];
  return [
    "The command zarr-codecs contains the following software.\n",
    ...texts,
    ...compiled.map((file) =>
      section(file.replace(/\.txt$/, ""), readFileSync(join(LICENSES, file), "utf8")),
    ),
  ].join("\n");
}

const section = (title, text) => `${"-".repeat(80)}\n${title}\n${"-".repeat(80)}\n${text.trim()}\n`;
