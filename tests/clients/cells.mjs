// The sample image in www/data, an OME-Zarr 0.5 that zarr-python wrote: shards with [bytes, crc32c] within.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { filesOf, serve } from "./server.mjs";

const { planes } = JSON.parse(readFileSync(new URL("cells.json", import.meta.url), "utf8"));

/** The shard of channel 1 at the last level, which has the fewest chunks. */
const SHARD = "/2/c/1/0/0/0";

/** Serves the image; `change` may change its files. */
export async function serveCells(change = () => {}) {
  const files = filesOf("www/data/cells.ome.zarr");
  change(files);
  return serve(files);
}

/** Flips one bit of a pixel of channel 1, in the first inner chunk with z = 1 that is not missing. Returns its coordinates. */
export function flipBit(files) {
  const shard = files.get(SHARD);
  const [perZ, count] = [4 * 6, 3 * 4 * 6]; // inner chunks
  const index = shard.subarray(-(16 * count + 4));
  const offsets = Array.from({ length: perZ }, (_, i) => index.readBigUInt64LE(16 * (perZ + i)));
  const place = offsets.findIndex((offset) => offset < shard.length);
  shard[Number(offsets[place]) + 100] ^= 1;
  return { x: place % 6, y: Math.floor(place / 6) };
}

/** Flips one bit of the index of the same shard. */
export function flipIndex(files) {
  const shard = files.get(SHARD);
  shard[shard.length - 40] ^= 1;
}

/** Compares a plane z = 1 with the one that zarr-python reads. */
export function assertPlane(data, level, channel) {
  assert.equal(data.constructor, Uint16Array);
  const hash = createHash("sha256").update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  assert.equal(hash.digest("hex"), planes[level][channel], `level ${level}, channel ${channel}`);
}

/** Returns whether an error reports the flipped bit: zarrita 0.5 throws our error, zarrita 0.7 its own, with ours as cause. */
export const isMismatch = (error) => (error.cause ?? error).code === "checksum_mismatch";
