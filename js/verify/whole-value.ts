/** Checks whole values against checksums that their store has of them. */

import type { StoreKey } from "../array/keys.js";
import { isPromise } from "../awaitable.js";
import { ChecksumCodec, Crc32c } from "../core.js";
import { ChecksumMismatchError } from "../errors.js";
import type { Requests } from "./requests.js";
import type { ObjectChecksum } from "./types.js";

/** How much of a large value is read at once. */
const PART = 2 ** 22;

/**
 * Checks a value against the checksum that the store has of it.
 *
 * @param bytes the value; undefined where only parts of it have been read
 * @returns whether there is a checksum
 * @throws ChecksumMismatchError, UnreadableError
 */
export async function checkWholeValue(
  requests: Requests,
  key: StoreKey,
  bytes: Uint8Array | undefined,
): Promise<boolean> {
  const stored = (await requests.checksumOf(key)) ?? {};
  if (stored.crc32c !== undefined) {
    const crc = bytes ? new Crc32c().update(bytes) : await crc32cOf(requests, key);
    compare("crc32c", stored.crc32c, crc.digest(), bytes?.byteLength);
    return true;
  }
  if (stored.crc32 === undefined) return false;
  const answer = bytes ?? requests.get(key);
  const value = (isPromise(answer) ? await answer : answer) ?? new Uint8Array();
  compare("crc32", stored.crc32, crc32(value), value.byteLength);
  return true;
}

/** Computes the CRC-32C of a value part by part. */
async function crc32cOf(requests: Requests, key: StoreKey): Promise<Crc32c> {
  const crc = new Crc32c();
  for (let offset = 0; ; offset += PART) {
    const answer = requests.getRange(key, { offset, length: PART });
    const part = (isPromise(answer) ? await answer : answer) ?? new Uint8Array();
    crc.update(part);
    if (part.byteLength < PART) return crc;
  }
}

let codec: ChecksumCodec | undefined;

function crc32(bytes: Uint8Array): number {
  codec ??= new ChecksumCodec("numcodecs.crc32", { location: "end" }, true);
  const { buffer, byteOffset, byteLength } = codec.encode(bytes);
  return new DataView(buffer, byteOffset).getUint32(byteLength - 4, true);
}

function compare(name: keyof ObjectChecksum, stored: number, computed: number, byteLength = 0): void {
  if (stored >>> 0 === computed) return;
  const hex = (checksum: number) => `0x${(checksum >>> 0).toString(16).padStart(8, "0")}`;
  const message = `the value is not what was stored: ${name} of the store ${hex(stored)}, computed ${hex(computed)}`;
  throw new ChecksumMismatchError(message, { stored: stored >>> 0, computed, byteLength });
}
