// InvalidMetadataError: the codecs of a chain, where they are not what JSON can say: that is tested in tests/rust/metadata.rs.

import { TEN_MILLION } from "./helpers.mjs";
import { bytesWith, chainWith, codecsWith, little, rejectEach } from "./metadata.mjs";

const cyclic = { name: "bytes" };
cyclic.configuration = cyclic;

const deep = (levels) => (levels === 0 ? "little" : { endian: deep(levels - 1) });

rejectEach({
  "the list of codecs": [
    ["absent", chainWith({ codecs: undefined }), "codecs", "nothing"],
    [
      "of a hundred thousand codecs",
      codecsWith(little, ...Array(100_000).fill("crc32c")),
      /^codecs(\[\d+\])?$/,
      "more",
    ],
    ["that contains itself", codecsWith(cyclic), /^codecs\[0\]\.configuration/, /.+/],
  ],

  "a codec": [
    ["a function", codecsWith(() => little), "codecs[0]", "a function"],
    ["a symbol", codecsWith(Symbol("bytes")), "codecs[0]", "a symbol"],
    [
      "missing in a sparse list",
      chainWith({ codecs: Object.assign([], { 1: little }) }),
      "codecs[0]",
      "undefined",
    ],
    ["of a name in Object.prototype", codecsWith(little, "constructor"), "codecs[1]", '"constructor"'],
    ["of a very long name", codecsWith(little, "x".repeat(TEN_MILLION)), "codecs[1]", /.+/],
    [
      "of a name that is truncated in the message",
      codecsWith("é".repeat(100)),
      "codecs[0]",
      `"${"é".repeat(64)}..."`,
    ],
  ],

  "the bytes codec": [
    ["of a very long endian", bytesWith({ endian: "x".repeat(TEN_MILLION) }), /endian$/, /.+/],
    ["of an undefined endian", bytesWith({ endian: undefined }), "codecs[0].configuration.endian", "nothing"],
    ["of a Date as configuration", bytesWith(new Date(0)), "codecs[0].configuration", "a Date"],
    ["of a very deep configuration", bytesWith(deep(1000)), /^codecs\[0\]\.configuration/, /.+/],
  ],
});
