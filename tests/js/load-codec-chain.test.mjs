// What loadCodecChain makes of metadata, and which codecs it asks for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCodecChain } from "zarr-codecs";
import { registry } from "zarrita";

const big = { name: "bytes", configuration: { endian: "big" } };
const transpose = { name: "transpose", configuration: { order: [1, 0] } };
const gzip = { name: "gzip", configuration: { level: 5 } };

test("codecs has those of this package and those of others in the order of the metadata", async () => {
  const codecs = [
    transpose,
    { name: "reshape", configuration: { shape: [6] } },
    big,
    gzip,
    { name: "crc32c" },
  ];
  const chain = await loadCodecChain({ dataType: "int16", shape: [2, 3], codecs });
  assert.deepEqual(chain.codecs, codecs);
  const ignored = { name: "unknown", must_understand: false };
  const others = [transpose, { ...big, name: "endian" }, "gzip", ignored, "crc32c"];
  const normalised = await loadCodecChain({ dataType: "int16", shape: [2, 3], codecs: others });
  assert.deepEqual(normalised.codecs, [transpose, big, { name: "gzip" }, { name: "crc32c" }]);
});

test("only codecs that this package lacks are asked for", async () => {
  const asked = [];
  const get = (name) => {
    asked.push(name);
    return registry.get(name);
  };
  const zstd = { name: "zstd", configuration: { level: 0, checksum: false } };
  const metadata = { dataType: "int16", shape: [2, 3], codecs: [transpose, big, zstd, "crc32c"] };
  await loadCodecChain(metadata, { codecs: { get } });
  assert.deepEqual(asked, ["zstd"]);
});

test("a fill value may be stated, and is passed on", async () => {
  let told;
  class Codec {
    kind = "array_to_array";
    static fromConfig(_, metadata) {
      told = metadata;
      return new Codec();
    }
    encode = (chunk) => chunk;
    decode = (chunk) => chunk;
  }
  const codecs = new Map([["same", () => Codec]]);
  const metadata = { dataType: "int16", shape: [2], codecs: ["same", big], fillValue: 7 };
  const chain = await loadCodecChain(metadata, { codecs });
  assert.equal(told.fillValue, 7);
  assert.deepEqual((await chain.decode(Uint8Array.of(0, 1, 0, 2))).data, Int16Array.of(1, 2));
});

for (const [what, metadata, message] of [
  ["null", null, /^metadata: expected { dataType, shape, codecs }, got/],
  ["a number", 5, /^metadata: expected { dataType, shape, codecs }, got/],
  ["a group", { zarr_format: 3, node_type: "group" }, /^node_type: expected "array"/],
]) {
  test(`${what} instead of metadata is an error`, async () => {
    await assert.rejects(loadCodecChain(metadata), { code: "invalid_metadata", message });
  });
}
