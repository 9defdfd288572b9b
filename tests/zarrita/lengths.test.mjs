// Chunks with a checksum that are too short or too long.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, ChunkLengthError } from "zarr-codecs";
import { withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, elementsOf, IDENTITY, readChunk, registered, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c" };
const identity = { name: "identity" };
const transpose = { name: "transpose", configuration: { order: [1, 0] } };
const ENCODED = [1, 0, 2, 0, 3, 0, 4, 0]; // int16, little endian

const square = {
  shape: [2, 2],
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } },
  chunk_key_encoding: { name: "v2", configuration: { separator: "/" } },
};

/** Metadata, and the bytes of a valid chunk with the elements 1 to 4. */
const ARRAYS = {
  "little endian": [{ codecs: [little, crc32c] }, withChecksum(ENCODED)],
  "big endian": [{ codecs: [big, crc32c] }, withChecksum([0, 1, 0, 2, 0, 3, 0, 4])],
  "the name endian": [
    { codecs: [{ ...big, name: "endian" }, crc32c] },
    withChecksum([0, 1, 0, 2, 0, 3, 0, 4]),
  ],
  "two checksums": [{ codecs: [little, crc32c, crc32c] }, withChecksum(withChecksum(ENCODED))],
  "two checksums with configurations": [
    {
      codecs: [little, { name: "crc32c", configuration: {} }, { name: "crc32c", configuration: {} }],
    },
    withChecksum(withChecksum(ENCODED)),
  ],
  uint8: [{ dataType: "uint8", codecs: [{ name: "bytes" }, crc32c] }, withChecksum([1, 2, 3, 4])],
};

/** Returns a chunk without its last byte, with one more, and without any. */
const wrongLengths = (bytes) => [bytes.subarray(0, -1), Uint8Array.of(...bytes, 0), bytes.subarray(0, 0)];

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  /** Decodes a chunk. Returns its elements, or the error of this package. */
  const outcome = (metadata, bytes) =>
    registered(zarrita, () => readChunk(zarrita, metadata, bytes)).catch((error) => error.cause ?? error);
  const assertLength = (error, expected, actual) => {
    assert.ok(error instanceof ChunkLengthError, String(error?.stack ?? error));
    assert.deepEqual([error.expected, error.actual], [expected, actual]);
  };

  describe(`lengths, zarrita ${version}`, () => {
    for (const [name, [metadata, bytes]] of Object.entries(ARRAYS)) {
      test(name, async () => {
        assert.deepEqual(await outcome(arrayMetadata(metadata), bytes), [1, 2, 3, 4]);
        for (const wrong of wrongLengths(bytes)) {
          const error = await outcome(arrayMetadata(metadata), wrong);
          assertLength(error, bytes.length, wrong.length);
          assert.match(
            error.message,
            new RegExp(`^encoded chunk is ${wrong.length} bytes, expected ${bytes.length} \\(4 elements`),
          );
        }
      });
    }

    test("transposed", async () => {
      const metadata = arrayMetadata({ ...square, codecs: [transpose, big, crc32c] });
      const read = (bytes) =>
        registered(zarrita, async () => {
          const store = storeWith(metadata, { "/0/0": bytes });
          return elementsOf(await (await zarrita.open.v3(store, { kind: "array" })).getChunk([0, 0]));
        }).catch((error) => error.cause ?? error);
      const bytes = withChecksum([0, 1, 0, 3, 0, 2, 0, 4]);
      assert.deepEqual(await read(bytes), [1, 2, 3, 4]);
      assertLength(await read(bytes.subarray(0, 11)), 12, 11);
    });

    test("around a codec of others, only the length of the checksum is known", async (t) => {
      zarrita.registry.set("identity", () => IDENTITY);
      t.after(() => zarrita.registry.delete("identity"));
      const metadata = arrayMetadata({ codecs: [little, identity, crc32c] });
      const bytes = withChecksum(ENCODED);
      assert.deepEqual(await outcome(metadata, bytes), [1, 2, 3, 4]);
      assertLength(await outcome(metadata, bytes.subarray(0, 3)), 4, 3);
      assert.ok((await outcome(metadata, bytes.subarray(0, 11))) instanceof ChecksumMismatchError);
      const before = arrayMetadata({ codecs: [little, crc32c, identity] });
      assert.deepEqual(await outcome(before, bytes), [1, 2, 3, 4]);
      assertLength(await outcome(before, bytes.subarray(0, 11)), 12, 11);
    });

    test("after a codec of others that changes the length, only the length of the checksum is known", async (t) => {
      const half = {
        kind: "bytes_to_bytes",
        encode: (bytes) => Uint8Array.of(...bytes, ...bytes),
        decode: (bytes) => bytes.slice(0, bytes.length / 2),
      };
      zarrita.registry.set("half", () => ({ fromConfig: () => half }));
      t.after(() => zarrita.registry.delete("half"));
      // Neither checksum has a configuration, so that they look the same.
      const metadata = arrayMetadata({ codecs: [little, crc32c, { name: "half" }, crc32c] });
      const bytes = withChecksum(half.encode(withChecksum(ENCODED)));
      assert.deepEqual(await outcome(metadata, bytes), [1, 2, 3, 4]);
    });

    test("inner chunks and the index of a shard have their own lengths", async () => {
      const index_codecs = [little, crc32c];
      const shard = (entries, chunks) => {
        const index = withChecksum(new Uint8Array(BigUint64Array.from(entries).buffer));
        return Uint8Array.of(...chunks, ...index);
      };
      const sharding = (more) => {
        const configuration = { chunk_shape: [2], codecs: [big, crc32c], index_codecs, ...more };
        return arrayMetadata({ codecs: [{ name: "sharding_indexed", configuration }] });
      };
      const first = withChecksum([0, 1, 0, 2]);
      const right = shard([0n, 8n, 8n, 8n], [...first, ...first]);
      assert.deepEqual(await outcome(sharding(), right), [1, 2]);
      assertLength(await outcome(sharding(), shard([0n, 7n, 8n, 8n], [...first, ...first])), 8, 7);
      assertLength(await outcome(sharding(), right.subarray(-35)), 36, 35);
    });
  });
}

test("a shard's index with two checksums", async () => {
  const zarrita = VERSIONS["0.7"]; // Older versions strip only one.
  const index = withChecksum(withChecksum(new Uint8Array(BigUint64Array.of(0n, 4n, 4n, 4n).buffer)));
  const configuration = { chunk_shape: [2], codecs: [little], index_codecs: [little, crc32c, crc32c] };
  const metadata = arrayMetadata({ codecs: [{ name: "sharding_indexed", configuration }] });
  const read = () => readChunk(zarrita, metadata, [...ENCODED, ...index]);
  assert.deepEqual(await registered(zarrita, read), [1, 2]);
});

test("after a codec that changes the data type, the length is that of the new type", async () => {
  const zarrita = VERSIONS["0.7"]; // Older versions have no such codec.
  const cast = { name: "cast_value", configuration: { data_type: "int16", rounding: "nearest-even" } };
  const metadata = arrayMetadata({ dataType: "float64", codecs: [cast, little, crc32c] });
  const read = (bytes) => registered(zarrita, () => readChunk(zarrita, metadata, bytes));
  const bytes = withChecksum(ENCODED);
  assert.deepEqual(await read(bytes), [1, 2, 3, 4]);
  await assert.rejects(read(bytes.subarray(0, 11)), ({ cause }) => {
    assert.deepEqual([cause.code, cause.expected, cause.actual], ["chunk_length", 12, 11]);
    return true;
  });
});
