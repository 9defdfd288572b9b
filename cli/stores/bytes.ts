/** Where ranges of bytes are read from. */

import type { Awaitable } from "../../js/awaitable.js";
import type { StoreOptions } from "./store.js";

/** A file that is read in parts. */
export interface ByteSource {
  readonly byteLength: number;
  /** Whether requests travel over a network. */
  readonly isRemote: boolean;
  /** Reads bytes, fewer at the end of the file. The next call may overwrite those that are returned without a promise. */
  read(offset: number, length: number, options?: StoreOptions): Awaitable<Uint8Array>;
  /** Releases the file. */
  close(): void;
}
