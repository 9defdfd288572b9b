/** Files of this machine. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "./bytes.js";

/** How much one call reads: the system has a limit of 2 GiB. */
export const MOST_AT_ONCE = 2 ** 30;

/** The size of a page of WebAssembly's memory. */
const PAGE = 2 ** 16;

/**
 * Creates a buffer of at least this length for what is read from files. If possible it is memory of WebAssembly, which begins at
 * a page: long ones of `new Uint8Array` begin 16 bytes later, where the system copies half as fast (Node 20, Linux, AMD EPYC).
 * Such memory reserves gigabytes of address space, so there is one for each thread.
 */
export function createBuffer(byteLength: number): Uint8Array {
  try {
    return new Uint8Array(new WebAssembly.Memory({ initial: Math.ceil(byteLength / PAGE) }).buffer);
  } catch {
    return new Uint8Array(byteLength); // Above 4 GiB, with limited address space, and without WebAssembly.
  }
}

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
  #buffer = createBuffer(2 ** 20);

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.byteLength = fstatSync(this.#file).size;
  }

  read(offset: number, length: number): Uint8Array {
    if (length > this.#buffer.length) this.#buffer = createBuffer(length);
    return this.#buffer.subarray(0, readInto(this.#file, this.#buffer, length, offset));
  }

  close(): void {
    closeSync(this.#file);
  }
}
