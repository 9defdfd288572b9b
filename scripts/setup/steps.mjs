// Shared by the scripts that install what is missing: messages, a temporary folder, and commands whose output goes to
// a log.

import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { ROOT } from "../run.mjs";

/** A folder for this process alone. Only the log stays, and only when the process fails. */
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

/** Prints a message and ends the process as failed. */
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
 * Runs a command, with its output in the log. Resolves to whether it succeeded. `env` is added to the environment, where
 * `undefined` removes a variable.
 */
export function quietly(command, args, { env, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...{ cwd: ROOT, stdio: ["ignore", log, log], env: { ...process.env, ...env } },
      ...options,
    });
    child.on("error", () => resolve(false));
    child.on("exit", (status) => resolve(status === 0));
  });
}

/**
 * Runs a command as `quietly` does, with at most one process at a time among all that name the same path, where the
 * system has `flock`. The command must cope with the work having been done while it waited.
 */
export async function oneAtATime(path, command, args, options) {
  if (!find("flock")) return quietly(command, args, options);
  if (!(await quietly("flock", ["--nonblock", path, "true"])))
    say("waiting for another run of these scripts");
  return quietly("flock", [path, command, ...args], options);
}
