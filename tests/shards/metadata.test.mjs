// Invalid metadata of sharded arrays: errors of this package that name the member, in both stores.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { withChecksums, withShards } from "zarr-codecs/zarrita";
import { MemoryStore } from "./stores.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const CHECKED = [LITTLE, { name: "crc32c" }];

const sharded = () => ({
  zarr_format: 3,
  node_type: "array",
  shape: [4, 4],
  data_type: "uint16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 4] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [
    {
      name: "sharding_indexed",
      configuration: { chunk_shape: [2, 2], codecs: CHECKED, index_codecs: CHECKED },
    },
  ],
});

function storeOf(metadata) {
  const encoded = createCodecChain(sharded()).encode(Uint16Array.from({ length: 16 }, (_, i) => i + 1));
  return new MemoryStore([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
    ["/c/0/0", encoded],
  ]);
}

const inShard = (change) => (metadata) => change(metadata.codecs[0].configuration);
const ORDER = "codecs[0].configuration.order";
const transposed = (order) => (metadata) => {
  metadata.codecs.unshift({ name: "transpose", configuration: { order } });
};

/** Changes to the metadata, the path that errors name, and whether only `withShards`, which needs it, notices. */
const INVALID = {
  "no shape": [(metadata) => delete metadata.shape, "shape"],
  "a shape of another rank": [(metadata) => metadata.shape.pop(), "shape"],
  "no chunk shape": [(metadata) => delete metadata.chunk_grid, "chunk_grid.configuration.chunk_shape"],
  "no codec": [(metadata) => metadata.codecs.push(null), "codecs[1]"],
  "no inner codecs": [inShard((shard) => delete shard.codecs), "codecs[0].configuration.codecs"],
  "an inner codec without a name": [
    inShard((shard) => {
      shard.codecs = [{}];
    }),
    "codecs[0].configuration.codecs[0]",
  ],
  "an inner shard without a configuration": [
    inShard((shard) => {
      shard.codecs = ["sharding_indexed"];
    }),
    "codecs[0].configuration.codecs[0].configuration.chunk_shape",
  ],
  "an inner shard that its inner chunks do not divide": [
    inShard((shard) => {
      shard.codecs = structuredClone(sharded().codecs);
      shard.codecs[0].configuration.chunk_shape = [2, 3];
    }),
    "codecs[0].configuration.codecs[0].configuration.chunk_shape[1]",
  ],
  "another codec with an order": [
    (metadata) => metadata.codecs.unshift({ name: "reorder", configuration: { order: [1, 0] } }),
    "codecs[0].name",
    true,
  ],
  "an axis twice": [transposed([0, 0]), `${ORDER}[1]`, true],
  "an axis too few": [transposed([0]), ORDER, true],
  "names of axes": [transposed(["y", "x"]), `${ORDER}[0]`, true],
};

describe("invalid metadata of a sharded array", () => {
  for (const [name, [change, path, isOnlyOfShards]] of Object.entries(INVALID)) {
    for (const wrap of isOnlyOfShards ? [withShards] : [withShards, withChecksums]) {
      test(`${wrap.name}: ${name}`, async () => {
        const metadata = structuredClone(sharded());
        change(metadata);
        const error = { name: "InvalidMetadataError", code: "invalid_metadata", path };
        await assert.rejects(wrap(storeOf(metadata)).get("/zarr.json"), error);
      });
    }
  }
});

test("errors of codecs state what was expected, and what came", async () => {
  const setInner = (codecs) =>
    inShard((shard) => {
      shard.codecs = codecs;
    });
  const inner = "codecs[0].configuration.codecs";
  for (const [change, message] of [
    [setInner(undefined), `${inner}: expected an array of codecs, got nothing`],
    [setInner([]), `${inner}: expected at least one codec, got none`],
    [setInner(5), `${inner}: expected an array of codecs, got 5`],
    [setInner([{}]), `${inner}[0]: expected a codec (a name or an object with a name), got an object`],
  ]) {
    const metadata = structuredClone(sharded());
    change(metadata);
    await assert.rejects(withShards(storeOf(metadata)).get("/zarr.json"), { message });
  }
});

test("members that are missing or too short are named with what was expected", async () => {
  const path = "chunk_grid.configuration.chunk_shape";
  for (const [others, message] of [
    [{ shape: [4] }, `shape: expected 2 lengths, as in ${path}, got an array`],
    [{ chunk_grid: { name: "regular" } }, `${path}: expected an array of integers, got nothing`],
    [{ chunk_grid: "regular" }, `${path}: expected an array of integers, got nothing`],
  ]) {
    for (const wrap of [withShards, withChecksums]) {
      await assert.rejects(wrap(storeOf({ ...sharded(), ...others })).get("/zarr.json"), { message });
    }
  }
  const files = storeOf({ ...sharded(), codecs: CHECKED, shape: undefined });
  const message = "shape: expected an array of integers, got nothing";
  await assert.rejects(withChecksums(files).get("/zarr.json"), { message });
});

test("withChecksums names a checksum whose configuration is invalid", async () => {
  const codecs = [LITTLE, { name: "gzip" }, { name: "crc32c" }, { name: "crc32c", configuration: { a: 1 } }];
  const inner = (codecs) => ({
    name: "sharding_indexed",
    configuration: { chunk_shape: [2, 2], codecs, index_codecs: CHECKED },
  });
  for (const [list, path] of [
    [codecs, "codecs[3].configuration.a"],
    [codecs.filter((_, i) => i !== 2), "codecs[2].configuration.a"],
    [[...codecs.slice(1), { name: "crc32c" }], "codecs[2].configuration.a"],
    [[inner([LITTLE, codecs[3]])], "codecs[0].configuration.codecs[1].configuration.a"],
    [
      [inner([inner([LITTLE, codecs[3], codecs[2]])])],
      "codecs[0].configuration.codecs[0].configuration.codecs[1].configuration.a",
    ],
  ]) {
    const files = storeOf({ ...sharded(), codecs: list });
    const message = `${path}: unknown member; none is allowed`;
    await assert.rejects(withChecksums(files).get("/zarr.json"), { code: "invalid_metadata", path, message });
  }
});

test("withChecksums verifies chunks of any grid", async () => {
  const encoded = createCodecChain({ ...sharded(), codecs: CHECKED }).encode(new Uint16Array(16));
  const chunk_grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[4], [4]] } };
  const files = storeOf({ ...sharded(), codecs: CHECKED, chunk_grid });
  files.set("/c/0/0", encoded);
  const store = withChecksums(files);
  assert.equal(await store.get("/zarr.json"), files.get("/zarr.json"));
  assert.equal(await store.get("/c/0/0"), encoded);
  files.set(
    "/c/0/0",
    encoded.map((byte, i) => (i === 7 ? byte ^ 4 : byte)),
  );
  await assert.rejects(store.get("/c/0/0"), { code: "checksum_mismatch", key: "/c/0/0" });
});

test("the metadata of an array without dimensions may come from elsewhere", async () => {
  const chunk_grid = { name: "regular", configuration: { chunk_shape: [] } };
  const metadata = { ...sharded(), shape: [], chunk_grid };
  metadata.codecs[0].configuration.chunk_shape = [];
  const encoded = createCodecChain(metadata).encode(Uint16Array.of(7));
  const files = storeOf(metadata);
  files.set("/c", encoded);
  assert.deepEqual([...(await withShards(files).get("/c"))].slice(0, 2), [7, 0]);
  assert.equal((await withShards(files).get("/c")).length, 6);
});
