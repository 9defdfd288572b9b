// What changes in a store, or is stored twice, between two reads.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, createCodecChain, openArray, withCodecs } from "zarr-codecs";
import { flip, metadataOf, metadataWith, openStore, sharding, toBytes } from "../array/helpers.mjs";
import { MemoryStore } from "../zarrita/stores.mjs";
import { complex, crc32c, grid, groupWith } from "./helpers.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const checked = metadataWith({ data_type: "int16", codecs: [little, crc32c] });
const encode = (...elements) =>
  createCodecChain({ dataType: "int16", shape: [2], codecs: [little, crc32c] }).encode(
    Int16Array.from(elements),
  );
const isMismatch = (error) => error instanceof ChecksumMismatchError;

describe("what was verified once is verified again", () => {
  test("as another array, whose codecs have a checksum", async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 0);
    const store = new MemoryStore([
      [
        "/a/zarr.json",
        toBytes(metadataWith({ data_type: "int64", codecs: [little], chunk_grid: grid(1), shape: [1] })),
      ],
      ["/a/c/0", bytes],
      ["/b/zarr.json", toBytes(checked)],
      ["/b/c/0", bytes],
    ]);
    const arrays = await Promise.all(["a", "b"].map((path) => openArray(store, path)));
    assert.equal((await arrays[0].getBytes([0])).length, 8);
    await assert.rejects(arrays[1].getBytes([0]), isMismatch);
  });

  test("as another chunk, in memory that the store uses again", async () => {
    const wrong = encode(3, 4);
    wrong[0] ^= 1;
    const memory = new Uint8Array(8);
    const chunks = { "/c/0": encode(1, 2), "/c/1": wrong };
    const store = {
      async get(key) {
        if (key === "/zarr.json") return toBytes({ ...checked, shape: [4] });
        memory.set(chunks[key]);
        return memory;
      },
    };
    const array = await openArray(store);
    assert.deepEqual([...(await array.getBytes([0]))], [1, 0, 2, 0]);
    await assert.rejects(array.getBytes([1]), isMismatch);
  });
});

test("a shard that is written after it was missing is there once its array is opened again", async () => {
  const metadata = metadataWith({ data_type: "int16", codecs: [sharding([1], [little, crc32c])] });
  const store = new MemoryStore([["/zarr.json", toBytes(metadata)]]);
  const shown = withCodecs(store);
  await shown.get("/zarr.json");
  assert.equal(await shown.get("/c/1"), undefined);
  store.set("/c/0", createCodecChain(metadata).encode(Int16Array.of(5, 6)));
  await shown.get("/zarr.json");
  assert.deepEqual([...(await shown.get("/c/1"))], [6, 0]);
});

test("a copy of metadata in a group, which may be out of date, replaces none that was read", async () => {
  const store = new MemoryStore([
    ["/zarr.json", toBytes(groupWith({ a: complex({ shape: [2] }) }))],
    ["/a/zarr.json", toBytes(complex({ shape: [4] }))],
    [
      "/a/c/1",
      createCodecChain({ dataType: "complex64", shape: [2], codecs: complex().codecs }).encode(
        Float32Array.of(1, 2, 3, 4),
      ),
    ],
  ]);
  const shown = withCodecs(store);
  await shown.get("/a/zarr.json");
  await shown.get("/zarr.json");
  assert.equal((await shown.get("/a/c/1/0")).length, 16);
});

test("arrays that differ in the sign of a fill value of 0 are filled with their own", async () => {
  const metadata = metadataWith({ data_type: "float32", codecs: [little, crc32c] });
  const text = (fill) =>
    Buffer.from(JSON.stringify({ ...metadata, fill_value: "FILL" }).replace('"FILL"', fill));
  const store = new Map([
    ["/a/zarr.json", text("0")],
    ["/b/zarr.json", text("-0.0")],
  ]);
  for (const [path, fill] of [
    ["a", 0],
    ["b", -0],
  ]) {
    const { data } = await (await openArray(store, path)).getChunk([0]);
    assert.ok(Object.is(data[0], fill), path);
  }
});

describe("verify, for the index of a shard", () => {
  for (const [name, read] of [
    ["openArray", async (store, verify) => (await openArray(store, "end", { verify })).getBytes([0, 0])],
    ["withCodecs", async (store, verify) => withCodecs(store, { verify }).get("/end/c/0/0")],
  ]) {
    test(name, async () => {
      const expected = await read(openStore("tensorstore"), true);
      const store = openStore("tensorstore");
      flip(store, "/end/c/0/0", -2); // In the checksum of the index.
      await assert.rejects(read(store, true), (error) => {
        assert.ok(isMismatch(error));
        assert.deepEqual([error.key, error.chunk], ["/end/c/0/0", [0, 0]]);
        return true;
      });
      const reported = [];
      assert.deepEqual(await read(store, (error) => void reported.push(error)), expected);
      assert.deepEqual(reported.map(isMismatch), [true]);
      assert.deepEqual(await read(store, false), expected);
    });
  }
});

test("openArray rejects a path that is none", async () => {
  const error = { code: "invalid_argument", argument: "path" };
  await assert.rejects(
    openArray(new Map(), { metadata: metadataOf(openStore("tensorstore"), "end") }),
    error,
  );
});
