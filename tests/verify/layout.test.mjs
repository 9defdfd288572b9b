// Which chunks an array has, under which keys; and metadata that do not say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { crc32c } from "@aws-crypto/crc32c";
import { InvalidMetadataError } from "zarr-codecs";
import { MemoryStore } from "../zarrita/stores.mjs";
import { arrayMetadata, metadataOf, resultsOf, summaryOf, verify, WRITTEN } from "./helpers.mjs";

const { chunkLayout } = verify;
const [written] = WRITTEN;

const keysOf = (metadata) => {
  const layout = chunkLayout(arrayMetadata(metadata));
  const positions = Array.from({ length: layout.chunks }, (_, i) => verify.unravel(i, layout.grid));
  return positions.map((position) => layout.locate(position).key);
};

const rectilinear = (configuration) => ({
  name: "rectilinear",
  configuration: { kind: "inline", chunk_shapes: [[4]], ...configuration },
});

const regular = (...shape) => ({ name: "regular", configuration: { chunk_shape: shape } });

test("keys of the chunk key encodings, with either separator, in short-hand, and for one element", () => {
  const grid = { shape: [3, 2], chunk_grid: regular(2, 2) };
  const encoded = (chunk_key_encoding) => keysOf({ ...grid, chunk_key_encoding });
  const scalar = (chunk_key_encoding) => keysOf({ shape: [], chunk_grid: regular(), chunk_key_encoding });
  assert.deepEqual(encoded({ name: "default" }), ["c/0/0", "c/1/0"]);
  assert.deepEqual(encoded("default"), ["c/0/0", "c/1/0"]);
  assert.deepEqual(encoded({ name: "default", configuration: { separator: "." } }), ["c.0.0", "c.1.0"]);
  assert.deepEqual(encoded({ name: "v2" }), ["0.0", "1.0"]);
  assert.deepEqual(encoded({ name: "v2", configuration: { separator: "/" } }), ["0/0", "1/0"]);
  assert.deepEqual(scalar({ name: "default" }), ["c"]);
  assert.deepEqual(scalar({ name: "v2" }), ["0"]);
});

test("an array without elements has no chunks", () => {
  assert.deepEqual(keysOf({ shape: [0, 3], chunk_grid: regular(2, 2) }), []);
});

test("a store with keys of Zarr v2 is verified", async () => {
  const array = "/int16-checksum";
  const moved = new MemoryStore(
    [...written].map(([key, bytes]) => [key.replace(/c\/(\d)\/(\d)$/, "$1.$2"), bytes]),
  );
  const metadata = { ...metadataOf(written, array), chunk_key_encoding: { name: "v2" } };
  const results = await resultsOf(moved, array, metadata);
  assert.deepEqual([...new Set(results.map(({ state }) => state))], ["sound"]);
  assert.equal(results.length, 6);
});

/** A shard of zarr-python with its index in front, as another implementation computes its checksum. */
function withIndexFirst(shard, chunks) {
  const length = 16 * chunks + 4;
  const payload = shard.subarray(0, -length);
  const index = Uint8Array.from(shard.subarray(-length));
  const view = new DataView(index.buffer);
  for (let entry = 0; entry < chunks; entry += 1) {
    const offset = view.getBigUint64(16 * entry, true);
    if (offset !== 2n ** 64n - 1n) view.setBigUint64(16 * entry, offset + BigInt(length), true);
  }
  view.setUint32(length - 4, crc32c(index.subarray(0, -4)), true);
  return Uint8Array.from([...index, ...payload]);
}

test("the index of a shard may come first", async () => {
  const array = "/int16-sharded";
  const metadata = structuredClone(metadataOf(written, array));
  metadata.codecs[0].configuration.index_location = "start";
  const moved = new MemoryStore(
    [...written].map(([key, bytes]) => [
      key,
      key.startsWith(`${array}/c/`) ? withIndexFirst(bytes, 4) : bytes,
    ]),
  );
  const summaries = async (...of) => (await resultsOf(...of)).map(summaryOf);
  assert.deepEqual(await summaries(moved, array, metadata), await summaries(written, array));
});

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

const sharding = (configuration) => [
  {
    name: "sharding_indexed",
    configuration: { chunk_shape: [1], codecs: ["bytes"], index_codecs: [LITTLE], ...configuration },
  },
];

test("shards that are compressed are chunks, and decoded as a whole", async () => {
  const metadata = arrayMetadata({ shape: [2], codecs: [...sharding(), "gzip"] });
  const layout = chunkLayout(metadata);
  assert.equal(layout.shard, undefined);
  assert.deepEqual(layout.chunkShape, [2]);
  const check = async (bytes) => (await resultsOf(new MemoryStore([["/c/0", bytes]]), "/", metadata))[0];
  const shard = Uint8Array.of(7, 8, ...new Uint8Array(BigUint64Array.of(0n, 1n, 1n, 1n).buffer));
  const { state, proof } = await check(gzipSync(shard));
  assert.equal(`${state} ${proof}`, "sound checksum");
  assert.equal((await check(gzipSync(shard.fill(9, 2, 3)))).error.code, "invalid_element");
});

test("the inner chunks of shards in shards are the chunks", () => {
  const { shard, chunkShape, codecs, locate } = chunkLayout(
    arrayMetadata({ codecs: sharding({ chunk_shape: [2], codecs: sharding() }), chunk_grid: regular(4) }),
  );
  assert.deepEqual([shard.grid, shard.levels], [[4], [[2], [2]]]);
  assert.deepEqual(chunkShape, [1]);
  assert.deepEqual(codecs, ["bytes"]);
  assert.deepEqual(locate([6]), { key: "c/1", chunk: [1], inner: [2] });
});

for (const [path, metadata] of Object.entries({
  shape: { shape: undefined },
  "shape[1]": { shape: [4, -1] },
  "shape[0]": { shape: ["4"] },
  chunk_grid: { chunk_grid: undefined },
  "chunk_grid.name": { chunk_grid: { name: "hexagonal", configuration: {} } },
  "chunk_grid.configuration.kind": { chunk_grid: rectilinear({ kind: "elsewhere" }) },
  "chunk_grid.configuration.chunk_shapes": { chunk_grid: rectilinear({ chunk_shapes: [2, 2] }) },
  "chunk_grid.configuration.chunk_shapes[0]": { chunk_grid: rectilinear({ chunk_shapes: [[1, 2]] }) },
  "chunk_grid.configuration.chunk_shapes[0][1]": { chunk_grid: rectilinear({ chunk_shapes: [[1, 0]] }) },
  "chunk_grid.configuration": { chunk_grid: { name: "regular", configuration: [2] } },
  "chunk_grid.configuration.chunk_shape": { chunk_grid: regular(2, 2) },
  "chunk_grid.configuration.chunk_shape[0]": { chunk_grid: regular(0) },
  chunk_key_encoding: { chunk_key_encoding: undefined },
  "chunk_key_encoding.name": { chunk_key_encoding: "v4" },
  "chunk_key_encoding.configuration.separator": {
    chunk_key_encoding: { name: "v2", configuration: { separator: "-" } },
  },
  codecs: { codecs: "bytes" },
  "codecs[1]": { codecs: ["bytes", 7] },
  "codecs[0].configuration.chunk_shape": { codecs: sharding({ chunk_shape: undefined }) },
  "chunk_grid.configuration.chunk_shapes[0][0][1]": {
    chunk_grid: rectilinear({ chunk_shapes: [[[4, 0]]] }),
  },
  "codecs[0].configuration.chunk_shape[0]": { codecs: sharding({ chunk_shape: [0] }) },
  "codecs[0].configuration.index_location": { codecs: sharding({ index_location: "middle" }) },
  "codecs[0].configuration.index_codecs": { codecs: sharding({ index_codecs: undefined }) },
  "codecs[0].configuration.codecs": { codecs: sharding({ codecs: undefined }) },
})) {
  test(`invalid metadata are rejected with their path: ${path}`, () => {
    assert.throws(
      () => chunkLayout(arrayMetadata(metadata)),
      (error) =>
        error instanceof InvalidMetadataError &&
        error.path === path &&
        error.message.startsWith(`${path}: expected `),
    );
  });
}

test("a shard that inner chunks do not divide is rejected", () => {
  const codecs = sharding({ chunk_shape: [3] });
  assert.throws(() => chunkLayout(arrayMetadata({ shape: [8], chunk_grid: regular(4), codecs })), {
    path: "codecs[0].configuration.chunk_shape[0]",
    message: /: expected a divisor of 4, the length of the shard, got 3$/,
  });
});

test("a shard in short-hand lacks its configuration", () => {
  assert.throws(() => chunkLayout(arrayMetadata({ codecs: ["sharding_indexed"] })), {
    path: "codecs[0].configuration.codecs",
  });
});

test("index codecs that the package cannot decode are rejected before any chunk is read", async () => {
  const store = { get: () => assert.fail("a chunk was read") };
  const metadata = arrayMetadata({ codecs: sharding({ index_codecs: ["bytes"] }) });
  const [{ key, state, error }] = await resultsOf(store, "/a", metadata);
  assert.deepEqual([key, state, error.code], ["zarr.json", "damaged", "invalid_metadata"]);
});

test("arrays, or inner chunks, without codecs are rejected before any chunk is read", async () => {
  const store = { get: () => assert.fail("a chunk was read") };
  for (const codecs of [[], sharding({ codecs: [] })]) {
    const [{ state, error }] = await resultsOf(store, "/a", arrayMetadata({ codecs }));
    assert.deepEqual([state, error.code], ["damaged", "invalid_metadata"]);
  }
});

test("codecs of ours that the package rejects are rejected before any chunk is read", async () => {
  const store = { get: () => assert.fail("a chunk was read") };
  const codecs = [{ name: "bytes", configuration: { endian: "middle" } }];
  const [{ error }] = await resultsOf(store, "/a", arrayMetadata({ codecs }));
  assert.deepEqual([error.code, error.path], ["invalid_metadata", "codecs[0].configuration.endian"]);
});
