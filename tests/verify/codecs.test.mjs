// What is known of chains by the names of their codecs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { verify } from "./helpers.mjs";

const { endsWithChecksum, hasChecksum, storesElements } = verify;
const big = { name: "bytes", configuration: { endian: "big" } };
const transpose = { name: "transpose", configuration: { order: [1, 0] } };

test("elements are where they are expected in chunks of bytes and crc32c only", () => {
  for (const codecs of [["bytes"], [big, "crc32c"], ["endian", { name: "crc32c" }, "crc32c"]]) {
    assert.equal(storesElements(codecs), true, JSON.stringify(codecs));
  }
  const moved = [
    [transpose, big],
    [big, "numcodecs.shuffle"],
    ["bytes", "numcodecs.adler32"],
    ["bytes", "gzip"],
    [],
  ];
  for (const codecs of moved) assert.equal(storesElements(codecs), false, JSON.stringify(codecs));
});

test("chains without a checksum are not taken for ones that have it", () => {
  const without = [
    [transpose, big],
    ["bytes", "zstd"],
    ["bytes", "blosc"],
    ["bytes", "numcodecs.shuffle", "lz4"],
  ];
  for (const codecs of without) assert.equal(hasChecksum(codecs), false, JSON.stringify(codecs));
  const checked = [
    ["bytes", "crc32c", "zstd"],
    ["bytes", "gzip"],
    ["bytes", { name: "numcodecs.fletcher32" }],
  ];
  for (const codecs of checked) {
    assert.equal(hasChecksum(codecs), true, JSON.stringify(codecs));
    assert.equal(endsWithChecksum(codecs), false);
  }
});
