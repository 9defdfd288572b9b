// Helpers of `hostile-cases.mjs` and `hostile-hosts.mjs`, which run in Node and in a page.

import { createCodecChain, isZarrCodecError } from "zarr-codecs";

export class Failure extends Error {}

export function expect(condition, what) {
  if (!condition) throw new Failure(what);
}

export const metadata = (length, checksums = 1) => ({
  dataType: "uint16",
  shape: [length],
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, ...Array(checksums).fill("crc32c")],
});

export const numbers = (length) => Uint16Array.from({ length }, (_, i) => i * 7);

/** Asserts that a chunk and its checksum are right: 1 and 2, and the CRC-32C of a bit-by-bit loop. */
export function expectWorks() {
  const encoded = createCodecChain(metadata(2)).encode(Uint16Array.of(1, 2));
  let crc = ~0;
  for (const byte of [0, 1, 0, 2]) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  expect(new DataView(encoded.buffer).getUint32(4, true) === ~crc >>> 0, "the checksum is right");
  expect(String(createCodecChain(metadata(2)).decode(encoded).data) === "1,2", "the chunk is right");
}

/** Returns what `f` returns, or the error of this package that it throws. */
export function outcomeOf(f) {
  try {
    return f();
  } catch (error) {
    if (isZarrCodecError(error)) return error;
    throw error;
  }
}
