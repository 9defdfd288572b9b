// Reads stores that zarr-python and tensorstore wrote, through every version of zarrita with our codecs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { register } from "zarr-codecs/zarrita";
import { readStores } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const WRITERS = { "zarr-python.json": 50, "tensorstore.json": 54 };

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}`, () => {
    for (const [file, count] of Object.entries(WRITERS)) {
      test(`reads every array of ${file}`, async () => {
        const unregister = register(zarrita.registry);
        try {
          const contents = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
          const { read, refused, wrong } = await readStores(zarrita, contents);
          assert.deepEqual(wrong, []);
          // Fill values whose components differ require zarrita 0.7.
          assert.deepEqual(refused, version < "0.7" ? ["complex64-missing", "complex128-missing"] : []);
          assert.equal(read + refused.length, count);
        } finally {
          unregister();
        }
      });
    }
  });
}
