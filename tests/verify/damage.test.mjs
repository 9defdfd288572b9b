// Damaged copies of real stores: which chunk, in which state, with which error.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { createCodecChain, loadCodecChain } from "zarr-codecs";
import { registry } from "zarrita";
import { MemoryStore } from "../zarrita/stores.mjs";
import { arrayMetadata, flip, metadataOf, resultsOf, summaryOf, WRITTEN, withBytes } from "./helpers.mjs";

const [store] = WRITTEN;

/** The results for chunks that are not sound, after some bytes of an array were changed. */
async function damaged(array, changes) {
  const copy = withBytes(
    store,
    Object.fromEntries(Object.entries(changes).map(([key, change]) => [`${array}/${key}`, change])),
  );
  return (await resultsOf(copy, array)).filter(({ state }) => state !== "sound");
}

test("a flipped bit of the payload: the stored and the computed checksum", async () => {
  const [result, ...others] = await damaged("/int16-checksum", { "c/1/0": flip(3, 5) });
  assert.equal(others.length, 0);
  assert.equal(summaryOf(result), "c/1/0 damaged none");
  assert.deepEqual(result.chunk, [1, 0]);
  const { code, stored, diagnosis } = result.error;
  assert.equal(code, "checksum_mismatch");
  assert.deepEqual([diagnosis.code, diagnosis.byteOffset, diagnosis.bit], ["flipped_bit", 3, 5]);
  const chunk = store.get("/int16-checksum/c/1/0");
  assert.equal(stored, new DataView(chunk.buffer, chunk.byteOffset).getUint32(chunk.length - 4, true));
});

test("a flipped bit of a checksum over compressed and over transposed data", async () => {
  for (const array of ["/int16-compressed", "/int16-transposed"]) {
    const last = store.get(`${array}/c/0/1`).length - 1;
    const [result, ...others] = await damaged(array, { "c/0/1": flip(last, 0) });
    assert.equal(others.length, 0);
    assert.equal(summaryOf(result), "c/0/1 damaged none");
    assert.equal(result.error.code, "checksum_mismatch");
  }
});

test("a flipped bit of shuffled data, and a truncated chunk, whose checksum is not computed", async () => {
  const codecs = ["bytes", { name: "numcodecs.shuffle", configuration: { elementsize: 1 } }, "crc32c"];
  const sound = createCodecChain({ dataType: "uint8", shape: [2], codecs }).encode(Uint8Array.of(1, 2));
  const chunks = [
    ["/c/0", sound],
    ["/c/1", flip(1, 0)(sound.slice())],
    ["/c/2", sound.subarray(1)],
  ];
  const metadata = arrayMetadata({ codecs, shape: [6] });
  const results = await resultsOf(new MemoryStore(chunks), "/", metadata);
  assert.deepEqual(
    results.map(({ key, state, proof, error }) => [key, state, proof, error?.code]),
    [
      ["c/0", "sound", "checksum", undefined],
      ["c/1", "damaged", "none", "checksum_mismatch"],
      ["c/2", "damaged", "none", "chunk_length"],
    ],
  );
});

test("elements that are none, in compressed data", async () => {
  const codecs = ["bytes", { name: "gzip", configuration: { level: 1 } }];
  const chunks = new MemoryStore([
    ["/c/0", gzipSync(Uint8Array.of(0, 1))],
    ["/c/1", gzipSync(Uint8Array.of(0, 2))],
  ]);
  const metadata = arrayMetadata({ data_type: "bool", fill_value: false, codecs });
  const results = await resultsOf(chunks, "/", metadata);
  assert.deepEqual(
    results.map(({ key, state, error }) => [key, state, error?.code]),
    [
      ["c/0", "sound", undefined],
      ["c/1", "damaged", "invalid_element"],
    ],
  );
});

test("compressed data that have been shuffled are decoded", async () => {
  const shuffle = { name: "numcodecs.shuffle", configuration: { elementsize: 1 } };
  const zstd = { name: "zstd", configuration: { level: 1, checksum: false } };
  const codecs = ["bytes", shuffle, zstd];
  const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs }, { codecs: registry });
  const sound = await chain.encode(Uint8Array.of(1, 2));
  const chunks = new MemoryStore([
    ["/c/0", sound],
    ["/c/1", sound],
  ]);
  const results = await resultsOf(chunks, "/", arrayMetadata({ codecs }), { codecs: registry });
  assert.deepEqual(results.map(summaryOf), ["c/0 sound decoded", "c/1 sound decoded"]);
});

test("a truncated chunk", async () => {
  for (const array of ["/int16-plain", "/int16-checksum"]) {
    const [result] = await damaged(array, { "c/0/0": (bytes) => bytes.subarray(1) });
    assert.equal(summaryOf(result), "c/0/0 damaged none");
    assert.equal(result.error.code, "chunk_length");
  }
});

test("a compressed chunk of no more bytes than a checksum has", async () => {
  for (const [length, code] of [
    [0, "chunk_length"],
    [1, "chunk_length"],
    [4, "checksum_mismatch"],
  ]) {
    const [result] = await damaged("/int16-compressed", { "c/0/0": (bytes) => bytes.subarray(0, length) });
    assert.equal(result.state, "damaged", `${length} bytes`);
    assert.equal(result.error.code, code, `${length} bytes`);
  }
  // The CRC-32C of no bytes is 0.
  const [empty] = await damaged("/int16-compressed", { "c/0/0": () => new Uint8Array(4) });
  assert.equal(empty.error.code, "external_codec");
});

test("an element that is none, although the checksum is right", async () => {
  const [result, ...others] = await damaged("/bool-plain", {
    "c/2/1": (bytes) => bytes.fill(2, 0, 1),
  });
  assert.equal(others.length, 0);
  assert.equal(summaryOf(result), "c/2/1 damaged none");
  assert.equal(result.error.code, "invalid_element");
});

test("a flipped bit in a shard damages one inner chunk", async () => {
  const [result, ...others] = await damaged("/int16-sharded", { "c/0/0": flip(0, 0) });
  assert.equal(others.length, 0);
  assert.match(summaryOf(result), /^c\/0\/0 \[\d,\d\] damaged none$/);
  assert.equal(result.error.code, "checksum_mismatch");
});

test("a flipped bit in the index of a shard damages the shard as a whole, and no other", async () => {
  const last = store.get("/int16-sharded/c/0/0").length - 1;
  const results = await damaged("/int16-sharded", { "c/0/0": flip(last, 7) });
  assert.deepEqual(results.map(summaryOf), ["c/0/0 damaged none"]);
  assert.equal(results[0].error.code, "checksum_mismatch");
});

test("a shard that is missing has no chunk", async () => {
  const copy = withBytes(store, {});
  copy.delete("/int16-sharded/c/1/0");
  const results = await resultsOf(copy, "/int16-sharded");
  assert.deepEqual(results.slice(4).map(summaryOf), ["c/1/0 missing none"]);
});

test("an index that names bytes which the shard does not have, around codecs without a length", async () => {
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  const configuration = { chunk_shape: [1], codecs: [bytes, "zfp"], index_codecs: [bytes] };
  const codecs = [{ name: "sharding_indexed", configuration: { ...configuration, index_location: "start" } }];
  const metadata = arrayMetadata({ codecs, shape: [4] });
  const shardOf = (...entries) =>
    Uint8Array.of(...new Uint8Array(BigUint64Array.from(entries).buffer), 1, 2, 3);
  const missing = 2n ** 64n - 1n;
  const store = new MemoryStore([
    ["/c/0", shardOf(32n, 3n, 35n, 4n)],
    ["/c/1", shardOf(missing, 3n, missing, missing)],
  ]);
  const results = await resultsOf(store, "/", metadata);
  assert.deepEqual(results.map(summaryOf), [
    "c/0 [0] sound present",
    "c/0 [1] damaged none",
    "c/1 damaged none",
  ]);
  const { error } = results[1];
  assert.equal(error.code, "chunk_length");
  assert.match(error.message, /inner chunk is 0 bytes, expected 4 \(index of the shard\)/);
  assert.deepEqual([error.expected, error.actual], [4, 0]);
  const { code, range } = results[2].error;
  assert.deepEqual([code, range], ["invalid_element", { offset: 0, length: 32 }]);
});

test("what the store cannot read is not called damaged", async () => {
  const copy = withBytes(store, {});
  const failing = {
    get(key) {
      if (key.endsWith("/c/1/1")) throw new TypeError("fetch failed");
      return copy.get(key);
    },
  };
  const results = await resultsOf(failing, "/int16-checksum", metadataOf(store, "/int16-checksum"));
  const [unreadable, ...others] = results.filter(({ state }) => state !== "sound");
  assert.equal(others.length, 0);
  assert.equal(summaryOf(unreadable), "c/1/1 unreadable none");
  assert.equal(unreadable.error.message, "fetch failed");
});
