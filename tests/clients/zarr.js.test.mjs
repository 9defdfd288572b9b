// The published zarr.js, which reads Zarr v2, with crc32c as the compressor of arrays that zarr-python wrote.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { addCodec, HTTPStore, NestedArray, openArray } from "zarr";
import { ChecksumMismatchError, ChunkLengthError } from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/crc32c";
import { serve } from "./server.mjs";

addCodec("crc32c", () => Crc32cCodec);

const { arrays, files, shape } = JSON.parse(
  readFileSync(new URL("zarr-python-v2.json", import.meta.url), "utf8"),
);
const fromBase64 = (text) => Buffer.from(text, "base64");
const freshFiles = () => new Map(Object.entries(files).map(([key, text]) => [key, fromBase64(text)]));
const names = Object.keys(arrays);

const ARRAYS = {
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
};

/** Returns the elements that were written to an array, in C order. */
function elementsOf({ dtype, elements }) {
  const bytes = Uint8Array.from(fromBase64(elements));
  return [...new ARRAYS[dtype.slice(1)](bytes.buffer)];
}

const open = (url, path, mode = "r") => openArray({ store: new HTTPStore(url), path, mode });

describe("reading", () => {
  for (const name of names) {
    test(name, async () => {
      const expected = elementsOf(arrays[name]);
      const array = await open(await serve(freshFiles()), name);
      assert.deepEqual(array.shape, shape);
      assert.deepEqual([...(await array.getRaw()).data], expected);
      assert.deepEqual([...(await array.get()).flatten()], expected);
      // Reading again: the stored bytes have not changed.
      assert.deepEqual([...(await array.getRaw([1, null])).data], expected.slice(6, 12));
    });
  }
});

test("writes the same bytes as numcodecs", async () => {
  for (const name of names.filter((name) => name.endsWith("-C"))) {
    const stored = freshFiles();
    const array = await open(await serve(stored), name, "r+");
    const elements = ARRAYS[arrays[name].dtype.slice(1)].from(elementsOf(arrays[name]));
    const chunks = [...stored].filter(
      ([key]) => /^\/[^/]+\/[01]\.[01]$/.test(key) && key.startsWith(`/${name}/`),
    );
    assert.equal(chunks.length, 4);
    const missing = new Set(chunks.map(([key]) => key));
    for (const key of missing) stored.delete(key);
    const written = new Promise((resolve) => {
      stored.set = (key, bytes) => {
        Map.prototype.set.call(stored, key, bytes);
        missing.delete(key);
        if (missing.size === 0) resolve();
      };
    });
    await array.set(null, new NestedArray(elements, shape, arrays[name].dtype.replace(">", "<")));
    await written; // zarr.js does not await its store.
    for (const [key, bytes] of chunks) assert.deepEqual([...stored.get(key)], [...bytes], key);
  }
});

describe("errors are thrown unchanged by", () => {
  const WAYS = {
    get: (array) => array.get(),
    getRaw: (array) => array.getRaw(),
    getRawChunk: (array) => array.getRawChunk([0, 1]),
    "set, which reads the rest of the chunk": (array) => array.set([0, 3], 7),
  };
  const read = async (way, change) => {
    const stored = freshFiles();
    change(stored);
    return WAYS[way](await open(await serve(stored), "int16-little-C", "r+"));
  };
  const KEY = "/int16-little-C/0.1";
  for (const way of Object.keys(WAYS)) {
    test(way, async () => {
      await read(way, () => {});
      await assert.rejects(
        read(way, (stored) => {
          stored.get(KEY)[5] ^= 1;
        }),
        (error) => error instanceof ChecksumMismatchError && error.byteLength === 12,
      );
      await assert.rejects(
        read(way, (stored) => stored.set(KEY, Buffer.alloc(3))),
        (error) => error instanceof ChunkLengthError && error.expected === 4 && error.actual === 3,
      );
    });
  }
});

test("a missing chunk is filled", async () => {
  const stored = freshFiles();
  stored.delete("/int16-little-C/0.0");
  const { data } = await (await open(await serve(stored), "int16-little-C")).getRaw([0, null]);
  assert.deepEqual([...data], [0, 0, 0, ...elementsOf(arrays["int16-little-C"]).slice(3, 6)]);
});
