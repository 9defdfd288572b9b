// InvalidElementError: elements that the data type does not allow.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, InvalidElementError } from "zarr-codecs";
import { assertThrows, metadataOf, withChecksum } from "./helpers.mjs";

describe("rejects bool elements other than 0 and 1", () => {
  const LENGTH = 140_000;
  const chainOfBool = (checksums, options) =>
    createCodecChain(
      metadataOf({ dataType: "bool", endian: undefined, shape: [LENGTH], checksums }),
      options,
    );

  for (const index of [0, 17, 65_535, 65_536, 131_072, LENGTH - 1]) {
    test(`element ${index}, when decoding and encoding`, () => {
      for (const value of [2, 128, 255]) {
        const data = new Uint8Array(LENGTH);
        data[index] = value;
        if (index + 1 < LENGTH) data[index + 1] = 77; // Only the first is reported.
        const expected = { index, value };
        for (const options of [undefined, { copy: true }, { inPlace: true }, { verify: false }]) {
          assertThrows(() => chainOfBool(0).decode(data, options), InvalidElementError, expected);
        }
        const damaged = withChecksum(data, 0);
        assertThrows(() => chainOfBool(1).decode(damaged, { verify: false }), InvalidElementError, expected);
        assertThrows(() => chainOfBool(1).encode(data), InvalidElementError, expected);
        const encoded = chainOfBool(0, { invalidBool: "coerce" }).encode(data);
        assert.equal(encoded[index], 1);
      }
    });
  }
});
