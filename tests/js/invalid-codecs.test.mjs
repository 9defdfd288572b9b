// InvalidMetadataError: the codecs of a chain.

import { TEN_MILLION } from "./helpers.mjs";
import { bytesWith, chainWith, codecsWith, little, rejectEach, unknownMember } from "./metadata.mjs";

const cyclic = { name: "bytes" };
cyclic.configuration = cyclic;

const deep = (levels) => (levels === 0 ? "little" : { endian: deep(levels - 1) });

rejectEach({
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
      "with one under both of its names",
      codecsWith(little, { ...little, name: "endian" }),
      "codecs[1]",
      /endian/,
    ],
    ["with a second one at the end", codecsWith(little, "crc32c", little), "codecs[2]", /bytes/],
    ["of nothing but a skipped codec", codecsWith({ name: "x", must_understand: false }), "codecs", "none"],
    [
      "of a hundred thousand codecs",
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
    ["of an invalid name", codecsWith({ name: null }), "codecs[0].name", "null"],
    ["of an unknown name", codecsWith(little, { name: "gzip" }), "codecs[1].name", '"gzip"'],
    ["an unknown short-hand", codecsWith(little, "zstd"), "codecs[1]", '"zstd"'],
    ["of a name in the wrong case", codecsWith({ ...little, name: "Bytes" }), "codecs[0].name", '"Bytes"'],
    ["of a name in Object.prototype", codecsWith(little, "constructor"), "codecs[1]", '"constructor"'],
    ["of a very long name", codecsWith(little, "x".repeat(TEN_MILLION)), "codecs[1]", /.+/],
    [
      "of a name that is truncated in the message",
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
      ["a string", "false", '"false"'],
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
    [
      "of an unknown member",
      codecsWith({ ...little, id: "bytes" }),
      "codecs[0].id",
      unknownMember("name", "configuration", "must_understand"),
    ],
    [
      "of a configuration member outside the configuration",
      codecsWith({ name: "bytes", endian: "little" }),
      "codecs[0].endian",
      unknownMember("name", "configuration", "must_understand"),
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
    [
      "of a misspelt endian",
      bytesWith({ endia: "little" }),
      "codecs[0].configuration.endia",
      unknownMember("endian"),
    ],
    [
      "of a member beside endian",
      bytesWith({ endian: "little", location: "end" }),
      "codecs[0].configuration.location",
      unknownMember("endian"),
    ],
    ["without its endian", bytesWith({}), "codecs[0].configuration.endian", "nothing"],
    ["of an undefined endian", bytesWith({ endian: undefined }), "codecs[0].configuration.endian", "nothing"],
    ["without its configuration", codecsWith({ name: "bytes" }), "codecs[0].configuration.endian", "nothing"],
    ["as a short-hand for multi-byte data", codecsWith("bytes"), "codecs[0].configuration.endian", "nothing"],
    ["of a null configuration", bytesWith(null), "codecs[0].configuration", "null"],
    ["of an array as configuration", bytesWith([]), "codecs[0].configuration", "an empty array"],
    ["of a string as configuration", bytesWith("little"), "codecs[0].configuration", '"little"'],
    ["of a Date as configuration", bytesWith(new Date(0)), "codecs[0].configuration", "a Date"],
    ["of a very deep configuration", bytesWith(deep(1000)), /^codecs\[0\]\.configuration/, /.+/],
    [
      "of an invalid endian, for single bytes",
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
      unknownMember(),
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
      unknownMember("name", "configuration", "must_understand"),
    ],
  ],
});
