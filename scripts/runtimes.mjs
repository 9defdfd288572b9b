// The runtimes that the package is tested in beside the Node that runs this: npm packages of one version each, installed
// into target/ at first use. As dependencies for development they would make every installation several times as large.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { output, ROOT } from "./run.mjs";

const PACKAGES = JSON.parse(readFileSync(join(ROOT, "scripts/runtimes.json"), "utf8"));

/** The version of a runtime. */
export const versionOf = (name) => PACKAGES[name].split("@")[1];

/** The folder that a runtime is installed in. */
export function installed(name) {
  const spec = PACKAGES[name];
  const folder = join(ROOT, "target/runtimes", spec);
  const lock = join(folder, "node_modules/.package-lock.json"); // written last
  if (!existsSync(lock)) {
    console.log(`Installing ${spec}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const args = ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", spec];
    output("npm", args, { cwd: folder });
  }
  return folder;
}

/** The command of a runtime. */
export const command = (name) => join(installed(name), "node_modules/.bin", PACKAGES[name].split("@")[0]);

/** A module of a runtime. */
export function load(name) {
  const require = createRequire(join(installed(name), "package.json"));
  return require(PACKAGES[name].split("@")[0]);
}
