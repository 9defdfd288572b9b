// Functions that the installing scripts share: for messages, a temporary folder, and commands whose output is logged.

import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { ROOT } from "../run.mjs";

/** A folder of this process. Only the log is kept, and only if the process fails. */
export const TEMPORARY = mkdtempSync(join(tmpdir(), "zarr-codecs."));
const LOG = join(TEMPORARY, "log");
const log = openSync(LOG, "a");

process.on("exit", (status) => {
  closeSync(log);
  const keepsLog = status !== 0 && statSync(LOG).size > 0;
  if (keepsLog) say(`failed; the log is ${LOG}`);
  for (const name of readdirSync(TEMPORARY)) {
    if (!keepsLog || name !== "log") rmSync(join(TEMPORARY, name), { recursive: true, force: true });
  }
  if (!keepsLog) rmSync(TEMPORARY, { recursive: true, force: true });
});
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

/** Prints a message to stderr, because stdout is for results. */
export function say(message) {
  console.error(`${basename(process.argv[1], ".mjs")}: ${message}`);
}

/** Prints a message and exits with status 1. */
export function die(message) {
  say(message);
  process.exit(1);
}

const EXTENSIONS = process.platform === "win32" ? ["", ".exe", ".cmd"] : [""];

/** Returns the path of the first of these commands that is on PATH. */
export function find(...commands) {
  return process.env.PATH.split(delimiter)
    .flatMap((folder) => commands.map((command) => join(folder, command)))
    .flatMap((path) => EXTENSIONS.map((extension) => path + extension))
    .find((path) => existsSync(path));
}

/**
 * Runs a command, logging its output. Resolves to whether it succeeded. `env` is merged into the environment; `undefined`
 * removes a variable.
 */
export function quietly(command, args, { env, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ["ignore", log, log],
      env: { ...process.env, ...env },
      ...options,
    });
    child.on("error", () => resolve(false));
    child.on("exit", (status) => resolve(status === 0));
  });
}

/**
 * Runs a command like `quietly`, but on systems with `flock` only one at a time for the same path. The command must handle
 * that another process has done the work while it waited.
 */
export async function oneAtATime(path, command, args, options) {
  if (!find("flock")) return quietly(command, args, options);
  if (!(await quietly("flock", ["--nonblock", path, "true"])))
    say("waiting for another run of these scripts");
  return quietly("flock", [path, command, ...args], options);
}
