// What loadCodecChain asks of codecs of others, and what happens if they do not keep to it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AsyncCodecChain,
  ChunkLengthError,
  createCodecChain,
  ExternalCodecError,
  InvalidArgumentError,
  InvalidMetadataError,
  loadCodecChain,
} from "zarr-codecs";
import { registry } from "zarrita";

const BIG = { name: "bytes", configuration: { endian: "big" } };
const metadata = (...codecs) => ({ dataType: "uint16", shape: [2], codecs });
const bytes = (...values) => Uint8Array.of(...values);

/** A registry with one codec, which does what is given. */
const codecs = (codec, name = "other") => new Map([[name, async () => ({ fromConfig: () => codec })]]);

/** A bytes-to-bytes codec: adds a byte. */
const marking = {
  encode: (decoded) => bytes(...decoded, 7),
  decode: (encoded) => encoded.subarray(0, -1),
};

describe("codecs of others", () => {
  test("may be synchronous or asynchronous, and stand between ours", async () => {
    const asynchronous = {
      encode: async (decoded) => marking.encode(decoded),
      decode: async (encoded) => marking.decode(encoded),
    };
    for (const codec of [marking, asynchronous]) {
      const chain = await loadCodecChain(metadata(BIG, "crc32c", "other", "crc32c"), {
        codecs: codecs(codec),
      });
      const inner = createCodecChain(metadata(BIG, "crc32c")).encode(Uint16Array.of(1, 2));
      const encoded = await chain.encode(Uint16Array.of(1, 2));
      assert.deepEqual(encoded.subarray(0, -4), bytes(...inner, 7));
      assert.deepEqual(await chain.decode(encoded), { data: Uint16Array.of(1, 2), shape: [2], stride: [1] });
      assert.equal(chain.encodedByteLength, undefined);
      assert.equal(chain.decodedByteLength, 4);
    }
  });

  test("get their configuration and the array's metadata", async () => {
    const seen = [];
    const load = () => ({
      fromConfig(configuration, told) {
        seen.push(configuration, told);
        return marking;
      },
    });
    const other = { name: "other", configuration: { level: 3 } };
    const array = {
      zarr_format: 3,
      node_type: "array",
      data_type: "uint16",
      fill_value: 9,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      codecs: [BIG, other],
    };
    await loadCodecChain(array, { codecs: new Map([["other", load]]) });
    await loadCodecChain({ ...metadata(BIG, "other"), fillValue: 8 }, { codecs: new Map([["other", load]]) });
    const told = { dataType: "uint16", shape: [2] };
    assert.deepEqual(seen, [
      { level: 3 },
      { ...told, codecs: [BIG, other], fillValue: 9 },
      {},
      { ...told, codecs: [BIG, "other"], fillValue: 8 },
    ]);
  });

  test("are told what those before them encode to, if that is another array", async () => {
    const seen = [];
    const arrayToArray = (methods) => ({
      fromConfig(_, { dataType, shape }) {
        seen.push([dataType, shape]);
        const same = (chunk) => chunk;
        return { kind: "array_to_array", encode: same, decode: same, ...methods };
      },
    });
    const wider = { getEncodedMeta: (told) => ({ ...told, dataType: "uint32", shape: [1, 2] }) };
    const registry = new Map([
      ["wider", () => arrayToArray(wider)],
      ["same", () => arrayToArray({ getEncodedMeta: () => undefined })],
      ["plain", () => arrayToArray({})],
    ]);
    const chain = await loadCodecChain(metadata("plain", "same", "wider", "plain", "same", "plain", BIG), {
      codecs: registry,
    });
    const [before, after] = [
      ["uint16", [2]],
      ["uint32", [1, 2]],
    ];
    assert.deepEqual(seen, [before, before, before, after, after, after]);
    assert.equal(chain.encodedByteLength, 8);
  });

  test("over bytes are not asked what they encode to", async () => {
    const getEncodedMeta = () => assert.fail("asked");
    const chain = await loadCodecChain(metadata(BIG, "other"), {
      codecs: codecs({ ...marking, getEncodedMeta }),
    });
    assert.deepEqual(await chain.encode(Uint16Array.of(1, 2)), bytes(0, 1, 0, 2, 7));
  });

  const FAULTS = {
    "throws an error": [
      () => {
        throw new Error("no luck");
      },
      /^codecs\[1\]: other: could not decode the chunk: no luck$/,
    ],
    "throws a string": [
      () => {
        throw "no luck";
      },
      /could not decode the chunk: no luck/,
    ],
    "throws what has no text": [
      () => {
        throw Object.create(null);
      },
      /^codecs\[1\]: other: could not decode the chunk: an error$/,
    ],
    rejects: [() => Promise.reject(new Error("no luck")), /could not decode the chunk: no luck/],
    "returns nothing": [() => undefined, /^codecs\[1\]: other: decode returned undefined, expected bytes$/],
    "returns a string": [() => "text", /decode returned "text", expected bytes/],
    "returns an array": [() => [1, 2, 3, 4], /decode returned an array, expected bytes/],
    "returns detached memory": [
      () => {
        const { buffer } = bytes(1, 2, 3, 4);
        structuredClone(buffer, { transfer: [buffer] });
        return buffer;
      },
      /decode returned/,
    ],
  };
  for (const [what, [decode, message]] of Object.entries(FAULTS)) {
    test(`an ExternalCodecError says that a codec ${what}`, async () => {
      const chain = await loadCodecChain(metadata(BIG, "other"), { codecs: codecs({ ...marking, decode }) });
      const expected = {
        name: "ExternalCodecError",
        code: "external_codec",
        codec: "other",
        path: "codecs[1]",
        message,
      };
      await assert.rejects(chain.decode(bytes(0, 1, 0, 2, 7)), expected);
      await assert.rejects(chain.decode(bytes(0, 1, 0, 2, 7)), ExternalCodecError);
    });
  }

  test("that return another length are found", async () => {
    const chain = await loadCodecChain(metadata(BIG, "other"), { codecs: codecs(marking) });
    await assert.rejects(chain.decode(bytes(0, 1, 0, 2)), {
      constructor: ChunkLengthError,
      message: "codecs[1]: other: decoder returned 3 decoded bytes, expected 4",
      expected: 4,
      actual: 3,
    });
  });

  test("cannot be encoded with if they throw", async () => {
    const encode = () => {
      throw new Error("read only");
    };
    const chain = await loadCodecChain(metadata(BIG, "other"), { codecs: codecs({ ...marking, encode }) });
    await assert.rejects(chain.encode(Uint16Array.of(1, 2)), {
      constructor: ExternalCodecError,
      message: "codecs[1]: other: could not encode the chunk: read only",
    });
  });

  test("that reject their configuration or cannot be loaded are named", async () => {
    const [level99, notFound] = [new Error("level 99"), new Error("404")];
    const rejecting = {
      fromConfig() {
        throw level99;
      },
    };
    await assert.rejects(
      loadCodecChain(metadata(BIG, "other"), { codecs: new Map([["other", () => rejecting]]) }),
      {
        constructor: InvalidMetadataError,
        path: "codecs[1]",
        message: "codecs[1]: other cannot be created from its metadata: level 99",
        cause: level99,
      },
    );
    const missing = () => Promise.reject(notFound);
    await assert.rejects(loadCodecChain(metadata(BIG, "other"), { codecs: new Map([["other", missing]]) }), {
      constructor: InvalidArgumentError,
      argument: "options.codecs",
      message: 'options.codecs: could not load "other": 404',
      cause: notFound,
    });
  });

  test("that nobody provides are named", async () => {
    await assert.rejects(loadCodecChain(metadata(BIG, "other")), {
      constructor: InvalidMetadataError,
      path: "codecs[1]",
      message:
        "codecs[1]: expected a codec of this package, of the host or of the option codecs " +
        '(a Map from its name to a function that returns its class), got "other"',
    });
  });

  test("are ignored if nobody provides them and they need not be understood", async () => {
    const chain = await loadCodecChain(metadata(BIG, { name: "other", must_understand: false }));
    assert.deepEqual(await chain.encode(Uint16Array.of(1, 2)), bytes(0, 1, 0, 2));
    assert.deepEqual(chain.codecs, [BIG]);
  });
});

describe("a chain of our own codecs", () => {
  test("is the same as the synchronous one", async () => {
    const chain = await loadCodecChain(metadata(BIG, "crc32c"));
    const own = createCodecChain(metadata(BIG, "crc32c"));
    assert.ok(chain instanceof AsyncCodecChain);
    for (const member of ["dataType", "shape", "codecs", "decodedByteLength", "encodedByteLength"]) {
      assert.deepEqual(chain[member], own[member]);
    }
    const encoded = await chain.encode(Uint16Array.of(1, 2));
    assert.deepEqual(encoded, own.encode(Uint16Array.of(1, 2)));
    assert.deepEqual(await chain.decode(encoded), own.decode(encoded));
  });

  test("may have several steps", () => {
    const codecs = [BIG, "numcodecs.shuffle", "crc32c", { name: "numcodecs.adler32" }];
    const chain = createCodecChain({ dataType: "uint32", shape: [2], codecs });
    const encoded = chain.encode(Uint32Array.of(0x01020304, 0x05060708));
    assert.equal(encoded.length, chain.encodedByteLength);
    // Adler-32 at the start, then the shuffled bytes.
    assert.deepEqual(encoded.subarray(4, 12), bytes(1, 5, 2, 6, 3, 7, 4, 8));
    const out = new Uint8Array(16);
    assert.equal(chain.encode(Uint32Array.of(0x01020304, 0x05060708), { out }), out);
    assert.deepEqual(out, encoded);
    assert.deepEqual(chain.decode(encoded).data, Uint32Array.of(0x01020304, 0x05060708));
    assert.throws(() => chain.decode("text"), { constructor: InvalidArgumentError, argument: "encoded" });
    assert.throws(() => chain.decode(encoded.subarray(1)), {
      constructor: ChunkLengthError,
      expected: 16,
      actual: 15,
    });
  });
});

describe("zarrita's codecs that take or make arrays", () => {
  test("encode the array in place of bytes", async () => {
    const text = { dataType: "string", shape: [2], codecs: ["vlen-utf8", "gzip"] };
    const chain = await loadCodecChain(text, { codecs: registry });
    assert.equal(chain.decodedByteLength, undefined);
    const items = [2, 0, 0, 0, 1, 0, 0, 0, 0x61, 2, 0, 0, 0, 0x62, 0x63];
    const { gzip } = await import("node:zlib");
    const encoded = await new Promise((resolve) => gzip(bytes(...items), (_, result) => resolve(result)));
    assert.deepEqual((await chain.decode(encoded)).data, ["a", "bc"]);
  });

  test("change what bytes encodes", async () => {
    const cast = {
      name: "cast_value",
      configuration: { data_type: "uint8", rounding: "nearest-even", out_of_range: "clamp", scalar_map: {} },
    };
    const chain = await loadCodecChain(
      { dataType: "float64", shape: [3], codecs: [cast, "bytes", "crc32c"], fillValue: 0 },
      { codecs: registry },
    );
    const stored = createCodecChain({ dataType: "uint8", shape: [3], codecs: ["bytes", "crc32c"] });
    const encoded = stored.encode(bytes(1, 2, 3));
    assert.deepEqual((await chain.decode(encoded)).data, Float64Array.of(1, 2, 3));
    const out = new Float64Array(3);
    assert.equal((await chain.decode(encoded, { out })).data, out);
    assert.deepEqual(out, Float64Array.of(1, 2, 3));
  });
});

describe("options of loadCodecChain", () => {
  test("chunkShape gives the shape where the grid is not regular", async () => {
    const array = (name, chunk_shape) => ({
      data_type: "uint16",
      chunk_grid: { name, configuration: { chunk_shape } },
      codecs: [BIG],
    });
    const chain = await loadCodecChain(array("rectilinear"), { chunkShape: [2, 3] });
    assert.deepEqual(chain.shape, [2, 3]);
    await assert.rejects(loadCodecChain(array("rectilinear")), {
      path: "chunk_grid.name",
      message: /or the option chunkShape/,
    });
    await assert.rejects(loadCodecChain(array("rectilinear"), { chunkShape: [0] }), {
      path: "options.chunkShape[0]",
      message: "options.chunkShape[0]: expected a positive integer, got 0",
    });
    await assert.rejects(loadCodecChain(array("regular", [2]), { chunkShape: [3] }), {
      path: "options.chunkShape",
    });
    assert.deepEqual((await loadCodecChain(array("regular", [2]), { chunkShape: [2] })).shape, [2]);
  });

  test("are checked", async () => {
    await assert.rejects(loadCodecChain(metadata(BIG), { codec: registry }), { argument: "options.codec" });
    for (const codecs of [null, {}, 3, "zstd"]) {
      await assert.rejects(loadCodecChain(metadata(BIG, "other"), { codecs }), {
        argument: "options.codecs",
      });
    }
    await assert.rejects(loadCodecChain(null), InvalidMetadataError);
    await assert.rejects(loadCodecChain("array"), InvalidMetadataError);
    await assert.rejects(loadCodecChain(undefined), InvalidMetadataError);
    assert.throws(() => new AsyncCodecChain(), InvalidArgumentError);
  });
});
