#!/usr/bin/env node
/** The command `zarr-codecs`. */

import { ReportError } from "./reports/jsonl.js";
import { ShareError } from "./shares/pool.js";
import { INCOMPLETE } from "./status.js";
import { StoreError } from "./stores/store.js";
import { OVERVIEW, USAGE, UsageError } from "./usage.js";
import { verify } from "./verify.js";

type Command = (args: readonly string[]) => number | Promise<number>;

/** The commands. What `verify` need not wait for is loaded when it is used. */
const COMMANDS = {
  verify: () => verify,
  merge: async () => (await import("./merge.js")).merge,
  inspect: async () => (await import("./inspect.js")).inspect,
} satisfies Record<string, () => Command | Promise<Command>>;

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
    const command = await COMMANDS[name]();
    return await command(args);
  } catch (error) {
    if (error instanceof UsageError) error.message += `\nSee: zarr-codecs ${name} --help`;
    throw error;
  }
}

/** Errors that their message explains. Others are faults of this program, or of the machine, whose stack helps. */
const isExplained = (error: unknown): error is Error =>
  [UsageError, StoreError, ShareError, ReportError].some((kind) => error instanceof kind);

/** A reader that went away, as `| head` does, need not be told. */
const isClosedPipe = (error: unknown): boolean => error instanceof ReportError && error.code === "EPIPE";

process.stdout.on("error", () => process.exit(INCOMPLETE));
process.stderr.on("error", () => {});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!isClosedPipe(error)) console.error(isExplained(error) ? `zarr-codecs: ${error.message}` : error);
  process.exitCode = INCOMPLETE;
}
