/** Files of this machine. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "./bytes.js";

/** How much one call reads: the system has a limit of 2 GiB. */
export const MOST_AT_ONCE = 2 ** 30;

/** Reads bytes of an open file to the beginning of a buffer. Returns how many there were. */
export function readInto(file: number, buffer: Uint8Array, length: number, offset: number): number {
  let done = 0;
  while (done < length) {
    const count = readSync(file, buffer, done, Math.min(length - done, MOST_AT_ONCE), offset + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** A file that is read synchronously into one buffer. */
export class LocalFile implements ByteSource {
  readonly isRemote = false;
  readonly byteLength: number;
  readonly #file: number;
  #buffer = new Uint8Array(2 ** 20);

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.byteLength = fstatSync(this.#file).size;
  }

  read(offset: number, length: number): Uint8Array {
    if (length > this.#buffer.length) this.#buffer = new Uint8Array(length);
    return this.#buffer.subarray(0, readInto(this.#file, this.#buffer, length, offset));
  }

  close(): void {
    closeSync(this.#file);
  }
}
