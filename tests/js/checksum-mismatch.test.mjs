// ChecksumMismatchError: its fields, and the checksum that it reports.

import { describe, test } from "node:test";
import { ChecksumMismatchError, InvalidElementError } from "zarr-codecs";
import { assertThrows, chainOf, slowCrc, withChecksum } from "./helpers.mjs";

describe("rejects a wrong checksum", () => {
  test("with both checksums, and the length that they cover", () => {
    for (const length of [1, 4096, 65536, 65537, 200_000]) {
      const bytes = new Uint8Array(length).map((_, i) => i * 7);
      const chain = chainOf({ dataType: "uint8", shape: [length], checksums: 1 });
      const computed = slowCrc(bytes);
      for (const stored of [0x0000000f, 0x1a2b3c4d, 0xffffff0f]) {
        assertThrows(() => chain.decode(withChecksum(bytes, stored)), ChecksumMismatchError, {
          stored,
          computed,
          byteLength: length,
          diagnosis: undefined,
        });
      }
    }
  });

  test("of the last codec first, and of an earlier one if the last is right", () => {
    const chain = chainOf({ dataType: "uint8", shape: [9], checksums: 2 });
    const data = Buffer.from("123456789");
    const inner = withChecksum(data, 5);
    assertThrows(() => chain.decode(withChecksum(inner)), ChecksumMismatchError, {
      stored: 5,
      computed: 0xe3069283,
      byteLength: 9,
    });
    assertThrows(() => chain.decode(withChecksum(inner, 6)), ChecksumMismatchError, {
      stored: 6,
      computed: slowCrc(inner),
      byteLength: 13,
    });
  });

  test("before invalid elements, which are only a symptom in a corrupt chunk", () => {
    const chain = chainOf({ dataType: "bool", endian: undefined, shape: [3], checksums: 1 });
    assertThrows(() => chain.decode(withChecksum([0, 2, 1], 0)), ChecksumMismatchError);
    assertThrows(() => chain.decode(withChecksum([0, 2, 1])), InvalidElementError, { index: 1, value: 2 });
  });
});
