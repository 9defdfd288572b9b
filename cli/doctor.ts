/** `zarr-codecs doctor`: the copies of zarrita below node_modules, and which of them verify. */

import { execFile } from "node:child_process";
import { existsSync, type PathLike, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onePositional, parse } from "./options.js";
import { count, paint } from "./reports/text.js";
import { StoreError } from "./stores/store.js";

const run = promisify(execFile);

const TRIAL = fileURLToPath(new URL("./trial.js", import.meta.url));

/** A copy of a package. */
interface Copy {
  readonly folder: string;
  readonly version: string;
}

/** What a chunk with a wrong checksum does to a copy of zarrita. */
export interface Trial {
  /** Whether it throws before anything is registered, and after `zarr-codecs/zarrita` was imported. */
  readonly alone: boolean;
  readonly registered: boolean;
  readonly error?: string;
}

/** Runs the command. Returns its exit status: 1 where a copy does not verify. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { positionals } = parse(args, {});
  const root = resolve(positionals.length > 0 ? onePositional(positionals, "folder") : ".");
  const modules = join(root, "node_modules");
  if (!existsSync(modules))
    throw new StoreError(`${root}: has no node_modules; run this where the program is installed`);
  const copies = findCopies(modules, "zarrita");
  const [ours] = findCopies(modules, "zarr-codecs");
  console.log(
    ours ? `zarr-codecs ${ours.version}` : "zarr-codecs is not installed here: npm install zarr-codecs",
  );
  console.log(`${count(copies.length, "copy").replace("copys", "copies")} of zarrita`);
  let isHealthy = true;
  for (const copy of copies) {
    const trial = await tryCopy(copy, ours);
    isHealthy &&= trial.registered;
    console.log(`\n${verdictOf(trial)} ${relative(root, copy.folder)} (${copy.version})`);
    for (const line of adviceOn(trial, ours)) console.log(`         ${line}`);
  }
  console.log(
    "\nCopies inside of bundled files (neuroglancer, for example) are not found by this: give them withCodecs(store).",
  );
  return isHealthy ? 0 : 1;
}

function verdictOf({ registered, error }: Trial): string {
  if (error !== undefined) return paint(process.stdout, ["yellow", "bold"], "UNKNOWN ");
  return registered
    ? paint(process.stdout, ["green", "bold"], "VERIFIES")
    : paint(process.stdout, ["red", "bold"], "DOES NOT");
}

function adviceOn({ alone, registered, error }: Trial, ours: Copy | undefined): string[] {
  if (error !== undefined) return [`it could not be tried: ${error}`];
  if (registered) return [alone ? "by itself" : 'once the program has run: import "zarr-codecs/zarrita"'];
  if (ours === undefined) return ['install zarr-codecs, and: import "zarr-codecs/zarrita"'];
  return [
    "the import does not reach this copy. Any of these helps:",
    "npm dedupe, or an entry in overrides of package.json, so that there is one copy;",
    "register(registry), with the registry of this copy; withCodecs(store) in place of the store it reads.",
  ];
}

/** Tries a copy in a process of its own, because it may do anything when it is imported. */
async function tryCopy({ folder }: Copy, ours: Copy | undefined): Promise<Trial> {
  try {
    const { stdout } = await run(process.execPath, [TRIAL, folder, ours?.folder ?? ""], { timeout: 30_000 });
    return JSON.parse(stdout) as Trial;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return { alone: false, registered: false, error: (stderr || message).trim().split("\n").at(-1) ?? "" };
  }
}

/** Finds the copies of a package below a folder `node_modules`, each once. */
function findCopies(modules: string, name: string): Copy[] {
  const folders = new Set<string>();
  const seen = new Set<string>();
  const visit = (folder: string) => {
    const real = realpathSync(folder);
    if (seen.has(real)) return;
    seen.add(real);
    for (const path of packagesIn(folder)) {
      if (packageOf(path)?.name === name) folders.add(realpathSync(path));
      const nested = join(path, "node_modules");
      if (existsSync(nested)) visit(nested);
    }
  };
  visit(modules);
  return [...folders].sort().map((folder) => ({ folder, version: String(packageOf(folder)?.version) }));
}

/** Lists the packages in a folder `node_modules`, those with a scope and those of pnpm too. */
function packagesIn(folder: string): string[] {
  return foldersIn(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name.startsWith("@")) return foldersIn(path).map((scoped) => join(path, scoped));
    if (name !== ".pnpm") return name.startsWith(".") ? [] : [path];
    return foldersIn(path).flatMap((entry) => {
      const nested = join(path, entry, "node_modules");
      return existsSync(nested) ? packagesIn(nested) : [];
    });
  });
}

const foldersIn = (path: PathLike): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name);

function packageOf(folder: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}
