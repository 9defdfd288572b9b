// Members of metadata that may be missing or of other kinds, and what stores may return.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, loadCodecChain, openArray, withCodecs } from "zarr-codecs";
import { LITTLE, metadataWith, sharding, toBytes } from "./helpers.mjs";

const checked = [LITTLE, { name: "crc32c" }];

test("attributes may be missing, and keys are below the path of the array", async () => {
  const { attributes: _, ...metadata } = metadataWith({});
  for (const [path, key] of [
    ["", "/c/0"],
    ["a/b", "/a/b/c/0"],
  ]) {
    const array = await openArray(new Map(), path, { metadata });
    assert.deepEqual(array.attributes, {});
    assert.equal(array.stored.keyOf([0]), key);
    assert.deepEqual(array.stored.coordsOf(key), [0]);
    assert.equal(array.stored.coordsOf("/other/c/0"), undefined);
  }
});

test("numbers that JSON lacks, in metadata that has been parsed by others, are those of their own array", async () => {
  const store = new Map();
  for (const fill of [Number.NaN, Number.POSITIVE_INFINITY, -0, 0]) {
    const metadata = metadataWith({ data_type: "float32", codecs: checked, fill_value: String(fill) });
    const others = metadataWith({ data_type: "float32", codecs: checked, fill_value: fill });
    const read = async (metadata) => (await (await openArray(store, "", { metadata })).getChunk([0])).data[0];
    if (Number.isFinite(fill)) assert.ok(Object.is(await read(others), fill));
    else assert.ok(Object.is(await read(metadata), fill));
  }
});

test("a store may return a buffer", async () => {
  const bytes = createCodecChain({ dataType: "int16", shape: [2], codecs: checked }).encode(
    Int16Array.of(1, 2),
  );
  const store = new Map([
    ["/zarr.json", toBytes(metadataWith({ data_type: "int16", codecs: checked }))],
    ["/c/0", bytes.slice().buffer],
  ]);
  assert.deepEqual([...(await (await openArray(store)).getChunk([0])).data], [1, 2]);
});

describe("fill values that only the whole code understands", () => {
  for (const [data_type, fill_value, expected] of [
    ["float32", "NaN", [Number.NaN, Number.NaN]],
    ["float32", "0x7fc00001", undefined],
    ["uint8", 7, [7, 7]],
  ]) {
    test(`${data_type}: ${fill_value}`, async () => {
      const metadata = metadataWith({
        data_type,
        codecs: data_type === "uint8" ? ["bytes"] : [LITTLE],
        fill_value,
      });
      const shown = withCodecs(new Map([["/zarr.json", toBytes(metadata)]]));
      assert.equal(JSON.parse(new TextDecoder().decode(await shown.get("/zarr.json"))).data_type, data_type);
      const { data } = await (await openArray(new Map(), "", { metadata })).getChunk([0]);
      if (expected) assert.deepEqual([...data], expected);
      else assert.equal(new Uint32Array(data.buffer)[0], 0x7fc00001);
    });
  }

  for (const [data_type, fill_value] of [
    ["float32", 1e39],
    ["int16", 1.5],
    ["int16", 40_000],
    ["int16", true],
  ]) {
    test(`${data_type}: ${fill_value} is none`, async () => {
      const metadata = metadataWith({ data_type, codecs: [LITTLE], fill_value });
      const shown = withCodecs(new Map([["/zarr.json", toBytes(metadata)]]));
      await assert.rejects(shown.get("/zarr.json"), { code: "invalid_metadata", path: "fill_value" });
    });
  }
});

test("verify is a function: of a checksum around external codecs, and around a shard", async () => {
  for (const codecs of [
    ["bytes", { name: "zlib", configuration: { level: 1 } }, "crc32c"],
    [sharding([1], ["bytes"]), "crc32c"],
  ]) {
    const reported = [];
    const verify = (error) => void reported.push(error.code);
    const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs, fillValue: 0 }, { verify });
    const encoded = await chain.encode(Uint8Array.of(1, 2));
    encoded[encoded.length - 1] ^= 1;
    assert.deepEqual([...(await chain.decode(encoded)).data], [1, 2]);
    assert.deepEqual(reported, ["checksum_mismatch"]);
    await assert.rejects(chain.decode(encoded, { verify: true }), { code: "checksum_mismatch" });
  }
});
