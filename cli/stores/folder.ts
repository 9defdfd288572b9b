/** A store in a folder. It is read synchronously into one buffer: two to three times as fast as with promises. */

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { boundsOf } from "../../js/shard/ranges.js";
import { isMetadata, METADATA } from "./keys.js";
import { createBuffer, MOST_AT_ONCE, readInto } from "./local-file.js";
import { type OpenedStore, type RangeQuery, type StoreEntry, StoreError, type StoreKey } from "./store.js";
import { walk } from "./walk.js";

/** The length of the buffer at first, enough for most chunks; it grows with the values that are read. */
const INITIAL_LENGTH = 2 ** 21;
const GROWTH = 1.25;

/** Without waiting: a named pipe among the files would otherwise be waited for without end. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Values without bytes that could be read. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"]);

/** Opens a folder. @throws StoreError */
export function openFolder(path: string): OpenedStore {
  const root = resolve(path);
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) throw new StoreError(`${path}: no such folder`);
  return new FolderStore(root, path);
}

class FolderStore implements OpenedStore {
  readonly isReused = true;
  readonly name: string;
  readonly #root: string;
  #buffer = createBuffer(INITIAL_LENGTH);

  constructor(root: string, name: string) {
    this.#root = root;
    this.name = name;
  }

  get(key: StoreKey): Uint8Array | undefined {
    return this.#withFile(key, (file) => this.#readAll(file));
  }

  getRange(key: StoreKey, range: RangeQuery): Uint8Array | undefined {
    return this.#withFile(key, (file) => {
      const { start, end } = boundsOf(range, fstatSync(file).size);
      return this.#read(file, start, end - start);
    });
  }

  *list(): Iterable<StoreEntry> {
    const unread: StoreEntry[] = [];
    for (const key of walk(this.#root, { onUnread: (entry) => unread.push(entry) })) yield { key };
    yield* unread;
  }

  *nodeKeys(): Iterable<string> {
    for (const key of walk(this.#root, { isLeaf: (path) => this.#isArray(path) })) {
      if (isMetadata(key)) yield key;
    }
  }

  /** Returns whether a folder is an array: below it are chunks alone. */
  #isArray(path: string): boolean {
    try {
      const bytes = this.get(`/${path}${METADATA}`);
      // Not by searching the text: consolidated metadata of a group have those of arrays in them.
      return bytes !== undefined && JSON.parse(new TextDecoder().decode(bytes)).node_type === "array";
    } catch {
      return false;
    }
  }

  #withFile<T>(key: StoreKey, read: (file: number) => T): T | undefined {
    const path = this.#pathOf(key);
    if (path === undefined) return undefined;
    try {
      const file = openSync(path, READ);
      try {
        return read(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
      throw error;
    }
  }

  /** Returns the path of a key; undefined for keys that are not below the root. */
  #pathOf(key: StoreKey): string | undefined {
    const isInside = !key.includes("\0") && !key.split(/[/\\]/).includes("..");
    return isInside ? this.#root + key : undefined;
  }

  /** Reads a whole file: one call to read it and one that finds its end, unless it is longer than the buffer. */
  #readAll(file: number): Uint8Array {
    let length = 0;
    for (;;) {
      if (length === this.#buffer.length) this.#grow(fstatSync(file).size + 1, length);
      const room = Math.min(this.#buffer.length - length, MOST_AT_ONCE);
      const count = readSync(file, this.#buffer, length, room, null);
      if (count === 0) return this.#buffer.subarray(0, length);
      length += count;
    }
  }

  #read(file: number, start: number, length: number): Uint8Array {
    if (length > this.#buffer.length) this.#grow(length, 0);
    return this.#buffer.subarray(0, readInto(file, this.#buffer, length, start));
  }

  /** Replaces the buffer by a longer one, which begins with what was read so far. */
  #grow(least: number, length: number): void {
    const grown = createBuffer(Math.ceil(Math.max(least, this.#buffer.length * GROWTH)));
    grown.set(this.#buffer.subarray(0, length));
    this.#buffer = grown;
  }
}
