/** Lists the files below a folder. */

import { type Dir, type Dirent, opendirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";

/** Folders whose own size is above this may have very many entries, which are read one by one: slower, but in little memory. */
const LARGE_FOLDER = 2 ** 18;

/** A folder on the way: its path, and where it really is. */
interface Folder {
  readonly path: string;
  readonly real: string;
  readonly prefix: string;
  /** Where the folders really are that symbolic links led away from. */
  readonly left: readonly string[];
}

/** What to do on the way. */
export interface WalkOptions {
  /** Returns whether only the files of a folder itself are of interest, by its key, which ends with a slash. */
  isLeaf?(key: string): boolean;
  /** Called for folders that cannot be read. */
  onUnread?(entry: { key: string; error: unknown }): void;
}

/** Yields the keys of the files below a folder. Follows symbolic links, except to folders that they are in. */
export function walk(root: string, options: WalkOptions = {}): Generator<string> {
  return walkFolder({ path: root, real: realpathSync(root), prefix: "", left: [] }, options);
}

function* walkFolder(folder: Folder, options: WalkOptions): Generator<string> {
  const { path, real, prefix, left } = folder;
  const hasNoFolders = options.isLeaf?.(prefix) ?? false;
  for (const entry of entriesOf(folder, options)) {
    const { name } = entry;
    const isLink = entry.isSymbolicLink();
    const kind = isLink ? kindOf(`${path}${sep}${name}`) : entry.isDirectory() ? "folder" : "file";
    if (kind === "file") yield prefix + name;
    if (kind !== "folder" || hasNoFolders) continue;
    const inner = { path: `${path}${sep}${name}`, prefix: `${prefix}${name}/` };
    if (!isLink) {
      yield* walkFolder({ ...inner, real: `${real}${sep}${name}`, left }, options);
      continue;
    }
    const target = realpathSync(inner.path);
    const isLoop = [real, ...left].some((place) => `${place}${sep}`.startsWith(`${target}${sep}`));
    if (!isLoop) yield* walkFolder({ ...inner, real: target, left: [...left, real] }, options);
  }
}

/** Returns what a symbolic link leads to; undefined where that is nothing. A link that cannot be followed stands for itself. */
function kindOf(path: string): "file" | "folder" | undefined {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch (error) {
    return isGone(error) ? undefined : "file";
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** Returns what is in a folder: nothing, if it has been removed since its name was read, or if it cannot be read. */
function entriesOf({ path, prefix }: Folder, { onUnread }: WalkOptions): Iterable<Dirent> {
  try {
    if (statSync(path).size <= LARGE_FOLDER) return readdirSync(path, { withFileTypes: true });
    return entriesIn(opendirSync(path, { bufferSize: 1024 }));
  } catch (error) {
    if (!isGone(error)) onUnread?.({ key: prefix, error });
    return [];
  }
}

function* entriesIn(folder: Dir): Generator<Dirent> {
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) yield entry;
  } finally {
    folder.closeSync();
  }
}
