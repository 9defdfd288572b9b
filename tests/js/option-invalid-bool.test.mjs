// The option invalidBool.

import { describe, test } from "node:test";
import { ChecksumMismatchError, createCodecChain, InvalidElementError } from "zarr-codecs";
import { assertSameBytes, assertThrows, chainOf, metadataOf, withChecksum } from "./helpers.mjs";

describe("the option invalidBool", () => {
  const metadata = metadataOf({ dataType: "bool", endian: undefined, shape: [5], checksums: 1 });
  const odd = Uint8Array.of(0, 1, 2, 128, 255);
  const even = Uint8Array.of(0, 1, 1, 1, 1);

  test("true reads other bytes as true, when decoding and encoding", () => {
    const chain = createCodecChain(metadata, { invalidBool: "coerce" });
    const encoded = withChecksum(odd);
    for (const options of [undefined, { copy: true }, { out: new Uint8Array(5) }, { verify: false }]) {
      assertSameBytes(chain.decode(encoded, options).data, even);
      assertSameBytes(encoded, withChecksum(odd));
    }
    assertSameBytes(chain.encode(odd), withChecksum(even));
    assertSameBytes(odd, Uint8Array.of(0, 1, 2, 128, 255));
  });

  test("true still verifies checksums", () => {
    const chain = createCodecChain(metadata, { invalidBool: "coerce" });
    assertThrows(() => chain.decode(withChecksum(odd, 0)), ChecksumMismatchError);
  });

  test("error, the default, rejects them", () => {
    for (const options of [undefined, { invalidBool: "error" }]) {
      const chain = createCodecChain(metadata, options);
      assertThrows(() => chain.decode(withChecksum(odd)), InvalidElementError, { index: 2, value: 2 });
      assertThrows(() => chain.encode(odd), InvalidElementError, { index: 2, value: 2 });
    }
  });

  test("affects only bool", () => {
    const chain = chainOf({
      dataType: "uint8",
      endian: undefined,
      shape: [5],
      options: { invalidBool: "coerce" },
    });
    assertSameBytes(chain.decode(odd).data, odd);
  });
});
