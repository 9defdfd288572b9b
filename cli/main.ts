#!/usr/bin/env node
/** The command `zarr-codecs`. */

import { doctor } from "./doctor.js";
import { inspect } from "./inspect.js";
import { merge } from "./merge.js";
import { ShareError } from "./shares/pool.js";
import { INCOMPLETE } from "./status.js";
import { StoreError } from "./stores/store.js";
import { OVERVIEW, USAGE, UsageError } from "./usage.js";
import { verify } from "./verify.js";

const COMMANDS = { verify, merge, inspect, doctor };

const isCommand = (name: string | undefined): name is keyof typeof COMMANDS =>
  name !== undefined && Object.hasOwn(COMMANDS, name);

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(OVERVIEW);
    return name === undefined ? INCOMPLETE : 0;
  }
  if (!isCommand(name)) throw new UsageError(`no such command: ${name}`);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE[name]);
    return 0;
  }
  try {
    return await COMMANDS[name](args);
  } catch (error) {
    if (error instanceof UsageError) error.message += `\nSee: zarr-codecs ${name} --help`;
    throw error;
  }
}

/** Errors that their message explains. Others are faults of this program, or of the machine, whose stack helps. */
const isExplained = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof StoreError || error instanceof ShareError;

// A reader that went away, as `| head` does, is no failure of the store.
process.stdout.on("error", () => process.exit(INCOMPLETE));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(isExplained(error) ? `zarr-codecs: ${error.message}` : error);
  process.exitCode = INCOMPLETE;
}
