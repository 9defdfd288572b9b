// Chains of which codecs or the data type are unknown: how much of them is decoded, and when their metadata are wrong.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { createCodecChain } from "zarr-codecs";
import { arrayMetadata } from "./helpers.mjs";
import { ListedStore, placesOf, toBytes, verified } from "./store-helpers.mjs";

/** A store of one array of one chunk. */
const storeOf = (chunk, members) =>
  new ListedStore([
    ["/zarr.json", toBytes(arrayMetadata({ shape: [2], ...members }))],
    ["/c/0", chunk],
  ]);

const withChecksum = (bytes) =>
  createCodecChain({ dataType: "uint8", shape: [bytes.length], codecs: ["bytes", "crc32c"] }).encode(bytes);

const BYTES = Uint8Array.of(1, 2);

/** A copy in which a bit of a byte is flipped. */
const flipped = (bytes, at) => Uint8Array.from(bytes).with(at, bytes.at(at) ^ 1);

/** A codec of the application. */
class Inverted {
  static fromConfig = () => new Inverted();
  decode = (bytes) => bytes.map((byte) => 255 - byte);
  encode = (bytes) => this.decode(bytes);
}

/** One from elements to bytes, which is not for bytes. */
class Elements extends Inverted {
  static fromConfig = () => new Elements();
  kind = "array_to_bytes";
}

/** One to an array, of which nobody knows the length before. */
class Arrays extends Elements {
  static fromConfig = () => new Arrays();
  decode = (data) => ({ data, shape: [2], stride: [1] });
}

const registryOf = (codecs) => new Map(Object.entries(codecs).map(([name, codec]) => [name, () => codec]));
const CODECS = registryOf({ "x.inverted": Inverted, "x.elements": Elements, "x.arrays": Arrays });

async function proofOf(chunk, codecs, options) {
  const { results } = await verified(storeOf(chunk, { codecs }), { all: true, codecs: CODECS, ...options });
  const [{ state, proof, error }] = results;
  return error ? `${state} ${error.code}` : `${state} ${proof}`;
}

describe("after a codec that nobody has", () => {
  test("others are decoded in their order, from the last one", async () => {
    const chunk = withChecksum(gzipSync(BYTES));
    const codecs = ["jpegxl", "gzip", "crc32c"];
    assert.equal(await proofOf(chunk, codecs), "sound checksum");
    assert.equal(
      await proofOf(withChecksum(flipped(gzipSync(BYTES), -8)), codecs),
      "damaged checksum_mismatch",
    );
    assert.equal(await proofOf(gzipSync(chunk), codecs), "damaged checksum_mismatch");
    assert.equal(
      await proofOf(gzipSync(withChecksum(BYTES)), ["jpegxl", "crc32c", "gzip"]),
      "sound checksum",
    );
  });

  test("those of the application are decoded, which proves that there is something", async () => {
    const inverted = withChecksum(BYTES).map((byte) => 255 - byte);
    assert.equal(await proofOf(inverted, ["jpegxl", "crc32c", "x.inverted"]), "sound checksum");
    assert.equal(await proofOf(inverted, ["bytes", "jpegxl", "crc32c", "x.inverted"]), "sound checksum");
    assert.equal(
      await proofOf(inverted.fill(0, 1, 2), ["jpegxl", "crc32c", "x.inverted"]),
      "damaged checksum_mismatch",
    );
    assert.equal(await proofOf(inverted, ["jpegxl", "x.inverted"]), "sound present");
    const failing = () => {
      throw new Error("no");
    };
    const isFalse = { codecs: registryOf({ "x.inverted": { fromConfig: () => ({ decode: failing }) } }) };
    assert.equal(await proofOf(inverted, ["jpegxl", "x.inverted"], isFalse), "unreadable external_codec");
  });

  test("elements that a codec of the application decodes prove that there is something", async () => {
    assert.equal(await proofOf(BYTES, ["x.arrays"]), "sound present");
  });

  test("those of the application that are not for bytes are left out", async () => {
    const codecs = ["jpegxl", "x.elements", "crc32c"];
    assert.equal(await proofOf(withChecksum(BYTES), codecs), "sound checksum");
    assert.equal(await proofOf(withChecksum(BYTES).fill(9, 0, 1), codecs), "damaged checksum_mismatch");
    assert.equal(await proofOf(BYTES, ["jpegxl", "x.elements"]), "sound present");
    assert.equal(await proofOf(new Uint8Array(), ["jpegxl", "x.elements"]), "damaged chunk_length");
  });

  test("those of the application that cannot be loaded end the run", async () => {
    const codecs = new Map([["x.remote", () => Promise.reject(new Error("offline"))]]);
    for (const chain of [
      ["bytes", "x.remote"],
      ["jpegxl", "x.remote"],
    ]) {
      await assert.rejects(proofOf(BYTES, chain, { codecs }), {
        code: "invalid_argument",
        message: /offline/,
      });
    }
  });

  test("the host verifies checksums of formats, also where the application has codecs for them", async () => {
    const skipping = { fromConfig: () => ({ decode: () => BYTES }) };
    const options = { codecs: registryOf({ gzip: skipping, zlib: skipping, "numcodecs.zlib": skipping }) };
    for (const [name, encode] of [
      ["gzip", gzipSync],
      ["zlib", deflateSync],
      ["numcodecs.zlib", deflateSync],
    ]) {
      const damaged = flipped(encode(BYTES), name.endsWith("gzip") ? -8 : -1);
      for (const codecs of [
        ["jpegxl", name],
        ["bytes", name],
      ]) {
        assert.match(await proofOf(damaged, codecs, options), /^damaged /, `${codecs}`);
      }
    }
  });

  test("a chunk without bytes is damaged", async () => {
    const { results } = await verified(storeOf(new Uint8Array(), { codecs: ["jpegxl"] }));
    assert.deepEqual(results[0].error, {
      code: "chunk_length",
      expected: 1,
      actual: 0,
      message: "encoded chunk is 0 bytes, expected at least 1",
    });
  });

  test("a payload without bytes is damaged", async () => {
    const codecs = ["jpegxl", "x.other", "crc32c"];
    const { results } = await verified(storeOf(new Uint8Array(4), { codecs })); // The CRC-32C of nothing is 0.
    assert.deepEqual(results[0].error, {
      code: "chunk_length",
      expected: 1,
      actual: 0,
      message: "payload is 0 bytes, expected at least 1",
    });
  });

  test("errors name the places of others in the chain", async () => {
    const messageOf = async (chunk, codecs) => {
      const { results } = await verified(storeOf(chunk, { codecs }));
      return results[0].error.message;
    };
    const crc32c = { name: "crc32c", configuration: { level: 1 } };
    assert.equal(
      await messageOf(BYTES, ["bytes", "jpegxl", "x.other", crc32c]),
      "codecs[3].configuration.level: unknown member; none is allowed",
    );
    assert.match(await messageOf(BYTES, ["bytes", "jpegxl", "gzip"]), /^codecs\[2\]: gzip: truncated/);
  });
});

describe("a codec that is rejected", () => {
  const misspelt = { name: "bytes", configuration: { endia: "little" } };
  const isWrong = ["zarr.json damaged invalid_metadata"];

  test("is a fault of the metadata, if all others and the data type are known", async () => {
    for (const data_type of [
      "bool",
      "uint8",
      "r8",
      "r16",
      "r128",
      "int64",
      "complex64",
      { name: "float32" },
    ]) {
      assert.deepEqual(
        await placesOf(storeOf(BYTES, { data_type, codecs: [misspelt] })),
        isWrong,
        `${data_type}`,
      );
    }
    for (const name of ["crc32c", "gzip", "x.inverted"]) {
      const store = storeOf(BYTES, { codecs: [misspelt, name] });
      assert.deepEqual(await placesOf(store, { codecs: CODECS }), isWrong, name);
    }
  });

  test("may belong to an extension, if another codec or the data type is not known", async () => {
    for (const data_type of ["uint2048", "xr8", "r8x", "rx", { name: "string" }, undefined, 7]) {
      assert.deepEqual(await placesOf(storeOf(BYTES, { data_type, codecs: [misspelt] })), [], `${data_type}`);
    }
    for (const name of ["jpegxl", "x.inverted"]) {
      const store = storeOf(BYTES, { codecs: [misspelt, name] });
      assert.deepEqual(await placesOf(store, { codecs: undefined }), [], name);
    }
  });

  test("also in a shard", async () => {
    const store = (codecs) => {
      const configuration = { chunk_shape: [1], codecs, index_codecs: ["crc32c"] };
      return storeOf(BYTES, { codecs: [{ name: "sharding_indexed", configuration }] });
    };
    assert.deepEqual(await placesOf(store([misspelt])), isWrong);
  });
});
