// Every mistake that can be made: the error's class, fields and message. After each the package still works.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as api from "zarr-codecs";
import { assertThrows, atOffset, detached, metadataOf, slowCrc, withChecksum } from "./helpers.mjs";

const {
  ChecksumMismatchError,
  ChunkLengthError,
  codecChainForArray,
  Crc32c,
  crc32c,
  createCodecChain,
  InvalidArgumentError,
  InvalidElementError,
  InvalidMetadataError,
} = api;

const little = { name: "bytes", configuration: { endian: "little" } };
const chainOf = (options) => createCodecChain(metadataOf(options));
const literally = (text) => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/** Metadata of two float32, with these members instead. */
const chainWith = (members) => ({ ...metadataOf({ shape: [2] }), ...members });
const codecsWith = (...codecs) => chainWith({ codecs });
const bytesWith = (configuration) => codecsWith({ name: "bytes", configuration });

const cyclic = { name: "bytes" };
cyclic.configuration = cyclic;

const deep = (levels) => (levels === 0 ? "little" : { endian: deep(levels - 1) });

const TEN_MILLION = 10_000_000;
const ONE_MILLION = 1_000_000;

/** What is wrong, the metadata, the path in the error, and what it says it got (a text or a pattern). */
const INVALID_METADATA = {
  "the metadata": [
    ["absent", undefined, "metadata", "undefined"],
    ["null", null, "metadata", "null"],
    ["a number", 1, "metadata", "1"],
    ["a text", "float32", "metadata", '"float32"'],
    ["an array", [], "metadata", "an empty array"],
    ["a function", () => {}, "metadata", "a function"],
    ["a Date", new Date(0), "metadata", "a Date"],
    ["an ArrayBufferView", new Uint8Array(3), "metadata", "Uint8Array of 3"],
    ["empty", {}, "dataType", "nothing"],
    ["of an unknown member", chainWith({ order: "C" }), "order", '"C"'],
    ["of a member that is only in an array's", chainWith({ zarr_format: 3 }), "zarr_format", "3"],
    ["of a misspelt member", { datatype: "int8", shape: [], codecs: ["bytes"] }, "datatype", '"int8"'],
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
    ...["float128", "Float32", "float32 ", "", "<f4", "complex256", "string", "bfloat16"].map((name) => [
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
    ["an object with a name that is none", chainWith({ dataType: { name: 1 } }), "dataType.name", "1"],
    ["an object of an unknown name", chainWith({ dataType: { name: "x" } }), "dataType.name", '"x"'],
    [
      "an object with an unknown member",
      chainWith({ dataType: { name: "float32", endian: "big" } }),
      "dataType.endian",
      '"big"',
    ],
    [
      "an object with a configuration that it has none of",
      chainWith({ dataType: { name: "float32", configuration: { bits: 32 } } }),
      "dataType.configuration.bits",
      "32",
    ],
    [
      "an object with a configuration that is no object",
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
      ["a text", "4", '"4"'],
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
      ["no longer exact", 2 ** 53, "9007199254740992"],
      ["astronomic", 1e300, /^1/],
      ["a text", "4", '"4"'],
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
      "sparse and as long as arrays get",
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

  "the list of codecs": [
    ["absent", chainWith({ codecs: undefined }), "codecs", "nothing"],
    ["null", chainWith({ codecs: null }), "codecs", "null"],
    ["a single codec", chainWith({ codecs: little }), "codecs", "an object"],
    ["a name", chainWith({ codecs: "bytes" }), "codecs", '"bytes"'],
    ["empty", codecsWith(), "codecs", "none"],
    ["without an array-to-bytes codec", codecsWith("crc32c"), "codecs[0]", /crc32c/],
    ["in the wrong order", codecsWith("crc32c", little), "codecs[0]", /crc32c/],
    ["with two array-to-bytes codecs", codecsWith(little, little), "codecs[1]", /bytes/],
    [
      "with one under both its names",
      codecsWith(little, { ...little, name: "endian" }),
      "codecs[1]",
      /endian/,
    ],
    ["with a second one at the end", codecsWith(little, "crc32c", little), "codecs[2]", /bytes/],
    ["of nothing but a skipped codec", codecsWith({ name: "x", must_understand: false }), "codecs", "none"],
    [
      "of a million codecs",
      codecsWith(little, ...Array(100_000).fill("crc32c")),
      /^codecs(\[\d+\])?$/,
      "more",
    ],
    ["that contains itself", codecsWith(cyclic), /^codecs\[0\]\.configuration/, /.+/],
  ],

  "a codec": [
    ["null", codecsWith(null), "codecs[0]", "null"],
    ["a number", codecsWith(1), "codecs[0]", "1"],
    ["an array", codecsWith([little]), "codecs[0]", "an array"],
    ["a function", codecsWith(() => little), "codecs[0]", "a function"],
    ["a symbol", codecsWith(Symbol("bytes")), "codecs[0]", "a symbol"],
    [
      "missing in a sparse list",
      chainWith({ codecs: Object.assign([], { 1: little }) }),
      "codecs[0]",
      "undefined",
    ],
    ["an object without a name", codecsWith({}), "codecs[0].name", "nothing"],
    ["of a name that is none", codecsWith({ name: null }), "codecs[0].name", "null"],
    ["of an unknown name", codecsWith(little, { name: "gzip" }), "codecs[1].name", '"gzip"'],
    ["an unknown short-hand", codecsWith(little, "zstd"), "codecs[1]", '"zstd"'],
    ["of a name in the wrong case", codecsWith({ ...little, name: "Bytes" }), "codecs[0].name", '"Bytes"'],
    ["of a name that objects have", codecsWith(little, "constructor"), "codecs[1]", '"constructor"'],
    ["of a very long name", codecsWith(little, "x".repeat(TEN_MILLION)), "codecs[1]", /.+/],
    [
      "of a name that is cut in the message",
      codecsWith("é".repeat(100)),
      "codecs[0]",
      `"${"é".repeat(64)}..."`,
    ],
    [
      "unknown and to be understood",
      codecsWith(little, { name: "x", must_understand: true }),
      "codecs[1].name",
      '"x"',
    ],
    ...[
      ["a text", "false", '"false"'],
      ["a number", 0, "0"],
      ["null", null, "null"],
      ["an object", {}, "an object"],
    ].flatMap(([what, must_understand, got]) =>
      ["x", "crc32c"].map((name) => [
        `"${name}" whose must_understand is ${what}`,
        codecsWith(little, { name, must_understand }),
        "codecs[1].must_understand",
        got,
      ]),
    ),
    ["of an unknown member", codecsWith({ ...little, id: "bytes" }), "codecs[0].id", '"bytes"'],
    [
      "of a configuration beside it",
      codecsWith({ name: "bytes", endian: "little" }),
      "codecs[0].endian",
      '"little"',
    ],
  ],

  "the bytes codec": [
    ["of another endian", bytesWith({ endian: "middle" }), "codecs[0].configuration.endian", '"middle"'],
    [
      "of an endian in the wrong case",
      bytesWith({ endian: "Little" }),
      "codecs[0].configuration.endian",
      '"Little"',
    ],
    ["of an empty endian", bytesWith({ endian: "" }), "codecs[0].configuration.endian", '""'],
    ["of a null endian", bytesWith({ endian: null }), "codecs[0].configuration.endian", "null"],
    ["of a number as endian", bytesWith({ endian: 1 }), "codecs[0].configuration.endian", "1"],
    ["of true as endian", bytesWith({ endian: true }), "codecs[0].configuration.endian", "true"],
    [
      "of an array as endian",
      bytesWith({ endian: ["little"] }),
      "codecs[0].configuration.endian",
      "an array",
    ],
    ["of an object as endian", bytesWith({ endian: {} }), "codecs[0].configuration.endian", "an object"],
    ["of a very long endian", bytesWith({ endian: "x".repeat(TEN_MILLION) }), /endian$/, /.+/],
    ["of a misspelt endian", bytesWith({ endia: "little" }), "codecs[0].configuration.endia", '"little"'],
    [
      "of a member beside endian",
      bytesWith({ endian: "little", location: "end" }),
      "codecs[0].configuration.location",
      '"end"',
    ],
    ["without its endian", bytesWith({}), "codecs[0].configuration.endian", "nothing"],
    ["of an undefined endian", bytesWith({ endian: undefined }), "codecs[0].configuration.endian", "nothing"],
    ["without its configuration", codecsWith({ name: "bytes" }), "codecs[0].configuration.endian", "nothing"],
    ["as a short-hand for multi-byte data", codecsWith("bytes"), "codecs[0].configuration.endian", "nothing"],
    ["of a null configuration", bytesWith(null), "codecs[0].configuration", "null"],
    ["of an array as configuration", bytesWith([]), "codecs[0].configuration", "an empty array"],
    ["of a text as configuration", bytesWith("little"), "codecs[0].configuration", '"little"'],
    ["of a Date as configuration", bytesWith(new Date(0)), "codecs[0].configuration", "a Date"],
    ["of a very deep configuration", bytesWith(deep(1000)), /^codecs\[0\]\.configuration/, /.+/],
    [
      "of another endian, though single bytes have none",
      { ...bytesWith({ endian: "middle" }), dataType: "uint8" },
      "codecs[0].configuration.endian",
      '"middle"',
    ],
  ],

  "the endian codec": ["uint8", "float32"].flatMap((dataType) => [
    [
      `without a configuration, for ${dataType}`,
      { ...codecsWith({ name: "endian" }), dataType },
      "codecs[0].configuration.endian",
      "nothing",
    ],
    [
      `without its endian, for ${dataType}`,
      { ...codecsWith({ name: "endian", configuration: {} }), dataType },
      "codecs[0].configuration.endian",
      "nothing",
    ],
    [
      `as a short-hand, for ${dataType}`,
      { ...codecsWith("endian"), dataType },
      "codecs[0].configuration.endian",
      "nothing",
    ],
  ]),

  "the crc32c codec": [
    [
      "of a location",
      codecsWith(little, { name: "crc32c", configuration: { location: "start" } }),
      "codecs[1].configuration.location",
      '"start"',
    ],
    [
      "of a null configuration",
      codecsWith(little, { name: "crc32c", configuration: null }),
      "codecs[1].configuration",
      "null",
    ],
    [
      "of an array as configuration",
      codecsWith(little, { name: "crc32c", configuration: [] }),
      "codecs[1].configuration",
      "an empty array",
    ],
    [
      "of an unknown member",
      codecsWith(little, { name: "crc32c", location: "end" }),
      "codecs[1].location",
      '"end"',
    ],
  ],
};

function assertInvalid(use, path, got) {
  const { path: actual, message } = assertThrows(use, InvalidMetadataError);
  if (path instanceof RegExp) assert.match(actual, path);
  else assert.equal(actual, path);
  const [start, end] = message.split(", got ");
  assert.ok(start.startsWith(`${actual}: expected `), message);
  if (got instanceof RegExp) assert.match(end, got);
  else assert.equal(end, got, message);
}

for (const [subject, cases] of Object.entries(INVALID_METADATA)) {
  describe(`refuses ${subject}`, () => {
    for (const [what, metadata, path, got] of cases) {
      test(what, () => {
        const uses = [
          () => createCodecChain(metadata),
          () => api.decode(new Uint8Array(4), metadata),
          () => api.encode(new Uint8Array(4), metadata),
        ];
        for (const use of uses) {
          assertInvalid(use, path, got);
        }
      });
    }
  });
}

test("metadata without a fault is no error", () => {
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
  for (const metadata of fine) assert.ok(createCodecChain(metadata) instanceof api.CodecChain);
});

describe("says what is expected", () => {
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
    [chainWith({ shape: [2, -1] }), /^shape\[1\]: expected a non-negative integer, got -1$/],
    [chainWith({ shape: [65536, 65536] }), /got 65536 x 65536 elements x 4 bytes$/],
  ];
  for (const [metadata, message] of messages) {
    test(String(message), () => {
      assertThrows(() => createCodecChain(metadata), InvalidMetadataError, { message });
    });
  }
});

describe("refuses the metadata of an array", () => {
  const array = {
    zarr_format: 3,
    node_type: "array",
    shape: [10],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [little],
    attributes: {},
  };
  const arrayWith = (members) => ({ ...array, ...members });
  const gridWith = (chunk_shape) =>
    arrayWith({ chunk_grid: { name: "regular", configuration: { chunk_shape } } });
  const cases = [
    ["that is absent", undefined, "metadata", "undefined"],
    ["that is null", null, "metadata", "null"],
    ["that is a text, not parsed", JSON.stringify(array), "metadata", /.+/],
    ["that is an array", [array], "metadata", "an array"],
    ["that is a group's", { zarr_format: 3, node_type: "group" }, "node_type", '"group"'],
    ["that is Zarr v2's", { zarr_format: 2, chunks: [2], dtype: "<f4" }, "zarr_format", "2"],
    ["whose zarr_format is a text", arrayWith({ zarr_format: "3" }), "zarr_format", '"3"'],
    ["without data type", arrayWith({ data_type: undefined }), "data_type", "nothing"],
    ["of an unknown data type", arrayWith({ data_type: "float8" }), "data_type", '"float8"'],
    ["without a chunk grid", arrayWith({ chunk_grid: undefined }), /^chunk_grid/, "nothing"],
    ["of a null chunk grid", arrayWith({ chunk_grid: null }), /^chunk_grid/, /.+/],
    [
      "of an irregular grid",
      arrayWith({ chunk_grid: { name: "rectilinear" } }),
      "chunk_grid.name",
      '"rectilinear"',
    ],
    [
      "of a grid without configuration",
      arrayWith({ chunk_grid: { name: "regular" } }),
      /^chunk_grid\.configuration/,
      "nothing",
    ],
    ["of a chunk shape that is none", gridWith(2), "chunk_grid.configuration.chunk_shape", "2"],
    ["of a negative chunk shape", gridWith([-2]), "chunk_grid.configuration.chunk_shape[0]", "-2"],
    ["of a chunk too long", gridWith([2 ** 31]), "chunk_grid.configuration.chunk_shape", /x 4 bytes/],
    ["without codecs", arrayWith({ codecs: undefined }), "codecs", "nothing"],
    ["of no codecs", arrayWith({ codecs: [] }), "codecs", "none"],
    ["of an unknown codec", arrayWith({ codecs: [little, { name: "gzip" }] }), "codecs[1].name", '"gzip"'],
  ];
  for (const [what, metadata, path, got] of cases) {
    test(what, () => {
      assertInvalid(() => codecChainForArray(metadata), path, got);
    });
  }

  test("but only for what concerns the codecs", () => {
    const attributes = { list: Array(ONE_MILLION).fill(0), text: "x".repeat(TEN_MILLION), nothing: 1n };
    const hostile = {
      get attributes() {
        throw new Error("not to be read");
      },
    };
    for (const others of [
      { attributes },
      { fill_value: Number.NaN, consolidated_metadata: null },
      { future: {} },
    ]) {
      assert.deepEqual(codecChainForArray(arrayWith(others)).shape, [2]);
    }
    const { attributes: _, ...bare } = array;
    assert.deepEqual(codecChainForArray(Object.assign(hostile, bare)).shape, [2]);
  });
});

describe("refuses a chunk of another length", () => {
  test("saying where the expected one comes from", () => {
    const message = "encoded chunk is 4095 bytes, expected 4100 (64 x 16 elements x 4 bytes + 4 checksum)";
    const chain = chainOf({ shape: [64, 16], checksums: 1 });
    const fields = { expected: 4100, actual: 4095, message };
    assertThrows(() => chain.decode(new Uint8Array(4095)), ChunkLengthError, fields);
  });

  const ARITHMETIC = [
    [{ shape: [] }, "1 element x 4 bytes"],
    [{ shape: [3] }, "3 elements x 4 bytes"],
    [{ shape: [3], checksums: 2 }, "3 elements x 4 bytes + 2 x 4 checksums"],
    [{ shape: [2, 3], dataType: "uint8" }, "2 x 3 elements x 1 byte"],
    [{ shape: [2], dataType: "complex128" }, "2 elements x 16 bytes"],
    [{ shape: [2, 0] }, "2 x 0 elements x 4 bytes"],
  ];
  for (const [metadata, arithmetic] of ARITHMETIC) {
    test(`${arithmetic}, in both directions`, () => {
      const chain = chainOf(metadata);
      const { encodedByteLength, decodedByteLength } = chain;
      for (const actual of new Set([
        0,
        1,
        2,
        3,
        4,
        5,
        7,
        8,
        63,
        1000,
        encodedByteLength - 1,
        encodedByteLength + 1,
      ])) {
        if (actual === encodedByteLength || actual < 0) continue;
        assertThrows(() => chain.decode(new Uint8Array(actual)), ChunkLengthError, {
          expected: encodedByteLength,
          actual,
          message: `encoded chunk is ${actual} bytes, expected ${encodedByteLength} (${arithmetic})`,
        });
      }
      const ArrayType = chain.decode(chain.encode(arrayOf(chain))).data.constructor;
      const tooLong = new ArrayType(decodedByteLength / ArrayType.BYTES_PER_ELEMENT + 1);
      for (const chunk of [tooLong, { data: tooLong, shape: chain.shape }]) {
        assertThrows(() => chain.encode(chunk), ChunkLengthError, {
          expected: decodedByteLength,
          actual: tooLong.byteLength,
          message: `decoded chunk is ${tooLong.byteLength} bytes, expected ${decodedByteLength} (${arithmetic.replace(/ \+.*/, "")})`,
        });
      }
    });
  }

  const arrayOf = ({ dataType, decodedByteLength }) => {
    const ArrayType = { uint8: Uint8Array, complex128: Float64Array }[dataType] ?? Float32Array;
    return new ArrayType(decodedByteLength / ArrayType.BYTES_PER_ELEMENT);
  };

  test("before it looks at checksums or elements", () => {
    for (const [dataType, endian] of [
      ["bool", undefined],
      ["float32", "little"],
    ]) {
      const chain = chainOf({ dataType, endian, shape: [9], checksums: 1 });
      for (const verify of [true, false]) {
        for (const actual of [0, 1, 2, 3]) {
          const encoded = new Uint8Array(actual).fill(7);
          const fields = { expected: chain.encodedByteLength, actual };
          assertThrows(() => chain.decode(encoded, { verify }), ChunkLengthError, fields);
        }
      }
    }
  });

  test("up to the longest that there can be", () => {
    const chain = chainOf({ dataType: "uint8", shape: [2 ** 32 - 1] });
    const fields = { expected: 2 ** 32 - 1, actual: 1 };
    assertThrows(() => chain.decode(new Uint8Array(1)), ChunkLengthError, fields);
    assertThrows(() => chain.encode(new Uint8Array(1)), ChunkLengthError, fields);
  });
});

describe("refuses a wrong checksum", () => {
  const hex = (word) => `0x${word.toString(16).padStart(8, "0")}`;

  test("giving both numbers, also with leading zeros", () => {
    for (const length of [0, 1, 4096, 65536, 65537, 200_000]) {
      const bytes = new Uint8Array(length).map((_, i) => i * 7);
      const chain = chainOf({ dataType: "uint8", shape: [length], checksums: 1 });
      const computed = slowCrc(bytes);
      for (const stored of [0x0000000f, 0x1a2b3c4d, 0xffffff0f]) {
        assertThrows(() => chain.decode(withChecksum(bytes, stored)), ChecksumMismatchError, {
          stored,
          computed,
          byteLength: length,
          diagnosis: undefined,
          message: `crc32c: stored ${hex(stored)}, computed ${hex(computed)} over ${length} bytes`,
        });
      }
    }
  });

  test("of the last codec first, of an inner one when the outer is right", () => {
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

  test("before it looks at elements: a damaged chunk is damaged", () => {
    const chain = chainOf({ dataType: "bool", endian: undefined, shape: [3], checksums: 1 });
    assertThrows(() => chain.decode(withChecksum([0, 2, 1], 0)), ChecksumMismatchError);
    assertThrows(() => chain.decode(withChecksum([0, 2, 1])), InvalidElementError, { index: 1, value: 2 });
  });
});

describe("refuses bool elements other than 0 and 1", () => {
  const LENGTH = 140_000;
  const chainOfBool = (checksums, options) =>
    createCodecChain(
      metadataOf({ dataType: "bool", endian: undefined, shape: [LENGTH], checksums }),
      options,
    );

  for (const index of [0, 17, 65_535, 65_536, 131_072, LENGTH - 1]) {
    test(`element ${index}, in both directions`, () => {
      for (const value of [2, 128, 255]) {
        const data = new Uint8Array(LENGTH);
        data[index] = value;
        if (index + 1 < LENGTH) data[index + 1] = 77; // the first is reported
        const message = `bool element ${index} is ${value}, expected 0 or 1`;
        const expected = { index, value, message };
        for (const options of [undefined, { copy: true }, { inPlace: true }, { verify: false }]) {
          assertThrows(() => chainOfBool(0).decode(data, options), InvalidElementError, expected);
        }
        const damaged = withChecksum(data, 0);
        assertThrows(() => chainOfBool(1).decode(damaged, { verify: false }), InvalidElementError, expected);
        assertThrows(() => chainOfBool(1).encode(data), InvalidElementError, expected);
        const encoded = chainOfBool(0, { invalidBool: "true" }).encode(data);
        assert.equal(encoded[index], 1);
      }
    });
  }
});

/** What is no buffer, and how messages name it. */
const NO_BUFFERS = [
  [null, "null"],
  [undefined, "undefined"],
  [0, "0"],
  [16, "16"],
  [Number.NaN, "NaN"],
  [1n, "1n"],
  [true, "true"],
  ["bytes", '"bytes"'],
  [Symbol("bytes"), "a symbol"],
  [[], "an array"],
  [[1, 2, 3, 4], "an array"],
  [{}, "an object"],
  [{ byteLength: 16 }, "an object"],
  [() => {}, "a function"],
  [Uint8Array, "a function"],
  [new Map(), "a Map"],
  [new Date(0), "a Date"],
  [Promise.resolve(new Uint8Array(16)), "a Promise"],
  [new Blob([]), "a Blob"],
  [{ [Symbol.toStringTag]: "ArrayBuffer", byteLength: 16 }, /.+/],
];

describe("refuses what is no buffer", () => {
  const chain = chainOf();
  for (const [value, got] of NO_BUFFERS) {
    const name = got instanceof RegExp ? "an object that says it is one" : got;
    test(name, () => {
      const end = got instanceof RegExp ? got.source : literally(got);
      const takers = {
        encoded: () => chain.decode(value),
        bytes: () => crc32c(value),
        chunk: () => chain.encode(value),
      };
      for (const [argument, take] of Object.entries(takers)) {
        const message = new RegExp(`^${argument}: expected .+, got ${end}$`);
        assertThrows(take, InvalidArgumentError, { argument, message });
      }
      assertThrows(() => new Crc32c().update(value), InvalidArgumentError, { argument: "bytes" });
      if (value !== undefined) {
        assertThrows(() => chain.encode({ data: value }), InvalidArgumentError, { argument: "chunk.data" });
        for (const use of [
          () => chain.decode(new Uint8Array(16), { out: value }),
          () => chain.encode(new Float32Array(4), { out: value }),
        ]) {
          const message = new RegExp(`^out: expected .+, got ${end}`);
          assertThrows(use, InvalidArgumentError, { argument: "out", message });
        }
      }
    });
  }

  for (const [what, make] of [
    ["an ArrayBuffer", () => new ArrayBuffer(16)],
    ["a Uint8Array", () => new Uint8Array(16)],
    ["a Float32Array", () => new Float32Array(4)],
    ["a DataView", () => new DataView(new ArrayBuffer(16))],
  ]) {
    test(`${what} whose memory was given away`, () => {
      const takers = {
        encoded: () => chain.decode(detached(make())),
        bytes: () => crc32c(detached(make())),
      };
      for (const [argument, take] of Object.entries(takers)) {
        assertThrows(take, InvalidArgumentError, { argument, message: /detached/ });
      }
      assertThrows(() => new Crc32c().update(detached(make())), InvalidArgumentError, {
        message: /detached/,
      });
    });
  }

  test("an array to encode whose memory was given away", () => {
    assertThrows(() => chain.encode(detached(new Float32Array(4))), InvalidArgumentError, {
      argument: "chunk",
    });
    const ofBytes = chainOf({ dataType: "uint8", shape: [16] });
    assertThrows(() => ofBytes.encode(detached(new Uint8Array(16))), InvalidArgumentError, {
      argument: "chunk",
    });
  });
});

describe("refuses an array to encode", () => {
  const chain = chainOf({ shape: [2, 2] });
  const data = new Float32Array(4);
  const WRONG = [
    ["of another type", new Float64Array(4), "chunk", "Float64Array of 4"],
    ["of bytes", new Uint8Array(16), "chunk", "Uint8Array of 16"],
    ["that is an ArrayBuffer", new ArrayBuffer(16), "chunk", "an ArrayBuffer"],
    ["that is a DataView", new DataView(new ArrayBuffer(16)), "chunk", "a DataView"],
    ["of another type in a chunk", { data: new Int32Array(4) }, "chunk.data", "Int32Array of 4"],
    ["with another shape", { data, shape: [4] }, "chunk.shape", "[4]"],
    ["with the shape turned round", { data, shape: [2, 3] }, "chunk.shape", "[2, 3]"],
    ["with a shape that is none", { data, shape: "2,2" }, "chunk.shape", '"2,2"'],
    ["with a shape of texts", { data, shape: ["2", "2"] }, "chunk.shape", '["2", "2"]'],
    ["in Fortran order", { data, shape: [2, 2], stride: [1, 2] }, "chunk.stride", "[1, 2]"],
    ["with a stride that is none", { data, stride: 2 }, "chunk.stride", "2"],
  ];
  for (const [what, chunk, argument, got] of WRONG) {
    test(what, () => {
      const message = new RegExp(`^${literally(argument)}: expected .+, got ${literally(got)}$`);
      assertThrows(() => chain.encode(chunk), InvalidArgumentError, { argument, message });
    });
  }
});

describe("refuses an array to write to", () => {
  const chain = chainOf({ shape: [64, 64] });
  const encoded = new Uint8Array(4 * 4096);
  const decoded = new Float32Array(4096);

  test("saying which it should be", () => {
    const message = "out: expected Float32Array of 4096 elements, got Float64Array of 4096";
    const argument = "out";
    const decode = (out) => () => chain.decode(encoded, { out });
    assertThrows(decode(new Float64Array(4096)), InvalidArgumentError, { argument, message });
    const got = (text) => ({ argument, message: `out: expected Float32Array of 4096 elements, got ${text}` });
    assertThrows(decode(new Float32Array(4095)), InvalidArgumentError, got("Float32Array of 4095"));
    assertThrows(decode(new Float32Array(4097)), InvalidArgumentError, got("Float32Array of 4097"));
    assertThrows(decode(new Uint8Array(4 * 4096)), InvalidArgumentError, got("Uint8Array of 16384"));
    assertThrows(decode(new ArrayBuffer(4 * 4096)), InvalidArgumentError, got("an ArrayBuffer"));
    assertThrows(decode(null), InvalidArgumentError, got("null"));
    const given = { argument, message: "out: expected bytes, got a detached ArrayBuffer" };
    assertThrows(decode(detached(new Float32Array(4096))), InvalidArgumentError, given);
    const empty = chainOf({ shape: [0] });
    const out = detached(new Float32Array(0));
    assertThrows(() => empty.decode(new Uint8Array(0), { out }), InvalidArgumentError, given);
    const lying = Object.defineProperty(new Uint8Array(4), "length", { get: () => assert.fail("asked") });
    assertThrows(decode(lying), InvalidArgumentError, got("Uint8Array of 4"));
  });

  test("of another type or length when encoding", () => {
    for (const out of [new Uint8Array(16383), new Uint8Array(16385), new Float32Array(4096), null]) {
      const expected = { argument: "out", message: /^out: expected Uint8Array of 16384 elements, got / };
      assertThrows(() => chain.encode(decoded, { out }), InvalidArgumentError, expected);
    }
  });

  test("that overlaps what it is made from", () => {
    const small = chainOf({ shape: [2] });
    const overlapping = { argument: "out", message: /^out: expected .+, got overlapping memory$/ };
    for (const offset of [0, 4, 8, 12]) {
      const buffer = new ArrayBuffer(24);
      const bytes = new Uint8Array(buffer, 8, 8);
      const out = new Float32Array(buffer, offset, 2);
      if (offset === 0) {
        assert.equal(small.decode(bytes, { out }).data, out);
        assert.equal(small.encode(out, { out: bytes }), bytes);
        continue;
      }
      assertThrows(() => small.decode(bytes, { out }), InvalidArgumentError, overlapping);
      assertThrows(() => small.encode(out, { out: bytes }), InvalidArgumentError, overlapping);
    }
  });
});

describe("refuses options", () => {
  const chain = chainOf();
  const encoded = new Uint8Array(16);
  const decoded = new Float32Array(4);
  const metadata = metadataOf();
  const uses = {
    createCodecChain: (options) => createCodecChain(metadata, options),
    codecChainForArray: (options) =>
      codecChainForArray(
        { data_type: "int8", chunk_grid: { configuration: { chunk_shape: [] } }, codecs: ["bytes"] },
        options,
      ),
    "chain.decode": (options) => chain.decode(encoded, options),
    "chain.encode": (options) => chain.encode(decoded, options),
    decode: (options) => api.decode(encoded, metadata, options),
    encode: (options) => api.encode(decoded, metadata, options),
  };

  for (const [name, use] of Object.entries(uses)) {
    test(`of ${name} that are no object`, () => {
      for (const [options, got] of [
        [null, "null"],
        [1, "1"],
        ["verify", '"verify"'],
        [true, "true"],
        [1n, "1n"],
        [() => {}, "a function"],
        [Symbol("x"), "a symbol"],
      ]) {
        const message = `options: expected an object, got ${got}`;
        assertThrows(() => use(options), InvalidArgumentError, { argument: "options", message });
      }
    });

    test(`of ${name} that are unknown`, () => {
      for (const option of ["verfy", "Verify", "toString", "constructor", "__proto__", "", "0"]) {
        const options = Object.fromEntries([[option, true]]);
        const argument = `options.${option}`;
        assertThrows(() => use(options), InvalidArgumentError, { argument });
      }
      assertThrows(() => use({ ["x".repeat(TEN_MILLION)]: 1 }), InvalidArgumentError);
    });
  }

  const VALUES = {
    verify: ["createCodecChain", "codecChainForArray", "chain.decode", "decode", "encode"],
    missingEndian: ["createCodecChain", "codecChainForArray", "decode", "encode"],
    invalidBool: ["createCodecChain", "codecChainForArray", "decode", "encode"],
    float16: ["createCodecChain", "codecChainForArray", "decode", "encode"],
    copy: ["chain.decode", "decode"],
    inPlace: ["chain.decode", "decode"],
  };
  for (const [option, takers] of Object.entries(VALUES)) {
    test(`whose ${option} has another value`, () => {
      for (const name of takers) {
        for (const value of [
          null,
          0,
          1,
          "yes",
          "Little",
          "",
          {},
          [],
          Number.NaN,
          1n,
          () => {},
          Symbol("x"),
        ]) {
          const argument = `options.${option}`;
          const message = /^options\.\w+: expected .+, got .+$/;
          assertThrows(() => uses[name]({ [option]: value }), InvalidArgumentError, { argument, message });
        }
        assert.doesNotThrow(() => uses[name]({ [option]: undefined }));
      }
    });

    test(`whose ${option} is not for this call`, () => {
      for (const name of Object.keys(uses)) {
        if (takers.includes(name)) continue;
        const argument = `options.${option}`;
        assertThrows(() => uses[name]({ [option]: true }), InvalidArgumentError, { argument });
      }
    });
  }

  test("whose inPlace stands beside another place", () => {
    for (const other of [{ out: decoded }, { copy: true }]) {
      const expected = { argument: "options.inPlace" };
      assertThrows(() => chain.decode(encoded, { inPlace: true, ...other }), InvalidArgumentError, expected);
    }
  });
});

test("errors of another copy of the package are recognised", async () => {
  const url = new URL("errors.js?another", import.meta.resolve("zarr-codecs/register"));
  const another = await import(url);
  const error = new another.InvalidArgumentError("out", "this", "that");
  assert.ok(!(error instanceof api.ZarrCodecError));
  assert.ok(api.isZarrCodecError(error));
  for (const other of [new Error("x"), { code: "invalid_argument" }, "x", null, undefined, 1]) {
    assert.equal(api.isZarrCodecError(other), false);
  }
});

test("a view at any offset is measured by itself, not by its buffer", () => {
  const chain = chainOf({ shape: [2] });
  const view = atOffset(new Uint8Array(7), 1);
  assertThrows(() => chain.decode(view), ChunkLengthError, { actual: 7 });
});
