// Locating a flipped bit by two checksums: every bit of some chunks, one after the other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ChecksumMismatchError, createCodecChain } from "zarr-codecs";
import { locateFlippedBit } from "../../www/workers/locate-flipped-bit.js";

function mismatchOf(chain, encoded) {
  try {
    chain.decode(encoded);
  } catch (error) {
    assert.ok(error instanceof ChecksumMismatchError);
    return error;
  }
  return assert.fail("the flipped bit was not noticed");
}

for (const length of [1, 9, 300]) {
  test(`each bit of a chunk of ${length} bytes and of its checksum`, () => {
    const chain = createCodecChain({ dataType: "uint8", shape: [length], codecs: ["bytes", "crc32c"] });
    const encoded = chain.encode(Uint8Array.from({ length }, (_, i) => (i * 73) ^ (i >> 3)));
    for (let byte = 0; byte < encoded.length; byte += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const broken = encoded.slice();
        broken[byte] ^= 1 << bit;
        assert.deepEqual(locateFlippedBit(mismatchOf(chain, broken)), { byte, bit });
      }
    }
  });
}

test("two flipped bits are not taken for one", () => {
  const chain = createCodecChain({ dataType: "uint8", shape: [300], codecs: ["bytes", "crc32c"] });
  const broken = chain.encode(new Uint8Array(300));
  broken[17] ^= 1;
  broken[200] ^= 128;
  assert.equal(locateFlippedBit(mismatchOf(chain, broken)), undefined);
});
