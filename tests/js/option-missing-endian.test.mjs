// The option missingEndian.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, InvalidMetadataError } from "zarr-codecs";
import { assertSameBytes, assertThrows, BIG, chainOf, LITTLE, VALUES } from "./helpers.mjs";

describe("the option missingEndian", () => {
  const unstated = [
    { name: "bytes" },
    { name: "bytes", configuration: {} },
    "bytes",
    { name: "endian" },
    { name: "endian", configuration: {} },
    "endian",
  ];
  const orders = [
    ["little", LITTLE],
    ["big", BIG],
  ];

  test("is the byte order where none is stated, and appears in the codecs", () => {
    for (const codec of unstated) {
      for (const [missingEndian, encoded] of orders) {
        const chain = createCodecChain(
          { dataType: "float32", shape: [2], codecs: [codec] },
          { missingEndian },
        );
        assert.deepEqual([...chain.decode(encoded).data], VALUES);
        assertSameBytes(chain.encode(Float32Array.from(VALUES)), encoded);
        assert.deepEqual(chain.codecs, [{ name: "bytes", configuration: { endian: missingEndian } }]);
      }
    }
  });

  test("error, the default, assumes none", () => {
    for (const codec of unstated) {
      for (const options of [undefined, {}, { missingEndian: "error" }, { missingEndian: undefined }]) {
        const metadata = { dataType: "float32", shape: [2], codecs: [codec] };
        const path = "codecs[0].configuration.endian";
        assertThrows(() => createCodecChain(metadata, options), InvalidMetadataError, { path });
      }
    }
  });

  test("neither overrides a stated byte order nor accepts an invalid one", () => {
    for (const [missingEndian] of orders) {
      for (const [endian, encoded] of orders) {
        const chain = chainOf({ shape: [2], endian, options: { missingEndian } });
        assert.deepEqual([...chain.decode(encoded).data], VALUES);
      }
      for (const configuration of [{ endian: "middle" }, { endian: null }, { endia: "little" }, null]) {
        const metadata = { dataType: "float32", shape: [2], codecs: [{ name: "bytes", configuration }] };
        assertThrows(() => createCodecChain(metadata, { missingEndian }), InvalidMetadataError);
      }
    }
  });

  test("has no effect on single bytes", () => {
    for (const dataType of ["uint8", "int8", "bool", "r24"]) {
      const metadata = { dataType, shape: [2], codecs: ["bytes"] };
      const chain = createCodecChain(metadata, { missingEndian: "big" });
      const encoded = new Uint8Array(chain.encodedByteLength).map((_, i) => i % 2);
      assertSameBytes(chain.decode(encoded).data, encoded);
      assert.deepEqual(chain.codecs, createCodecChain(metadata).codecs);
    }
  });

  test("applies to the metadata of an array", () => {
    const array = {
      data_type: "float32",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      codecs: [{ name: "bytes" }],
    };
    assert.deepEqual([...createCodecChain(array, { missingEndian: "big" }).decode(BIG).data], VALUES);
  });
});
