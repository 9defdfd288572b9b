// InvalidMetadataError: the metadata of a chain, except its codecs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodecChain, createCodecChain, InvalidMetadataError } from "zarr-codecs";
import { assertThrows, ONE_MILLION, TEN_MILLION } from "./helpers.mjs";
import { bytesWith, chainWith, codecsWith, little, rejectEach } from "./metadata.mjs";

// What JSON can say is rejected by Rust, and tested there (tests/rust/metadata.rs); here are other values.
rejectEach({
  "the metadata": [
    ["absent", undefined, "metadata", "undefined"],
    ["a function", () => {}, "metadata", "a function"],
    ["a Date", new Date(0), "metadata", "a Date"],
    ["an ArrayBufferView", new Uint8Array(3), "metadata", "Uint8Array of 3"],
    [
      "of an unknown member",
      chainWith({ order: "C" }),
      "order",
      { problem: "unknown member; allowed: dataType, shape, codecs, fillValue" },
    ],
    [
      "of a hundred thousand members",
      Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`m${i}`, 0])),
      /^(metadata|m\d+)$/,
      "more",
    ],
    ["of a member whose name is very long", { ["x".repeat(TEN_MILLION)]: 1 }, /^.{1,200}$/, /.+/],
  ],

  "the data type": [
    ["absent", chainWith({ dataType: undefined }), "dataType", "nothing"],
    ["of a very long name", chainWith({ dataType: "x".repeat(TEN_MILLION) }), "dataType", /.+/],
    ["a symbol", chainWith({ dataType: Symbol("float32") }), "dataType", "a symbol"],
  ],

  "the shape": [
    ["absent", chainWith({ shape: undefined }), "shape", "nothing"],
    ["like an array", chainWith({ shape: { length: 1, 0: 4 } }), "shape", "an object"],
    ["a typed array", chainWith({ shape: Uint32Array.of(4) }), "shape", "Uint32Array of 1"],
    ...[
      ["NaN", Number.NaN, "NaN"],
      ["infinite", Number.POSITIVE_INFINITY, "Infinity"],
      ["negative infinite", Number.NEGATIVE_INFINITY, "-Infinity"],
      ["above the safe integers", 2 ** 53, "9007199254740992"],
      ["undefined", undefined, "undefined"],
      ["a BigInt", 4n, "4n"],
      ["a function", () => 4, "a function"],
    ].map(([what, length, got]) => [
      `of an entry that is ${what}`,
      chainWith({ shape: [2, length] }),
      "shape[1]",
      got,
    ]),
    [
      "of a million dimensions",
      chainWith({ shape: Array(ONE_MILLION).fill(1) }),
      /^shape(\[\d+\])?$/,
      "more",
    ],
    [
      "sparse and as long as arrays can be",
      chainWith({ shape: Array(2 ** 32 - 1) }),
      /^shape\[0\]$/,
      "undefined",
    ],
  ],
});

test("rejects metadata that cannot be read, with the cause", () => {
  const cause = new Error("mine");
  const codec = {
    get name() {
      throw cause;
    },
  };
  assertThrows(() => createCodecChain(codecsWith(codec)), InvalidMetadataError, {
    path: "codecs[0]",
    message: "codecs[0]: could not be read",
    cause,
  });
});

test("accepts valid metadata", () => {
  const fine = [
    chainWith({ codecs: [little, { name: "crc32c", configuration: {} }] }),
    chainWith({ codecs: [little, { name: "crc32c", must_understand: false }] }),
    chainWith({ codecs: [little, { name: "crc32c", configuration: undefined }] }),
    chainWith({ codecs: [{ ...little, must_understand: true }, "crc32c", "crc32c"] }),
    chainWith({ codecs: [{ name: "x", configuration: { a: [1] }, must_understand: false }, little] }),
    chainWith({ dataType: { name: "float32", configuration: {} } }),
    chainWith({ dataType: "uint8", codecs: ["bytes"] }),
    chainWith({ dataType: "r24", codecs: [little] }),
    chainWith({ dataType: "bool", codecs: [{ name: "endian", configuration: { endian: "big" } }] }),
    chainWith({ shape: Array(32).fill(1) }),
    chainWith({ shape: [2 ** 28] }),
    Object.freeze(Object.assign(Object.create(null), chainWith({}))),
  ];
  for (const metadata of fine) assert.ok(createCodecChain(metadata) instanceof CodecChain);
});

/** Nests arrays this many levels deep. */
const nested = (levels) => (levels === 0 ? [] : [nested(levels - 1)]);

describe("states what was expected:", () => {
  const messages = [
    [
      bytesWith({ endian: "middle" }),
      'codecs[0].configuration.endian: expected "little" or "big", got "middle"',
    ],
    [chainWith({ shape: Array(1024).fill(1) }), /: expected metadata of at most 1024 values, got more$/],
    [
      chainWith({ dataType: "x".repeat(32_769) }),
      /^dataType: expected metadata of at most 32768 characters, got more$/,
    ],
    [bytesWith({ x: nested(13) }), /\[0\]: expected metadata at most 16 levels deep, got more$/],
    [bytesWith({ x: nested(12) }), /^codecs\[0\]\.configuration\.x: unknown member/],
    [chainWith({ shape: new Date(0) }), "shape: expected JSON data, got a Date"],
    [chainWith({ shape: 1n }), "shape: expected JSON data, got 1n"],
  ];
  for (const [metadata, message] of messages) {
    test(String(message), () => {
      assertThrows(() => createCodecChain(metadata), InvalidMetadataError, { message });
    });
  }
});
