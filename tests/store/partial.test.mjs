// Codecs that nobody provides: chunks are decoded as far as possible, and verified.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, withCodecs } from "zarr-codecs";
import { errorOf, LITTLE, metadataWith, sharding, shardOf } from "../array/helpers.mjs";
import { IDENTITY } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";
import { crc32c, grid, open, openIn, parsed, read, shownOf, storeOf, unknown, zarrita } from "./helpers.mjs";

const withChecksum = (bytes) =>
  createCodecChain({ dataType: "uint8", shape: [bytes.length], codecs: ["bytes", "crc32c"] }).encode(
    Uint8Array.from(bytes),
  );

const flipped = (bytes, at = 0) => Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte));

const spelled = (codec) => (typeof codec === "string" ? { name: codec } : codec);

/** The codecs that are stored, and those that are shown. */
const CHAINS = [
  ["an array-to-array codec", [unknown, LITTLE, crc32c], [unknown, LITTLE]],
  ["a codec over bytes", [LITTLE, unknown, crc32c], [LITTLE, unknown]],
  ["a codec between checksums", [LITTLE, crc32c, unknown, crc32c], [LITTLE, crc32c, unknown]],
  ["strings", ["vlen-utf8", crc32c], ["vlen-utf8"], "string"],
  ["the last one", [LITTLE, unknown], [LITTLE, unknown]],
];

for (const [name, codecs, shown, data_type = "int16"] of CHAINS) {
  describe(name, () => {
    const hasChecksum = codecs.length > shown.length;
    const payload = Uint8Array.of(1, 0, 2, 0);
    const chunk = hasChecksum ? withChecksum(payload) : payload;
    const fill_value = data_type === "string" ? "" : 0;
    const members = { data_type, fill_value, codecs };

    test("what is shown, and the bytes", async () => {
      const metadata = metadataWith(members);
      for (const dataTypes of ["zarrita", "stored"]) {
        const store = withCodecs(storeOf(metadata, { "/c/0": chunk }), { dataTypes });
        const { codecs: seen, data_type: seenType } = parsed(await store.get("/zarr.json"));
        assert.deepEqual([seen, seenType], [shown.map(spelled), data_type]);
        assert.deepEqual([...(await store.get("/c/0"))], [...payload]);
        assert.equal(await store.get("/c/1"), undefined);
      }
    });

    test("in shards, inner chunks of which are shown alike", async () => {
      const bytes = shardOf([...chunk], [[0, chunk.length], undefined]);
      const codec = sharding([2], codecs);
      const store = withCodecs(
        storeOf(metadataWith({ ...members, chunk_grid: grid(4), codecs: [codec] }), { "/c/0": bytes }),
      );
      const metadata = parsed(await store.get("/zarr.json"));
      assert.deepEqual([metadata.codecs, metadata.chunk_grid], [shown.map(spelled), grid(2)]);
      assert.deepEqual([...(await store.get("/c/0"))], [...payload]);
      assert.equal(await store.get("/c/1"), undefined);
    });

    test("damage is an error", { skip: !hasChecksum }, async () => {
      const store = withCodecs(storeOf(metadataWith(members), { "/c/0": flipped(chunk) }));
      const error = await errorOf(store.get("/c/0"));
      assert.deepEqual([error.code, error.key, error.chunk], ["checksum_mismatch", "/c/0", [0]]);
    });
  });
}

test("the option codecs provides them", async () => {
  const metadata = metadataWith({ data_type: "int16", codecs: [LITTLE, unknown, crc32c] });
  const chunk = withChecksum([1, 0, 2, 0]);
  const codecs = new Map([[unknown.name, () => IDENTITY]]);
  const array = await open(storeOf(metadata, { "/c/0": chunk }), { codecs });
  assert.deepEqual(await read(zarrita, array), [1, 2, 0, 0]);
  assert.deepEqual((await shownOf(storeOf(metadata), { codecs })).codecs, [LITTLE]);
});

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`a reader that has the codec reads the rest, zarrita ${version}`, async (t) => {
    t.after(() => module.registry.delete(unknown.name));
    module.registry.set(unknown.name, () => IDENTITY);
    const metadata = metadataWith({ data_type: "int16", codecs: [LITTLE, unknown, crc32c] });
    const store = withCodecs(storeOf(metadata, { "/c/0": withChecksum([1, 0, 2, 0]) }));
    assert.deepEqual(await read(module, await openIn(module, store)), [1, 2, 0, 0]);
  });
}

describe("shards that have to be read whole", () => {
  const metadata = (inner, outer) =>
    metadataWith({ shape: [8], chunk_grid: grid(4), codecs: [sharding([2], inner), ...outer] });
  const shard = (inner) => withChecksum(shardOf(inner, [[0, inner.length], undefined]));

  test("are shown as one chunk each", async () => {
    const store = storeOf(metadata(["bytes"], [crc32c]), { "/c/0": shard([3, 4]) });
    const shown = await shownOf(store);
    assert.deepEqual([shown.codecs, shown.chunk_grid], [[LITTLE], grid(4)]);
    assert.deepEqual(await read(zarrita, await open(store)), [3, 4, 0, 0, 0, 0, 0, 0]);
  });

  test("stay shards if nobody provides a codec of their inner chunks", async () => {
    const codecs = ["bytes", unknown];
    const bytes = shard([3, 4]);
    const store = withCodecs(storeOf(metadata(codecs, [crc32c]), { "/c/0": bytes }));
    const shown = parsed(await store.get("/zarr.json"));
    assert.deepEqual(shown.codecs, [sharding([2], codecs.map(spelled))]);
    assert.deepEqual(shown.chunk_grid, grid(4));
    assert.deepEqual([...(await store.get("/c/0"))], [...bytes.subarray(0, -4)]);
    assert.deepEqual([...(await store.getRange("/c/0", { suffixLength: 32 }))], [...bytes.subarray(-36, -4)]);
    const damaged = withCodecs(storeOf(metadata(codecs, [crc32c]), { "/c/0": flipped(bytes) }));
    assert.equal((await errorOf(damaged.get("/c/0"))).code, "checksum_mismatch");
  });
});

test("what is shown is the same on hosts with zstd and without", async () => {
  const zstd = { name: "zstd", configuration: { level: 1, checksum: false } };
  const provided = new Map([["zstd", () => IDENTITY]]);
  for (const [codecs, dataType, shown] of [
    [[LITTLE, zstd], "int16", [LITTLE]],
    [[LITTLE, zstd, crc32c], "int16", [LITTLE]],
    [["vlen-utf8", zstd], "string", [{ name: "vlen-utf8" }]],
    [["vlen-utf8", zstd, crc32c], "string", [{ name: "vlen-utf8" }]],
    [[LITTLE, unknown, zstd], "int16", [LITTLE, unknown]],
    [[sharding([1], [LITTLE, zstd])], "int16", [LITTLE]],
    [[sharding([1], ["vlen-utf8", zstd])], "string", [{ name: "vlen-utf8" }]],
    [[sharding([1], [LITTLE, zstd]), crc32c], "int16", [LITTLE]],
  ]) {
    const metadata = metadataWith({
      data_type: dataType,
      fill_value: dataType === "string" ? "" : 0,
      codecs,
    });
    const [without, withIt] = await Promise.all(
      [undefined, provided].map((codecs) => shownOf(storeOf(metadata), { codecs })),
    );
    assert.deepEqual(without.codecs, shown);
    assert.deepEqual(withIt, without);
  }
});
