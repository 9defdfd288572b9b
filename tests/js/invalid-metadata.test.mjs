// InvalidMetadataError: the metadata of a chain, except its codecs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodecChain, createCodecChain, InvalidMetadataError } from "zarr-codecs";
import { assertThrows, ONE_MILLION, TEN_MILLION } from "./helpers.mjs";
import { bytesWith, chainWith, codecsWith, little, rejectEach, unknownMember } from "./metadata.mjs";

rejectEach({
  "the metadata": [
    ["absent", undefined, "metadata", "undefined"],
    ["null", null, "metadata", "null"],
    ["a number", 1, "metadata", "1"],
    ["a string", "float32", "metadata", '"float32"'],
    ["an array", [], "metadata", "an empty array"],
    ["a function", () => {}, "metadata", "a function"],
    ["a Date", new Date(0), "metadata", "a Date"],
    ["an ArrayBufferView", new Uint8Array(3), "metadata", "Uint8Array of 3"],
    ["empty", {}, "dataType", "nothing"],
    [
      "of an unknown member",
      chainWith({ order: "C" }),
      "order",
      unknownMember("dataType", "shape", "codecs", "fillValue"),
    ],
    [
      "of a member of an array's metadata",
      chainWith({ zarr_format: 3 }),
      "zarr_format",
      unknownMember("dataType", "shape", "codecs", "fillValue"),
    ],
    [
      "of a misspelt member",
      { datatype: "int8", shape: [], codecs: ["bytes"] },
      "datatype",
      unknownMember("dataType", "shape", "codecs", "fillValue"),
    ],
    [
      "of a million members",
      Object.fromEntries(Array.from({ length: ONE_MILLION }, (_, i) => [`m${i}`, 0])),
      /^(metadata|m\d+)$/,
      "more",
    ],
    ["of a member whose name is very long", { ["x".repeat(TEN_MILLION)]: 1 }, /^.{1,200}$/, /.+/],
  ],

  "the data type": [
    ["absent", chainWith({ dataType: undefined }), "dataType", "nothing"],
    ["null", chainWith({ dataType: null }), "dataType", "null"],
    ["a number", chainWith({ dataType: 32 }), "dataType", "32"],
    ["an array", chainWith({ dataType: ["float32"] }), "dataType", "an array"],
    ...["float128", "Float32", "float32 ", "", "<f4", "complex256", "string", "bfloat17"].map((name) => [
      `"${name}"`,
      chainWith({ dataType: name }),
      "dataType",
      `"${name}"`,
    ]),
    ...["r", "r0", "r4", "r08", "R8", "r8.0", "r+8", "r-8", "r8 ", "r1e1", "r0x8", "raw8"].map((name) => [
      `"${name}"`,
      chainWith({ dataType: name }),
      "dataType",
      `"${name}"`,
    ]),
    [
      "of a huge size",
      chainWith({ dataType: "r99999999999999999999" }),
      "dataType",
      '"r99999999999999999999"',
    ],
    ["of a very long name", chainWith({ dataType: "x".repeat(TEN_MILLION) }), "dataType", /.+/],
    ["an object without a name", chainWith({ dataType: {} }), "dataType.name", "nothing"],
    ["an object with an invalid name", chainWith({ dataType: { name: 1 } }), "dataType.name", "1"],
    ["an object of an unknown name", chainWith({ dataType: { name: "x" } }), "dataType.name", '"x"'],
    [
      "an object with an unknown member",
      chainWith({ dataType: { name: "float32", endian: "big" } }),
      "dataType.endian",
      unknownMember("name", "configuration", "must_understand"),
    ],
    [
      "an object with a configuration, for a type without one",
      chainWith({ dataType: { name: "float32", configuration: { bits: 32 } } }),
      "dataType.configuration.bits",
      unknownMember(),
    ],
    [
      "an object with a configuration that is not an object",
      chainWith({ dataType: { name: "float32", configuration: null } }),
      "dataType.configuration",
      "null",
    ],
    ["a symbol", chainWith({ dataType: Symbol("float32") }), "dataType", "a symbol"],
  ],

  "the shape": [
    ["absent", chainWith({ shape: undefined }), "shape", "nothing"],
    ...[
      ["null", null, "null"],
      ["a number", 4, "4"],
      ["a string", "4", '"4"'],
      ["true", true, "true"],
      ["an object", {}, "an object"],
      ["like an array", { length: 1, 0: 4 }, "an object"],
      ["a typed array", Uint32Array.of(4), "Uint32Array of 1"],
    ].map(([what, shape, got]) => [what, chainWith({ shape }), "shape", got]),
    ...[
      ["negative", -1, "-1"],
      ["fractional", 1.5, "1.5"],
      ["NaN", Number.NaN, "NaN"],
      ["infinite", Number.POSITIVE_INFINITY, "Infinity"],
      ["negative infinite", Number.NEGATIVE_INFINITY, "-Infinity"],
      ["above the safe integers", 2 ** 53, "9007199254740992"],
      ["astronomic", 1e300, /^1/],
      ["a string", "4", '"4"'],
      ["null", null, "null"],
      ["true", true, "true"],
      ["undefined", undefined, "undefined"],
      ["a BigInt", 4n, "4n"],
      ["an array", [4], "an array"],
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
    ...[[2 ** 30], [2 ** 53 - 1], [65536, 65536], [2 ** 53 - 1, 2 ** 53 - 1], Array(400).fill(10)].map(
      (shape) => [
        `of a chunk longer than an ArrayBuffer can be: ${shape.length} x ${shape[0]}`,
        chainWith({ shape }),
        "shape",
        /x 4 bytes/,
      ],
    ),
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
    [bytesWith({}), /"little" or "big".*float32.*, got nothing$/],
    [codecsWith({ name: "endian" }), /"little" or "big".*, got nothing$/],
    [codecsWith(little, "gzip"), /"bytes".*"crc32c".*, got "gzip"$/],
    [codecsWith(little, { name: "x", must_understand: 0 }), /expected true or false, got 0$/],
    [codecsWith("crc32c", little), /array-to-bytes.*first|first.*array-to-bytes/],
    [codecsWith(little, little), /exactly one array-to-bytes codec/],
    [codecsWith(), /exactly one array-to-bytes codec/],
    [chainWith({ dataType: "r4" }), /float32.*multiple of 8.*, got "r4"$/],
    [chainWith({ shape: [2, -1] }), /^shape\[1\]: expected a positive integer, got -1$/],
    [chainWith({ shape: Array(1024).fill(1) }), /: expected metadata of at most 1024 values, got more$/],
    [
      chainWith({ dataType: "x".repeat(32_769) }),
      /^dataType: expected metadata of at most 32768 characters, got more$/,
    ],
    [bytesWith({ x: nested(13) }), /\[0\]: expected metadata at most 16 levels deep, got more$/],
    [bytesWith({ x: nested(12) }), /^codecs\[0\]\.configuration\.x: unknown member/],
    [chainWith({ shape: new Date(0) }), "shape: expected JSON data, got a Date"],
    [chainWith({ shape: 1n }), "shape: expected JSON data, got 1n"],
    [chainWith({ shape: [65536, 65536] }), /got 65536 x 65536 elements x 4 bytes$/],
  ];
  for (const [metadata, message] of messages) {
    test(String(message), () => {
      assertThrows(() => createCodecChain(metadata), InvalidMetadataError, { message });
    });
  }
});
