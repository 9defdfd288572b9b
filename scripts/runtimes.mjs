// Runtimes to test the package in, other than this Node: npm packages of fixed versions, installed into target/ on first use.
// As development dependencies, they would make every installation several times as large.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { output, ROOT } from "./run.mjs";

const PACKAGES = JSON.parse(readFileSync(join(ROOT, "scripts/runtimes.json"), "utf8"));

/** Returns the version of a runtime. */
export const versionOf = (name) => PACKAGES[name].split("@")[1];

/** Installs a runtime with further flags of npm, unless it is installed. Returns its folder. */
export function installed(name, ...flags) {
  const spec = PACKAGES[name];
  const folder = join(ROOT, "target/runtimes", spec);
  const lock = join(folder, "node_modules/.package-lock.json"); // Written last.
  if (!existsSync(lock)) {
    console.log(`Installing ${spec}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const args = ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", ...flags, spec];
    output("npm", args, { cwd: folder });
  }
  return folder;
}

/** Returns the path of the command of a runtime. */
export const command = (name) => join(installed(name), "node_modules/.bin", PACKAGES[name].split("@")[0]);

/** Loads the module of a runtime. */
export function load(name) {
  const require = createRequire(join(installed(name), "package.json"));
  return require(PACKAGES[name].split("@")[0]);
}
