// Chains with codecs of others that break a rule, and arguments that are nearly right.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as zlib from "node:zlib";
import {
  ChunkLengthError,
  ExternalCodecError,
  InvalidArgumentError,
  InvalidMetadataError,
  loadCodecChain,
} from "zarr-codecs";
import { registry } from "zarrita";
import { DEFLATE } from "./chains.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const TRANSPOSE = { name: "transpose", configuration: { order: [1, 0] } };
const metadata = (...codecs) => ({ dataType: "uint16", shape: [2], codecs });
const bytes = (...values) => Uint8Array.of(...values);

/** A registry with one codec. */
const codecs = (codec, name = "other") => new Map([[name, () => ({ fromConfig: () => codec })]]);

/** An array-to-array codec that changes nothing, except by the given methods. */
const same = (methods) => ({
  kind: "array_to_array",
  encode: (chunk) => chunk,
  decode: (chunk) => chunk,
  ...methods,
});

describe("memory of codecs of others", () => {
  /** A codec with one buffer for all that it returns. */
  const memory = new Uint8Array(100);
  const reusing = (source) => {
    memory.set(source);
    return memory.subarray(0, source.length);
  };

  test("may be written again by their next call", async () => {
    const chain = await loadCodecChain(metadata(LITTLE, "other"), {
      codecs: codecs({ encode: reusing, decode: reusing }),
    });
    const chunks = await Promise.all([chain.decode(bytes(1, 0, 2, 0)), chain.decode(bytes(3, 0, 4, 0))]);
    assert.deepEqual(
      chunks.map(({ data }) => [...data]),
      [
        [1, 2],
        [3, 4],
      ],
    );
    const encoded = await Promise.all(
      [Uint16Array.of(1, 2), Uint16Array.of(3, 4)].map((a) => chain.encode(a)),
    );
    assert.deepEqual(encoded, [bytes(1, 0, 2, 0), bytes(3, 0, 4, 0)]);
  });

  for (const name of ["gzip", "zstd"]) {
    test(`may be given away with the chunk before ${name} fails`, async () => {
      const decode = async ({ buffer }) => {
        structuredClone(buffer, { transfer: [buffer] });
        throw new Error("the worker ended");
      };
      const sound = await loadCodecChain(metadata(LITTLE, name), { codecs: registry });
      const encoded = await sound.encode(Uint16Array.of(1, 2));
      const chain = await loadCodecChain(metadata(LITTLE, name), { codecs: codecs({ decode }, name) });
      await assert.rejects(chain.decode(new Uint8Array(encoded)), {
        constructor: ExternalCodecError,
        message: `codecs[1]: ${name}: could not decode the chunk: the worker ended`,
      });
    });
  }
});

describe("codecs that only decode", () => {
  for (const name of DEFLATE) {
    test(`are replaced by the host's ${name} for encoding`, async () => {
      const codec = { name, configuration: { level: 9 } };
      const chain = await loadCodecChain(metadata(LITTLE, codec), { codecs: registry });
      const encoded = await chain.encode(Uint16Array.of(1, 2));
      assert.deepEqual([...zlib.unzipSync(encoded)], [1, 0, 2, 0]);
      assert.deepEqual((await chain.decode(encoded)).data, Uint16Array.of(1, 2));
    });
  }

  test("which takes the level", async () => {
    const data = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) >> 5);
    for (const [name, encode] of [
      ["gzip", zlib.gzipSync],
      ["zlib", zlib.deflateSync],
    ]) {
      const lengths = new Set();
      for (const level of [0, 1, 9]) {
        const codecs = ["bytes", { name, configuration: { level } }];
        const chain = await loadCodecChain({ dataType: "uint8", shape: [5000], codecs });
        const encoded = await chain.encode(data);
        assert.deepEqual(encoded, new Uint8Array(encode(data, { level })), `${name}, ${level}`);
        lengths.add(encoded.length);
      }
      assert.equal(lengths.size, 3);
    }
  });
});

describe("bytes after the data", () => {
  const stream = zlib.deflateSync(bytes(1, 0, 2, 0));
  for (const [what, rest] of [
    ["another stream", stream],
    ["its checksum again", stream.subarray(-4)],
  ]) {
    test(`zlib: ${what}`, async () => {
      const chain = await loadCodecChain(metadata(LITTLE, "zlib"));
      await assert.rejects(chain.decode(Buffer.concat([stream, rest])), {
        constructor: ExternalCodecError,
        message: `codecs[1]: zlib: trailing bytes at byte ${stream.length}`,
      });
    });
  }

  test("zstd: further frames, and skippable ones", { skip: !zlib.zstdCompressSync }, async () => {
    const frames = [bytes(1, 0), bytes(2, 0)].map((content) => zlib.zstdCompressSync(content));
    const skippable = bytes(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9);
    const chain = await loadCodecChain(metadata(LITTLE, "zstd"));
    for (const parts of [frames, [skippable, frames[0], skippable, frames[1], skippable]]) {
      assert.deepEqual((await chain.decode(Buffer.concat(parts))).data, Uint16Array.of(1, 2));
    }
  });
});

test("a short stream of zlib is not a chunk of 3 GB", async () => {
  const chain = await loadCodecChain({ dataType: "uint8", shape: [3e9], codecs: ["bytes", "zlib"] });
  await assert.rejects(chain.decode(zlib.deflateSync(new Uint8Array(10))), {
    constructor: ChunkLengthError,
    expected: 3e9,
    actual: 10,
  });
});

test("decoding stops where a chunk becomes much too long", async () => {
  const decode = async (shape, length) => {
    const chain = await loadCodecChain({ dataType: "uint8", shape, codecs: ["bytes", "zlib"] });
    return chain.decode(zlib.deflateSync(new Uint8Array(length)));
  };
  await assert.rejects(decode([2], 1e6), { constructor: ChunkLengthError, expected: 2, actual: 3 });
  // Somewhat longer ones are decoded, for the error.
  await assert.rejects(decode([2], 1000), { constructor: ChunkLengthError, expected: 2, actual: 1000 });
});

describe("codecs that take the array", () => {
  const shape = [2, 3];
  const chunk = { data: Uint16Array.of(1, 2, 3, 4, 5, 6), shape, stride: [3, 1] };

  test("get chunks in C order, also from an array alone and with the option strided", async () => {
    const seen = [];
    const see = (given) => {
      seen.push(given);
      return given;
    };
    const chain = await loadCodecChain(
      { dataType: "uint16", shape, codecs: ["other", TRANSPOSE, LITTLE] },
      { codecs: codecs(same({ encode: see, decode: see })), strided: true },
    );
    const encoded = await chain.encode(chunk.data);
    assert.deepEqual(encoded, bytes(1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0));
    assert.deepEqual(await chain.encode({ data: chunk.data }), encoded);
    assert.deepEqual(await chain.decode(encoded), chunk);
    assert.deepEqual(seen, [chunk, chunk, chunk]);
  });

  for (const [what, decode, message] of [
    [
      "fewer elements",
      () => ({ ...chunk, data: new Uint16Array(5) }),
      /Uint16Array of 5, expected 6 elements/,
    ],
    ["no data", () => ({ ...chunk, data: undefined }), /an object, expected a chunk/],
    ["nothing", () => undefined, /undefined, expected a chunk/],
  ]) {
    test(`an ExternalCodecError says that one decoded to ${what}`, async () => {
      const chain = await loadCodecChain(
        { dataType: "uint16", shape, codecs: ["other", LITTLE] },
        { codecs: codecs(same({ decode })) },
      );
      await assert.rejects(chain.decode(new Uint8Array(12)), { constructor: ExternalCodecError, message });
    });
  }

  test("leave chunks of another length to a ChunkLengthError", async () => {
    const codecsOfChain = ["other", LITTLE, "numcodecs.shuffle", "crc32c"];
    const chain = await loadCodecChain(
      { dataType: "uint16", shape, codecs: codecsOfChain },
      { codecs: codecs(same()) },
    );
    assert.equal(chain.encodedByteLength, 16);
    for (const verify of [true, false]) {
      await assert.rejects(chain.decode(new Uint8Array(20), { verify }), {
        constructor: ChunkLengthError,
        expected: 16,
        actual: 20,
      });
    }
  });
});

describe("options.codecs", () => {
  class Zstd {
    static fromConfig() {
      return new Zstd();
    }
    decode = (encoded) => encoded;
  }
  for (const [what, value, message] of [
    ["an object of functions", { zstd: () => Zstd }, /expected a Map .* got an object/],
    ["a class for the function", new Map([["zstd", Zstd]]), /could not load "zstd": .*new/],
    ["a module", new Map([["zstd", () => import("numcodecs/zstd")]]), /fromConfig for "zstd", .* a Module/],
    ["an instance", new Map([["zstd", () => new Zstd()]]), /fromConfig for "zstd", .* an object/],
    ["a function that returns nothing", new Map([["zstd", () => {}]]), /fromConfig for "zstd", .* undefined/],
    ["null", null, /^options.codecs: expected a Map .* got null$/],
  ]) {
    test(`${what} is an InvalidArgumentError that says so`, async () => {
      await assert.rejects(loadCodecChain(metadata(LITTLE, "zstd"), { codecs: value }), {
        constructor: InvalidArgumentError,
        argument: "options.codecs",
        message,
      });
    });
  }

  test("a codec of an unknown kind is named", async () => {
    await assert.rejects(
      loadCodecChain(metadata(LITTLE, "other"), { codecs: codecs({ kind: "bytes_to_array" }) }),
      { constructor: InvalidMetadataError, message: /^codecs\[1\]: other .*unknown kind "bytes_to_array"$/ },
    );
  });
});

test("options.chunkShape needs the metadata of an array", async () => {
  await assert.rejects(loadCodecChain(metadata(LITTLE), { chunkShape: [2] }), {
    constructor: InvalidArgumentError,
    argument: "options.chunkShape",
    message: "options.chunkShape needs the metadata of an array",
  });
});

test("one byte is not several", async () => {
  const chain = await loadCodecChain(metadata(LITTLE, "gzip"));
  await assert.rejects(chain.decode(zlib.gzipSync(new Uint8Array(1))), {
    message: /hold 1 decoded byte,/,
  });
});
