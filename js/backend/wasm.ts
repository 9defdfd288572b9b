/** Rust as WebAssembly, from wherever the module comes. */

import {
  __wbg_reset_state,
  check,
  checkWindow,
  chunkLengthError,
  crc32c,
  crc32cCombine,
  crc32cWindow,
  decode,
  decodedWindow,
  decodeWindow,
  encode,
  encodedWindow,
  encodeWindow,
  fillValue,
  hasSimd,
  initSync,
  resolve,
  verifyChecksum,
} from "./generated/rust.js";
import type { Rust } from "./rust.js";

// Named one by one, so that bundlers leave out what the glue has beside them.
const rust: Rust = {
  __wbg_reset_state,
  check,
  checkWindow,
  chunkLengthError,
  crc32c,
  crc32cCombine,
  crc32cWindow,
  decode,
  decodedWindow,
  decodeWindow,
  encode,
  encodedWindow,
  encodeWindow,
  fillValue,
  hasSimd,
  resolve,
  verifyChecksum,
};

/** Whether a start was ended half-way, by a stack overflow of the caller's. */
let isHalfStarted = false;

/** Makes the one instance, the first time. */
export function instantiate(module: WebAssembly.Module): Rust {
  const again = isHalfStarted;
  isHalfStarted = true;
  initSync({ module });
  if (again) __wbg_reset_state(); // The glue takes an instance for a good one, however far it has come.
  isHalfStarted = false;
  return rust;
}
