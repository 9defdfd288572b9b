/** Lists the files below a folder. */

import { type Dir, type Dirent, opendirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";

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
    if (entry.isSymbolicLink()) {
      const kind = kindOf(join(path, name));
      if (kind !== "folder") {
        if (kind) yield prefix + name;
        continue;
      }
      const target = realpathSync(join(path, name));
      const isLoop = [real, ...left].some((place) => `${place}${sep}`.startsWith(`${target}${sep}`));
      if (isLoop || hasNoFolders) continue;
      const next = {
        path: join(path, name),
        real: target,
        prefix: `${prefix}${name}/`,
        left: [...left, real],
      };
      yield* walkFolder(next, options);
    } else if (!entry.isDirectory()) {
      yield prefix + name;
    } else if (!hasNoFolders) {
      const next = {
        path: `${path}${sep}${name}`,
        real: `${real}${sep}${name}`,
        prefix: `${prefix}${name}/`,
        left,
      };
      yield* walkFolder(next, options);
    }
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
