// What is known of chains by the names of their codecs, and of grids.

import assert from "node:assert/strict";
import { test } from "node:test";
import { verify } from "./helpers.mjs";

const { endsWithChecksum, hasChecksum, product, ravel, storesElements, unravel } = verify;
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

test("a shard has a checksum if its inner chunks and its index do", () => {
  const sharding = (codecs, index_codecs) => [
    { name: "sharding_indexed", configuration: { chunk_shape: [1], codecs, index_codecs } },
  ];
  const covered = ["bytes", "crc32c"];
  assert.equal(hasChecksum(sharding(covered, covered)), true);
  assert.equal(hasChecksum(sharding(covered, [big])), false);
  assert.equal(hasChecksum(sharding(["bytes"], covered)), false);
  assert.equal(hasChecksum([...sharding(["bytes"], [big]), "crc32c"]), true);
  assert.equal(hasChecksum(sharding(sharding(covered, covered), covered)), true);
  assert.equal(hasChecksum(sharding(sharding(covered, [big]), covered)), false);
});

test("only crc32c at the end leaves a checksum there", () => {
  for (const codecs of [
    ["bytes", "crc32c"],
    ["bytes", "zstd", { name: "crc32c" }],
  ]) {
    assert.equal(endsWithChecksum(codecs), true, JSON.stringify(codecs));
  }
  for (const codecs of [[], ["bytes"], ["bytes", "gzip"], ["bytes", "numcodecs.crc32c"]]) {
    assert.equal(endsWithChecksum(codecs), false, JSON.stringify(codecs));
  }
});

test("positions have numbers in C order", () => {
  assert.deepEqual([ravel([1, 2, 3], [2, 3, 4]), ravel([], []), ravel([5], [7])], [23, 0, 5]);
  assert.deepEqual(
    [unravel(23, [2, 3, 4]), unravel(0, []), unravel(13, [2, 3, 4])],
    [[1, 2, 3], [], [1, 0, 1]],
  );
  assert.deepEqual([product([2, 3, 4]), product([]), product([5, 0])], [24, 1, 0]);
});
