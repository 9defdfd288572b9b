// What withChecksums verifies of the bytes that pass, and that it hands them on unchanged.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { withChecksums, withShards } from "zarr-codecs/zarrita";
import { storeOf } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";
import { elementsOf, flip, openStore, RemoteStore, valuesOf, WRITTEN } from "./stores.mjs";

const open = (zarrita, store, name) =>
  zarrita.open.v3(zarrita.root(store).resolve(`/${name}`), { kind: "array" });

const plain = () =>
  storeOf(JSON.parse(readFileSync(new URL("../zarrita/zarr-python.json", import.meta.url), "utf8")));

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}, with its own codecs`, () => {
    test("right data stay right", async () => {
      for (const name of [
        "end",
        "zstd",
        "transposed-inside",
        "dotted",
        "v2",
        "v2-slashes",
        "missing",
        "int64",
      ]) {
        const array = await open(zarrita, withChecksums(new RemoteStore(openStore("tensorstore"))), name);
        assert.deepEqual(elementsOf(await zarrita.get(array)), valuesOf("tensorstore", name).values, name);
      }
    });

    test("a flipped bit in an inner chunk", async () => {
      const files = openStore("tensorstore");
      flip(files, "/end/c/1/1", 3 * 16 + 1);
      const array = await open(zarrita, withChecksums(files), "end");
      await assert.rejects(zarrita.get(array), {
        ...{ code: "checksum_mismatch", key: "/end/c/1/1", chunk: [3, 4], range: { offset: 48, length: 16 } },
      });
      // zarrita alone returns wrong elements.
      assert.notDeepEqual(
        elementsOf(await zarrita.get(await open(zarrita, files, "end"))),
        valuesOf("tensorstore", "end").values,
      );
    });

    test("a flipped bit in an index", async () => {
      for (const byte of [1, 40, 99]) {
        const files = openStore("tensorstore");
        flip(files, "/end/c/0/1", byte - 100);
        const array = await open(zarrita, withChecksums(files), "end");
        await assert.rejects(zarrita.get(array), {
          ...{ code: "checksum_mismatch", key: "/end/c/0/1", range: { suffixLength: 100 } },
        });
      }
    });

    test("a flipped bit in a chunk", async () => {
      const files = plain();
      flip(files, "/int16-checksum/c/2/1", 5);
      const array = await open(zarrita, withChecksums(files), "int16-checksum");
      const error = { code: "checksum_mismatch", key: "/int16-checksum/c/2/1", chunk: [2, 1] };
      await assert.rejects(zarrita.get(array), error);
      assert.ok(await array.getChunk([0, 0]));
    });
  });
}

test("bytes are handed on as they are", async () => {
  const files = openStore();
  const store = withChecksums(files);
  for (const key of ["/zarr.json", "/end/zarr.json", "/end/c/0/0", "/start/c/0/0", "/nested/c/1/1"]) {
    assert.equal(await store.get(key), files.get(key));
  }
  assert.equal(await store.get("/end/c/9/9"), undefined);
  const range = { offset: 16, length: 16 };
  assert.deepEqual(await store.getRange("/end/c/0/0", range), files.getRange("/end/c/0/0", range));
  assert.equal(await store.getRange("/end/c/9/9", range), undefined);
  // Other files, also in the folder of an array.
  for (const key of ["/notes", "/end/notes", "/end/c/1"]) {
    await store.set(key, Uint8Array.of(1, 2, 3));
    assert.equal(await store.get(key), files.get(key));
  }
});

test("parts of a chunk, whose checksum is of all of it, are handed on", async () => {
  const files = plain();
  const key = "/int16-checksum/c/2/1";
  flip(files, key, 5);
  const store = withChecksums(files);
  for (const range of [{ offset: 4, length: 8 }, { suffixLength: 8 }]) {
    assert.deepEqual(await store.getRange(key, range), files.getRange(key, range));
  }
});

test("whole shards, their indexes and all inner chunks", async () => {
  for (const name of ["end", "start", "nested", "transposed-outside", "then-crc32c", "gzip"]) {
    const writer = name === "then-crc32c" ? "zarr-python" : "tensorstore";
    const { length } = openStore(writer).get(`/${name}/c/0/0`);
    for (let byte = 0; byte < length; byte += 3) {
      const files = openStore(writer);
      const key = `/${name}/c/0/0`;
      flip(files, key, byte, byte % 8);
      const store = withChecksums(files);
      await store.get(`/${name}/zarr.json`);
      await assert.rejects(store.get(key), { code: "checksum_mismatch", key }, `${name}: byte ${byte}`);
    }
  }
});

test("ranges of several inner chunks, and of parts of some", async () => {
  const files = openStore("tensorstore");
  const key = "/end/c/0/0";
  flip(files, key, 20); // In the inner chunk (0, 1), bytes 16 to 31.
  const read = async (offset, length) => {
    const store = withChecksums(files);
    await store.get("/end/zarr.json");
    return store.getRange(key, { offset, length });
  };
  for (const [offset, length] of [
    [0, 48],
    [10, 22],
    [16, 16],
  ]) {
    await assert.rejects(read(offset, length), { chunk: [0, 1], range: { offset: 16, length: 16 } });
  }
  for (const [offset, length] of [
    [17, 100],
    [0, 31],
    [32, 64],
  ]) {
    assert.equal((await read(offset, length)).length, length);
  }
});

test("a server that ignores ranges", async () => {
  const files = openStore("tensorstore");
  const key = "/end/c/0/0";
  const { length } = files.get(key);
  files.getRange = () => files.get(key);
  const store = withChecksums(files);
  for (const [range, expected] of [
    [{ offset: 16, length: 16 }, 16],
    [{ suffixLength: 100 }, 100],
  ]) {
    const error = { code: "chunk_length", key, range, expected, actual: length };
    await assert.rejects(store.getRange(key, range), error);
  }
});

test("an index that has not passed is read once", async () => {
  for (const name of ["end", "start"]) {
    const remote = new RemoteStore(openStore("tensorstore"));
    const store = withChecksums(remote);
    await store.getRange(`/${name}/c/0/0`, { offset: 100, length: 16 });
    await store.getRange(`/${name}/c/0/0`, { offset: 116, length: 16 });
    assert.equal(remote.requests.length, 3);
  }
});

test("metadata from elsewhere", async () => {
  const files = openStore("tensorstore");
  flip(files, "/end/c/0/0", 20);
  // The metadata have not passed: they are read.
  await assert.rejects(withChecksums(files).get("/end/c/0/0"), { code: "checksum_mismatch" });
  const consolidated = openStore("zarr-python");
  flip(consolidated, "/end/c/0/0", 20);
  consolidated.delete("/end/zarr.json");
  await assert.rejects(withChecksums(consolidated).get("/end/c/0/0"), { code: "checksum_mismatch" });
});

test("what is written is verified anew", async () => {
  const files = openStore("tensorstore");
  const store = withChecksums(files);
  await store.get("/end/c/0/0");
  await store.set("/end/c/0/0", files.get("/start/c/0/0"));
  await assert.rejects(store.get("/end/c/0/0"), { code: "checksum_mismatch" });
  await store.set("/end/zarr.json", files.get("/start/zarr.json"));
  assert.equal((await store.get("/end/c/0/0")).length, 196);
});

test("under withShards", async () => {
  const zarrita = VERSIONS["0.7"];
  for (const [name] of Object.entries(WRITTEN.tensorstore.arrays).slice(0, 12)) {
    const files = openStore("tensorstore");
    const array = await open(zarrita, withShards(withChecksums(files)), name);
    assert.deepEqual(elementsOf(await zarrita.get(array)), valuesOf("tensorstore", name).values, name);
  }
});
