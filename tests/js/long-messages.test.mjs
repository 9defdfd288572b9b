// Messages are short, whatever the size of the value. `assertError` in helpers.mjs checks the length of every message.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChunkLengthError,
  Crc32c,
  crc32c,
  crc32cCombine,
  createCodecChain,
  InvalidArgumentError,
  InvalidMetadataError,
} from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import { assertThrows, chainOf, LONGEST_MESSAGE, TEN_MILLION } from "./helpers.mjs";
import { bytesWith, chainWith, codecsWith, little } from "./metadata.mjs";

const chain = chainOf({ shape: [2, 2] });
const data = new Float32Array(4);
const HUGE = 10n ** 5000n;
const LONG = "x".repeat(TEN_MILLION);
const bytes = new Uint8Array(16);

/** Nests a value in objects, this many levels deep. */
const deep = (levels, name, value) => (levels === 0 ? value : { [name]: deep(levels - 1, name, value) });

describe("messages are bounded for", () => {
  const many = Array(10_000).fill(1);
  const ARGUMENTS = [
    [
      "a long shape of a chunk",
      () => chain.encode({ data, shape: many }),
      "[1, 1, 1, 1, 1, 1, 1, 1, ... (10000 in all)]",
    ],
    [
      "a long stride of a chunk",
      () => chain.encode({ data, stride: many }),
      "[1, 1, 1, 1, 1, 1, 1, 1, ... (10000 in all)]",
    ],
    [
      "a shape of long strings",
      () => chain.encode({ data, shape: [LONG, LONG, LONG, LONG, LONG, LONG] }),
      /"x+\.\.\."\]$/,
    ],
    [
      "a shape as long as arrays can be",
      () => chain.encode({ data, shape: Array(2 ** 32 - 1) }),
      /\(4294967295 in all\)\]$/,
    ],
    [
      "a shape of BigInts",
      () => chain.encode({ data, shape: [HUGE, -HUGE] }),
      "[a BigInt of more than 128 bits, a BigInt of more than 128 bits]",
    ],
    ["a BigInt as bytes", () => crc32c(HUGE), "a BigInt of more than 128 bits"],
    ["a BigInt as checksum", () => crc32c(bytes, HUGE), "a BigInt of more than 128 bits"],
    ["a BigInt as update", () => new Crc32c().update(HUGE), "a BigInt of more than 128 bits"],
    ["a BigInt as length", () => crc32cCombine(0, 0, -HUGE), "a BigInt of more than 128 bits"],
    ["a BigInt of 128 bits", () => crc32c(2n ** 127n - 1n), "170141183460469231731687303715884105727n"],
    ["a BigInt as option", () => chain.decode(bytes, { verify: HUGE }), "a BigInt of more than 128 bits"],
    ["a BigInt as out", () => chain.decode(bytes, { out: HUGE }), "a BigInt of more than 128 bits"],
    ["a long string as option", () => createCodecChain(little, { missingEndian: LONG }), /"x+\.\.\."$/],
    [
      "an option of a long name",
      () => chain.decode(bytes, { [LONG]: true }),
      /^options\.x{64}\.\.\.: unknown option; /,
    ],
    ["an option of register", () => register(new Map(), { verify: LONG }), /"x+\.\.\."$/],
    ["an object of a long tag", () => crc32c({ [Symbol.toStringTag]: LONG }), /a x+\.\.\.$/],
  ];
  for (const [what, use, got] of ARGUMENTS) {
    test(what, () => {
      const { message } = assertThrows(use, InvalidArgumentError);
      const end = message.split(", got ").at(-1);
      if (got instanceof RegExp) assert.match(end, got);
      else assert.equal(end, got);
    });
  }

  const METADATA = [
    ["a shape of BigInts", () => createCodecChain(chainWith({ shape: [HUGE] }))],
    ["a long name of a member", () => createCodecChain(chainWith({ ["x".repeat(10_000)]: 1 }))],
    ["long names in a path", () => createCodecChain(bytesWith(deep(10, "x".repeat(1000), 1)))],
    [
      "long names in a path to a value that is not JSON",
      () => createCodecChain(bytesWith({ ["x".repeat(10_000)]: 1n })),
    ],
    ["a long string", () => createCodecChain(chainWith({ dataType: "x".repeat(10_000) }))],
    ["a long name of a codec", () => createCodecChain(codecsWith("x".repeat(10_000)))],
    [
      "a chunk too long, of 1000 dimensions",
      () => createCodecChain(chainWith({ shape: Array(1000).fill(10) })),
    ],
    [
      "a long name of a data type in an array",
      () =>
        createCodecChain({
          data_type: "x".repeat(10_000),
          chunk_grid: { name: "regular", configuration: { chunk_shape: [] } },
          codecs: ["bytes"],
        }),
    ],
  ];
  for (const [what, use] of METADATA) {
    test(`${what} in metadata`, () => {
      assertThrows(use, InvalidMetadataError, {
        message: /^[^:]+: (expected .+, got .+|unknown member; allowed: .+)$|^[^:]+ \.\.\. .+, got .+$/s,
      });
    });
  }

  test("chunks of 1000 dimensions", () => {
    const chain = chainOf({ shape: Array(1000).fill(1), checksums: 1 });
    const message =
      /^encoded chunk is 3 bytes, expected 8 \(1 x 1 x .* elements in 1000 dimensions x 4 bytes .*\)$/;
    assertThrows(() => chain.decode(new Uint8Array(3)), ChunkLengthError, {
      expected: 8,
      actual: 3,
      message,
    });
    assertThrows(() => chain.encode(new Float32Array(2)), ChunkLengthError, { expected: 4, actual: 8 });
  });
});

test("a message that is too long keeps its path and what was found, without the middle", () => {
  const name = "x".repeat(60);
  const use = () => createCodecChain(bytesWith(deep(10, name, 1n)));
  const { path, message } = assertThrows(use, InvalidMetadataError);
  assert.equal(path, `codecs[0].configuration${`.${name}`.repeat(10)}`);
  assert.match(message, /^codecs\[0\]\.configuration\.x.* \.\.\. .*: expected JSON data, got 1n$/);
  assert.ok(message.length > LONGEST_MESSAGE - 3, "no more is removed than necessary");
});

test("what has the longest allowed length is not shortened", () => {
  const text = "x".repeat(64);
  assertThrows(() => crc32c(text), InvalidArgumentError, { message: new RegExp(`, got "${text}"$`) });
  const eight = () => chain.encode({ data, shape: Array(8).fill(1) });
  assertThrows(eight, InvalidArgumentError, { message: /, got \[1, 1, 1, 1, 1, 1, 1, 1\]$/ });

  const [name, last] = ["x".repeat(61), "x".repeat(62)];
  const message = `codecs[0].configuration.${name}.${name}.${name}.${last}: expected JSON data, got 1n`;
  assert.equal(message.length, LONGEST_MESSAGE);
  const use = () => createCodecChain(bytesWith(deep(3, name, { [last]: 1n })));
  assertThrows(use, InvalidMetadataError, { message });
});
