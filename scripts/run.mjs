// Functions that the scripts share: to run commands, and to install what they need.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const INSTALLED_LOCK = join(ROOT, "node_modules/.package-lock.json");

/** Prepends folders to the PATH of all later commands. */
function prependPath(...folders) {
  process.env.PATH = [...folders, process.env.PATH].join(delimiter);
}

// The commands of npm packages, which `npm run` would add.
prependPath(join(ROOT, "node_modules/.bin"));

/** Returns the script behind a command of an installed npm package. */
function packageScript(command) {
  if (!existsSync(INSTALLED_LOCK)) return;
  const { packages } = JSON.parse(readFileSync(INSTALLED_LOCK, "utf8"));
  const isTopLevel = (path) => path.lastIndexOf("node_modules/") === 0;
  const found = Object.entries(packages).find(
    ([path, { bin }]) => isTopLevel(path) && bin !== undefined && Object.hasOwn(bin, command),
  );
  return found && join(ROOT, found[0], found[1].bin[command]);
}

/** Returns npm's own script: the one that `npm run` names, or one installed with Node. */
function npmScript() {
  const candidates = [
    process.env.npm_execpath,
    join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js"),
    join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js"),
  ];
  return candidates.find((path) => path?.endsWith("npm-cli.js") && existsSync(path));
}

/**
 * Returns the file and arguments that start a command on every platform. Scripts of npm packages start in this Node:
 * on Windows their commands are .cmd files, which only a shell can start, and a shell would need its own quoting.
 */
export function commandLine(command, args) {
  if (command === "node") return [process.execPath, args];
  const script = command === "npm" ? npmScript() : packageScript(command);
  return script === undefined ? [command, args] : [process.execPath, [script, ...args]];
}

/** Runs a command in the project's folder and shows its output. Ends this process if the command fails. */
export function run(command, args, options = {}) {
  const { env, ...others } = options;
  console.log(`\x1b[2m$ ${[command, ...args].join(" ")}\x1b[0m`);
  try {
    const inherited = { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env } };
    execFileSync(...commandLine(command, args), { ...inherited, ...others });
  } catch (error) {
    const reason =
      error.code === "ENOENT" ? "it is not installed" : (error.signal ?? `status ${error.status}`);
    console.error(`\n${command} failed: ${reason}`);
    process.exit(1);
  }
}

/** Runs files of tests in Node, by a reporter that repeats at the end what failed. */
export function runTests(files, { flags = [], ...options } = {}) {
  run("node", [...flags, "--test", "--test-reporter=spec", ...files], options);
}

/** Lets tests import the portable build. */
export const PORTABLE = ["--import", "./tests/portable.mjs"];

/** Runs a command quietly and returns what it printed; its errors are shown. */
export function output(command, args, options = {}) {
  const defaults = { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return execFileSync(...commandLine(command, args), { ...defaults, ...options });
}

/** Installs the npm packages of the lock file, unless they are already installed. */
export function ensurePackages() {
  const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
  if (time(INSTALLED_LOCK) >= time(join(ROOT, "package-lock.json"))) return;
  console.log("Installing the npm packages (a few seconds)");
  run("npm", ["ci", "--no-audit", "--no-fund"]);
}

let isRustReady = false;

/** Makes sure that the compiler of `rust-toolchain.toml`, or the one in its place, is there and compiles for WebAssembly. */
export function ensureRust() {
  if (!isRustReady) run("node", ["scripts/ensure-wasm-target.mjs"]);
  isRustReady = true;
}

/** Makes sure that Rust is there, and puts tools of `ensure-tools.mjs` on the PATH. */
export function ensureTools(...tools) {
  ensureRust();
  const folders = output("node", ["scripts/ensure-tools.mjs", "--print-path", ...tools]).trim();
  if (folders !== "") prependPath(folders);
}
