// Codecs of others that take an array, or make one from bytes: what they are given, and what they may return.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ExternalCodecError, InvalidMetadataError, loadCodecChain } from "zarr-codecs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const bytes = (...values) => Uint8Array.of(...values);

/** Loads a chain of uint16 with these codecs of others. */
function load(names, codecs, shape = [2]) {
  const registry = new Map(
    Object.entries(codecs).map(([name, codec]) => [name, () => ({ fromConfig: () => codec })]),
  );
  return loadCodecChain({ dataType: "uint16", shape, codecs: names }, { codecs: registry });
}

/** An array-to-bytes codec with little-endian bytes, except for the given methods. */
const toBytes = (methods) => ({
  kind: "array_to_bytes",
  encode: ({ data }) => new Uint8Array(data.slice().buffer),
  decode: (encoded) => ({ data: new Uint16Array(encoded.buffer), shape: [2], stride: [1] }),
  ...methods,
});

describe("a codec that makes an array from bytes", () => {
  test("gets them in a buffer of their own, as not all such codecs respect the offset of a view", async () => {
    const seen = [];
    const other = toBytes();
    const decode = (encoded) => {
      seen.push(encoded);
      return other.decode(encoded);
    };
    const chain = await load(["other", "crc32c"], { other: { ...other, decode } });
    const encoded = await chain.encode(Uint16Array.of(1, 2));
    const around = bytes(9, 9, ...encoded, 9);
    assert.deepEqual((await chain.decode(around.subarray(2, -1))).data, Uint16Array.of(1, 2));
    assert.deepEqual(seen, [bytes(1, 0, 2, 0)]);
    assert.equal(seen[0].buffer.byteLength, 4);
  });

  test("encodes to bytes", async () => {
    const chain = await load(["other"], { other: toBytes({ encode: () => [1, 0, 2, 0] }) });
    await assert.rejects(chain.encode(Uint16Array.of(1, 2)), {
      constructor: ExternalCodecError,
      message: "codecs[0]: other: encode returned an array, expected bytes",
    });
    const view = await load(["other"], {
      other: toBytes({ encode: () => new DataView(new ArrayBuffer(4)) }),
    });
    assert.deepEqual(await view.encode(Uint16Array.of(1, 2)), new Uint8Array(4));
  });

  test("decodes to its own array, unless the options copy or out are set", async () => {
    const chunk = { data: Uint16Array.of(1, 2), shape: [2], stride: [1] };
    const chain = await load(["other"], { other: toBytes({ decode: () => chunk }) });
    const encoded = new Uint8Array(4);
    assert.equal((await chain.decode(encoded)).data, chunk.data);
    const { data, ...rest } = await chain.decode(encoded, { copy: true });
    assert.deepEqual([data, rest], [chunk.data, { shape: [2], stride: [1] }]);
    assert.notEqual(data.buffer, chunk.data.buffer);
    const out = new Uint16Array(2);
    assert.equal((await chain.decode(encoded, { out })).data, out);
    assert.deepEqual(out, chunk.data);
    await assert.rejects(chain.decode(encoded, { out: chunk.data }), {
      name: "InvalidArgumentError",
      argument: "out",
      message: "out overlaps the data",
    });
  });

  test("may decode to a list, which is not copied", async () => {
    const data = ["a", "b"];
    const chain = await load(["other"], {
      other: toBytes({ decode: () => ({ data, shape: [2], stride: [1] }) }),
    });
    assert.equal((await chain.decode(bytes(1), { copy: true })).data, data);
  });

  test("decodes to a chunk", async () => {
    const chain = await load(["other"], { other: toBytes({ decode: () => ({ data: null }) }) });
    await assert.rejects(chain.decode(bytes(1)), {
      constructor: ExternalCodecError,
      message: "codecs[0]: other: decode returned an object, expected a chunk",
    });
  });
});

describe("a codec that takes an array", () => {
  test("may change its length before another one gets it", async () => {
    const pairs = {
      kind: "array_to_array",
      getEncodedMeta: (told) => ({ ...told, dataType: "uint32", shape: [1] }),
      encode: ({ data }) => ({ data: new Uint32Array(data.slice().buffer), shape: [1], stride: [1] }),
      decode: ({ data }) => ({ data: new Uint16Array(data.slice().buffer), shape: [2], stride: [1] }),
    };
    const same = { kind: "array_to_array", encode: (chunk) => chunk, decode: (chunk) => chunk };
    const chain = await load(["pairs", "same", LITTLE], { pairs, same });
    const encoded = await chain.encode(Uint16Array.of(1, 2));
    assert.deepEqual(encoded, bytes(1, 0, 2, 0));
    assert.deepEqual((await chain.decode(encoded)).data, Uint16Array.of(1, 2));
  });

  test("decodes inner chunks of a shard in C order", async () => {
    const configuration = { chunk_shape: [2], codecs: ["other", LITTLE], index_codecs: [LITTLE] };
    const decode = (chunk) => ({ ...chunk, stride: [2] });
    const other = { kind: "array_to_array", encode: (chunk) => chunk, decode };
    const metadata = {
      dataType: "uint16",
      shape: [4],
      fillValue: 0,
      codecs: [{ name: "sharding_indexed", configuration }],
    };
    const chain = await loadCodecChain(metadata, {
      codecs: new Map([["other", () => ({ fromConfig: () => other })]]),
    });
    await assert.rejects(async () => chain.decode(await chain.encode(Uint16Array.of(1, 2, 3, 4))), {
      constructor: ExternalCodecError,
      path: "codecs[0]",
      chunk: [0],
      message: /its codecs decoded to Uint16Array of 2, expected an array of 4 bytes in C order$/,
    });
  });

  test("is not behind a codec of this package that changes arrays", async () => {
    const transpose = { name: "transpose", configuration: { order: [1, 0] } };
    const same = { kind: "array_to_array", encode: (chunk) => chunk, decode: (chunk) => chunk };
    await assert.rejects(load([transpose, "same", LITTLE], { same }, [2, 3]), {
      constructor: InvalidMetadataError,
      path: "codecs[0]",
      message: "codecs[0]: transpose is not supported before an external codec that takes the array",
    });
  });
});
