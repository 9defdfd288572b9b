// Shared by the scripts: running commands, and the set-up that each of them may rely on.

import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Puts folders before the PATH of all commands run from here on. */
function prependPath(...folders) {
  process.env.PATH = [...folders, process.env.PATH].join(delimiter);
}

// The tools among the npm packages, also where no `npm run` has done this.
prependPath(join(ROOT, "node_modules/.bin"));

/** Runs a command in the project's folder, showing its output. Ends the script if it fails. */
export function run(command, args, options = {}) {
  const { env, ...others } = options;
  console.log(`\x1b[2m$ ${[command, ...args].join(" ")}\x1b[0m`);
  try {
    execFileSync(command, args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env }, ...others });
  } catch (error) {
    console.error(`\n${command} failed: ${error.code === "ENOENT" ? "it is not installed" : error.message}`);
    process.exit(1);
  }
}

/** Runs a command in the project's folder and returns what it printed. Throws if it fails. */
export function output(command, args) {
  return execFileSync(command, args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Installs the npm packages of the lock file, unless they are those already. */
export function ensurePackages() {
  const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
  const installed = time(join(ROOT, "node_modules/.package-lock.json"));
  if (installed >= time(join(ROOT, "package-lock.json"))) return;
  console.log("Installing the npm packages (a few seconds)");
  run("npm", ["ci", "--no-audit", "--no-fund"]);
}

/** Makes sure that Rust compiles for WebAssembly, and puts tools of `scripts/ensure-tools` on the PATH. */
export function ensureTools(...tools) {
  run("scripts/ensure-wasm-target", []);
  const path = execFileSync("scripts/ensure-tools", ["--print-path", ...tools], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  prependPath(path.trim());
}
