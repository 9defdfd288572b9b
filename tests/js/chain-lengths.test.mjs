// Chunks that are too short or too long are errors in every form of chain, with and without checksums, verified or not.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isZarrCodecError, loadCodecChain } from "zarr-codecs";
import { registry } from "zarrita";

const BYTES = { name: "bytes", configuration: { endian: "little" } };
const SHUFFLE = { name: "numcodecs.shuffle", configuration: { elementsize: 2 } };
const ADLER32 = { name: "numcodecs.adler32" };
const TRANSPOSE = { name: "transpose", configuration: { order: [0] } };
const DELTA = { name: "numcodecs.delta", configuration: { dtype: "<u2" } };
const ZSTD = { name: "zstd", configuration: { level: 0, checksum: false } };
const LZ4 = { name: "numcodecs.lz4", configuration: {} };
const BLOSC = {
  name: "blosc",
  configuration: { cname: "lz4", clevel: 5, shuffle: "noshuffle", typesize: 2, blocksize: 0 },
};
const sharding = (codecs, index_codecs = [BYTES]) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: [10], codecs, index_codecs },
});

const FORMS = {
  "bytes alone": [BYTES],
  "a checksum": [BYTES, "crc32c"],
  "two checksums": [BYTES, "crc32c", "crc32c"],
  "a transpose": [TRANSPOSE, BYTES],
  "a shuffle": [BYTES, SHUFFLE],
  "a shuffle and a checksum": [BYTES, SHUFFLE, "crc32c"],
  "checksums of two kinds": [BYTES, ADLER32, "crc32c"],
  gzip: [BYTES, "gzip"],
  "gzip of a checksum": [BYTES, "crc32c", "gzip"],
  "a checksum of gzip": [BYTES, "gzip", "crc32c"],
  "a checksum of zlib of a shuffle": [BYTES, SHUFFLE, "zlib", "crc32c"],
  "zstd of a checksum": [BYTES, "crc32c", ZSTD],
  blosc: [BYTES, BLOSC],
  "lz4 of a checksum": [BYTES, "crc32c", LZ4],
  "an external array-to-array codec": [DELTA, BYTES],
  "an external array-to-array codec and gzip": [DELTA, BYTES, "gzip"],
  shards: [sharding([BYTES])],
  "shards with checksums": [sharding([BYTES, "crc32c"], [BYTES, "crc32c"])],
  "shards of gzip": [sharding([BYTES, "gzip"])],
  "gzip of shards": [sharding([BYTES]), "gzip"],
  "a checksum of shards": [sharding([BYTES]), "crc32c"],
  "shards of an external array-to-array codec": [sharding([DELTA, BYTES])],
};
const DATA = Uint16Array.from({ length: 100 }, (_, i) => i * 7);

for (const verify of [true, false]) {
  describe(`with verify: ${verify}, chunks of another length are errors:`, () => {
    for (const [name, codecs] of Object.entries(FORMS)) {
      test(name, async () => {
        const metadata = { dataType: "uint16", shape: [100], codecs, fillValue: 0 };
        const chain = await loadCodecChain(metadata, { codecs: registry, verify });
        const encoded = await chain.encode(DATA);
        assert.deepEqual((await chain.decode(encoded)).data, DATA);
        for (const count of [1, 2, 3, 4, 5, 7, 8, 12, 16, 20]) {
          const longer = new Uint8Array(encoded.length + count).map((_, i) => encoded[i] ?? 7 * i);
          for (const damaged of [encoded.slice(0, -count), longer]) {
            const error = await chain.decode(damaged).catch((error) => error);
            const what = `${damaged.length} bytes in place of ${encoded.length}`;
            assert.ok(isZarrCodecError(error), `${what}: ${error.stack ?? "no error"}`);
            assert.notEqual(error.code, "invalid_argument", what);
          }
        }
      });
    }
  });
}
