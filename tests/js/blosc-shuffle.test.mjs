// Blosc chunks whose header has another shuffle than the configuration. zarrita writes such chunks: whatever the configuration
// says, its encoder gets a name in place of a number, and does not shuffle. So the header is obeyed, and is no error.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCodecChain } from "zarr-codecs";

const SHUFFLES = { noshuffle: 0, shuffle: 1, bitshuffle: 4 };
const DATA = Float32Array.from({ length: 4000 }, (_, i) => i % 100);

for (const version of ["zarrita-0.4", "zarrita-0.5", "zarrita-0.6", "zarrita"]) {
  test(`chunks that ${version} writes decode with every shuffle in the metadata`, async () => {
    const { registry, ...zarr } = await import(version);
    const flags = new Set();
    for (const shuffle of Object.keys(SHUFFLES)) {
      const configuration = { cname: "lz4", clevel: 5, shuffle, typesize: 4, blocksize: 0 };
      const codecs = [
        { name: "bytes", configuration: { endian: "little" } },
        { name: "blosc", configuration },
      ];
      const store = new Map();
      const options = { shape: [4000], data_type: "float32", dtype: "float32", codecs };
      const array = await zarr.create(zarr.root(store), {
        ...options,
        chunk_shape: [4000],
        chunkShape: [4000],
      });
      await zarr.set(array, null, { data: DATA, shape: [4000], stride: [1] });
      const encoded = store.get("/c/0");
      flags.add(encoded[2] & 5);
      const chain = await loadCodecChain(
        { dataType: "float32", shape: [4000], codecs },
        { codecs: registry },
      );
      assert.deepEqual((await chain.decode(encoded)).data, DATA);
    }
    // When this fails, zarrita has been corrected, and chunks that it wrote before are still there.
    assert.deepEqual([...flags], [SHUFFLES.noshuffle]);
  });
}
