// The properties of a codec chain, and its independence of the metadata it was created from.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, decode, encode } from "zarr-codecs";
import { assertSameBytes, BIG, chainOf, LITTLE, metadataOf, VALUES, withChecksum } from "./helpers.mjs";

describe("a chain", () => {
  test("has normalised metadata", () => {
    const skipped = { name: "x", must_understand: false, configuration: { deep: [1, { a: null }] } };
    const endian = { name: "endian", configuration: { endian: "big" }, must_understand: true };
    const chain = createCodecChain({
      dataType: { name: "complex64" },
      shape: [2, 3],
      codecs: [skipped, endian, "crc32c", skipped, { name: "crc32c", configuration: {} }],
    });
    const { dataType, shape, codecs, decodedByteLength, encodedByteLength } = chain;
    assert.deepEqual([dataType, shape, decodedByteLength, encodedByteLength], ["complex64", [2, 3], 48, 56]);
    assert.deepEqual(codecs, [
      { name: "bytes", configuration: { endian: "big" } },
      { name: "crc32c" },
      { name: "crc32c" },
    ]);
    assert.deepEqual(createCodecChain({ dataType, shape, codecs }).codecs, codecs);
    assert.deepEqual(JSON.parse(JSON.stringify(codecs)), codecs);
  });

  test("cannot be changed through its properties", () => {
    const chain = chainOf({ shape: [2] });
    assert.throws(() => chain.shape.push(3), TypeError);
    assert.throws(() => chain.codecs.pop(), TypeError);
    assert.throws(() => {
      chain.codecs[0].configuration.endian = "little";
    }, TypeError);
    assert.deepEqual([...chain.decode(BIG).data], VALUES);
  });

  test("is not affected by later changes to its metadata and options", () => {
    const metadata = metadataOf({ shape: [2] });
    const options = { verify: true };
    const chain = createCodecChain(metadata, options);
    assert.deepEqual(metadata, metadataOf({ shape: [2] }));
    metadata.shape.push(5);
    metadata.codecs[0].configuration.endian = "little";
    metadata.dataType = "int8";
    options.verify = false;
    assert.deepEqual([...chain.decode(BIG).data], VALUES);
    assert.deepEqual(chain.shape, [2]);
  });

  test("can be created from frozen metadata and from a Proxy", () => {
    const metadata = metadataOf({ shape: [2] });
    assert.deepEqual([...createCodecChain(new Proxy(metadata, {})).decode(BIG).data], VALUES);
    Object.freeze(metadata.codecs[0].configuration);
    Object.freeze(metadata.shape);
    assert.deepEqual([...createCodecChain(Object.freeze(metadata)).decode(BIG).data], VALUES);
  });

  test("is independent of other chains", () => {
    const [big, little] = ["big", "little"].map((endian) => chainOf({ shape: [2], endian }));
    for (let i = 0; i < 3; i++) {
      assert.deepEqual([...big.decode(BIG).data], VALUES);
      assert.deepEqual([...little.decode(LITTLE).data], VALUES);
    }
  });

  test("is not needed to decode or encode a single chunk", () => {
    const metadata = metadataOf({ shape: [2], checksums: 1 });
    const encoded = withChecksum(BIG);
    const data = Float32Array.from(VALUES);
    assert.deepEqual(decode(encoded, metadata), { data, shape: [2], stride: [1] });
    assertSameBytes(encode(data, metadata), encoded);
    assertSameBytes(encode({ data, shape: [2] }, metadata), encoded);
  });

  test("has the same options as a single call", () => {
    const metadata = { dataType: "float16", shape: [2], codecs: ["bytes", "crc32c"] };
    const encoded = withChecksum(Uint8Array.of(0x3c, 0, 0xc0, 0), 5);
    const out = new Float32Array(2);
    const options = { missingEndian: "big", float16: "float32", verify: false, out };
    assert.equal(decode(encoded, metadata, options).data, out);
    assert.deepEqual([...out], VALUES);
    const bytes = new Uint8Array(8);
    assert.equal(encode(out, metadata, { missingEndian: "big", out: bytes }), bytes);
    assertSameBytes(bytes, withChecksum(Uint8Array.of(0x3c, 0, 0xc0, 0)));
    const bools = metadataOf({ dataType: "bool", endian: undefined, shape: [2] });
    assert.deepEqual(
      [...decode(Uint8Array.of(0, 9), bools, { invalidBool: "coerce", inPlace: true }).data],
      [0, 1],
    );
  });
});
