// The option verify.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, ChunkLengthError, createCodecChain, decode } from "zarr-codecs";
import { assertSameBytes, assertThrows, BIG, chainOf, metadataOf, VALUES, withChecksum } from "./helpers.mjs";

describe("the option verify", () => {
  const good = withChecksum(BIG);
  const bad = withChecksum(BIG, 5);
  const metadata = metadataOf({ shape: [2], checksums: 1 });

  test("of a chain applies to each chunk, unless a call overrides it", () => {
    const cases = [
      [undefined, undefined, true],
      [undefined, true, true],
      [undefined, false, false],
      [true, undefined, true],
      [true, false, false],
      [false, undefined, false],
      [false, false, false],
      [false, true, true],
    ];
    for (const [ofChain, ofCall, verifies] of cases) {
      const chain = createCodecChain(metadata, { verify: ofChain });
      for (const others of [{}, { copy: true }, { inPlace: true }, { out: new Float32Array(2) }]) {
        const options = { verify: ofCall, ...others };
        assert.deepEqual([...chain.decode(good.slice(), options).data], VALUES);
        if (verifies)
          assertThrows(() => chain.decode(bad.slice(), options), ChecksumMismatchError, { stored: 5 });
        else assert.deepEqual([...chain.decode(bad.slice(), options).data], VALUES);
      }
    }
  });

  test("of a single call applies to its chunk", () => {
    assertThrows(() => decode(bad, metadata), ChecksumMismatchError);
    assert.deepEqual([...decode(bad, metadata, { verify: false }).data], VALUES);
  });

  test("does not affect encoding, which computes checksums", () => {
    const chain = createCodecChain(metadata, { verify: false });
    assertSameBytes(chain.encode(Float32Array.from(VALUES)), good);
  });

  test("does not affect the check of lengths", () => {
    const chain = createCodecChain(metadata, { verify: false });
    assertThrows(() => chain.decode(BIG), ChunkLengthError, { expected: 12, actual: 8 });
  });

  test("applies to all checksums of a chunk", () => {
    const chain = chainOf({ shape: [2], checksums: 2 });
    const encoded = withChecksum(withChecksum(BIG, 1), 2);
    assert.deepEqual([...chain.decode(encoded, { verify: false }).data], VALUES);
  });
});
