/** Loads the inlined module of CRC-32C alone, without the functions for chains and those that diagnose a wrong checksum. */

import * as glue from "../generated/crc32c/rust.js";
import { WASM_TEXT } from "../generated/crc32c/wasm.js";
import { inlinedLoader } from "./compile.js";

const CHECKSUM_SIZE = 4;

export const { loadSync, load } = inlinedLoader(WASM_TEXT, { ...glue, writeChecksum, verifyChecksum });

const view = ({ buffer, byteOffset }: Uint8Array) => new DataView(buffer, byteOffset, CHECKSUM_SIZE);

function writeChecksum(checksum: Uint8Array, crc: number): void {
  view(checksum).setUint32(0, crc, true);
}

/** Throws what Rust throws (see `errorFromRust`), but for the diagnosis, which would make this module half as large again. */
function verifyChecksum(bytes: Uint8Array, computed: number, byteLength: number): void {
  const { byteLength: actual } = bytes;
  if (actual < CHECKSUM_SIZE) {
    const message = `encoded chunk is ${counted(actual)}, expected ${CHECKSUM_SIZE} (at least the checksum)`;
    throw [message, { code: "chunk_length", expected: CHECKSUM_SIZE, actual }];
  }
  const stored = view(bytes).getUint32(0, true);
  if (stored === computed) return;
  const difference = `stored ${hexadecimal(stored)}, computed ${hexadecimal(computed)}`;
  const message = `chunk is corrupt: crc32c ${difference} over ${counted(byteLength)}`;
  throw [message, { code: "checksum_mismatch", stored, computed, byteLength }];
}

const counted = (bytes: number) => `${bytes} byte${bytes === 1 ? "" : "s"}`;

const hexadecimal = (number: number) => `0x${number.toString(16).padStart(8, "0")}`;
