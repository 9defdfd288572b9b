// Reads stores that zarr-python and tensorstore wrote, through every version of zarrita with our codecs registered.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { register } from "zarr-codecs/zarrita";
import { elementsOf, expectedOf, openArray, storeOf } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

/** The number of arrays whose data types zarrita has. */
const WRITERS = { "zarr-python.json": 37, "tensorstore.json": 37 };

/** The data types that zarrita lacks. */
const isOther = (dataType) =>
  /^(complex|r)\d+$/.test(dataType) || (dataType === "float16" && !("Float16Array" in globalThis));

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}`, () => {
    for (const [file, count] of Object.entries(WRITERS)) {
      test(`reads every array of ${file}`, async (t) => {
        t.after(register(zarrita.registry));
        const contents = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
        const store = storeOf(contents);
        const arrays = Object.entries(contents.arrays).filter(([, { dataType }]) => !isOther(dataType));
        assert.ok(arrays.length >= count, `${arrays.length}`);
        for (const [name, described] of arrays) {
          const array = await openArray(zarrita, store, `/${name}`);
          const chunk = await zarrita.get(array);
          const seen = { dtype: array.dtype, shape: chunk.shape, values: elementsOf(chunk) };
          assert.deepEqual(seen, expectedOf(described, contents.shape), name);
        }
      });
    }
  });
}
