// Chunks in other orders, written by zarr-python, tensorstore and zarrs (tests/vectors/chains).

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { readVectors } from "./helpers.mjs";
import { chunksOf, sameBytes } from "./vectors.mjs";

const OURS = ["transpose", "reshape", "bytes", "crc32c"];

for (const writer of ["zarr-python", "tensorstore", "zarrs"]) {
  const file = `chains/${writer}.json`;
  test(`chunks of ${writer} that only codecs of this package encode`, () => {
    const vectors = readVectors(file);
    const arrays = vectors.arrays.filter(({ metadata }) =>
      metadata.codecs.every((codec) => OURS.includes(codec.name)),
    );
    let transposed = 0;
    for (const { where, metadata, encoded, components } of chunksOf({ ...vectors, arrays })) {
      const chain = createCodecChain(metadata, { float16: "bits" });
      assert.ok(sameBytes(chain.decode(encoded).data, components), where);
      assert.ok(sameBytes(chain.encode(components), encoded), where);
      const stored = chain.decode(encoded, { strided: true });
      assert.ok(sameBytes(chain.encode(stored), encoded), where);
      transposed += metadata.codecs.some(({ name }) => name === "transpose") ? 1 : 0;
    }
    assert.ok(transposed > 10, `${transposed} transposed chunks`);
  });
}
