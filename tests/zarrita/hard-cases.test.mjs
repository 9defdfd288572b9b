// The results of zarrita's own codecs in hard cases, and those of ours.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  InvalidElementError,
  InvalidMetadataError,
  withCodecs,
} from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import { withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, elementsOf, MemoryStore, readChunk, registered, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c" };
const FOUR = [1, 0, 2, 0, 3, 0, 0, 0]; // int16, little endian: 1, 2, 3, 0

/** Creates an array of one chunk, writes its elements through zarrita, and returns the stored bytes. */
async function written(zarrita, { codecs, dataType = "int16", data }) {
  const store = new MemoryStore();
  const array = await zarrita.create(store, {
    shape: [data.length],
    chunkShape: [data.length],
    chunk_shape: [data.length], // zarrita before 0.7
    dtype: dataType,
    data_type: dataType,
    codecs,
  });
  await zarrita.set(array, null, { data, shape: [data.length], stride: [1] });
  return [...store.get("/c/0")];
}

/** Creates a view of two elements in a buffer of four. */
const view = () => new Int16Array([9, 1, 2, 9]).subarray(1, 3);

/** Encodes a chunk with a codec of the registry, called as zarrita calls it. */
async function encodedBy(zarrita, name, configuration, chunk, dataType) {
  const entry = await zarrita.registry.get(name)();
  const { shape } = chunk;
  const codecs = [{ name, configuration }];
  const codec = entry.fromConfig(configuration, {
    dataType,
    data_type: dataType,
    shape,
    codecs,
    fillValue: 0,
  });
  return [...(await codec.encode(chunk))];
}

/** Creates a shard of two chunks with its index at the start. */
function shardWithIndexAtStart() {
  const index_codecs = [little, crc32c];
  const configuration = { chunk_shape: [2], codecs: [little], index_codecs, index_location: "start" };
  const index = withChecksum(new Uint8Array(BigUint64Array.of(36n, 4n, 40n, 4n).buffer));
  const metadata = arrayMetadata({ codecs: [{ name: "sharding_indexed", configuration }] });
  return { metadata, bytes: [...index, ...FOUR] };
}

const wrong = withChecksum(Uint8Array.from(FOUR), 0x12345678);
const shard = shardWithIndexAtStart();

// `before` is the result of zarrita 0.7 alone, or a part of its error message. `after` is the result with our codecs in every
// version, or the class of the error.
const CASES = {
  "a wrong checksum": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ codecs: [little, crc32c] }), wrong),
    before: [1, 2, 3, 0],
    after: ChecksumMismatchError,
    fields: { stored: 0x12345678, byteLength: 8 },
  },
  "crc32c when writing": {
    run: (zarrita) => written(zarrita, { codecs: [little, crc32c], data: Int16Array.of(1, 2, 3, 0) }),
    before: /crc32c/,
    after: [...withChecksum(Uint8Array.from(FOUR))],
  },
  "crc32c of 3 bytes": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ codecs: [little, crc32c] }), [1, 2, 3]),
    before: /Invalid typed array length: -1/,
    after: ChunkLengthError,
    fields: { expected: 12, actual: 3 },
  },
  "the name endian": {
    run: (zarrita) =>
      readChunk(zarrita, arrayMetadata({ codecs: [{ ...big, name: "endian" }] }), [0, 1, 0, 2, 0, 3, 0, 0]),
    before: /Unknown codec: endian/,
    after: [1, 2, 3, 0],
  },
  "a codec in short-hand": {
    run: (zarrita, extension) =>
      readChunk(
        zarrita,
        arrayMetadata({ dataType: "uint8", codecs: ["bytes", crc32c] }),
        withChecksum([1, 2, 3, 4]),
        extension,
      ),
    before: /Unknown codec: undefined/,
    after: [1, 2, 3, 4],
  },
  "6 of 8 bytes": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ codecs: [little] }), FOUR.slice(0, 6)),
    before: [1, 2, 3, undefined],
    after: ChunkLengthError,
    fields: { expected: 8, actual: 6 },
  },
  "7 of 8 bytes": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ codecs: [big] }), FOUR.slice(0, 7)),
    before: [256, 512, 768, undefined],
    after: ChunkLengthError,
    fields: { expected: 8, actual: 7 },
  },
  "more bytes than the shape has": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ codecs: [little] }), [...FOUR, 9, 9]),
    before: [1, 2, 3, 0],
    after: ChunkLengthError,
    fields: { expected: 8, actual: 10 },
  },
  "an endian of middle": {
    run: (zarrita) =>
      readChunk(
        zarrita,
        arrayMetadata({ codecs: [{ name: "bytes", configuration: { endian: "middle" } }] }),
        FOUR,
      ),
    before: [1, 2, 3, 0],
    after: InvalidMetadataError,
    fields: { path: "codecs[0].configuration.endian" },
  },
  "no endian for int16": {
    run: (zarrita) =>
      readChunk(zarrita, arrayMetadata({ codecs: [{ name: "bytes" }, crc32c] }), withChecksum(FOUR)),
    before: [1, 2, 3, 0],
    after: InvalidMetadataError,
    fields: { path: "codecs[0].configuration.endian" },
  },
  "an unknown member of a configuration": {
    run: (zarrita) =>
      readChunk(
        zarrita,
        arrayMetadata({ codecs: [little, { name: "crc32c", configuration: { location: "start" } }] }),
        wrong,
      ),
    before: [1, 2, 3, 0],
    after: InvalidMetadataError,
    fields: { path: "codecs[1].configuration.location" },
  },
  "codecs in the wrong order": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ codecs: [crc32c, little] }), withChecksum(FOUR)),
    before: [1, 2, 3, 0],
    after: InvalidMetadataError,
  },
  "encoding a view, little endian": {
    run: (zarrita) =>
      encodedBy(zarrita, "bytes", { endian: "little" }, { data: view(), shape: [2], stride: [1] }, "int16"),
    before: [9, 0, 1, 0, 2, 0, 9, 0],
    after: [1, 0, 2, 0],
  },
  "encoding a view, big endian": {
    run: (zarrita) =>
      encodedBy(zarrita, "bytes", { endian: "big" }, { data: view(), shape: [2], stride: [1] }, "int16"),
    before: [0, 9, 0, 1, 0, 2, 0, 9],
    after: [0, 1, 0, 2],
  },
  "a shard with its index at the start": {
    run: (zarrita) => readChunk(zarrita, shard.metadata, shard.bytes),
    before: [0, 0],
    after: ChecksumMismatchError,
    fields: { byteLength: 32 },
  },
  "bool, big endian": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ dataType: "bool", codecs: [big] }), [1, 0, 0, 0]),
    before: [false, false, false, true],
    after: [true, false, false, false],
  },
  "a bool of 2": {
    run: (zarrita) => readChunk(zarrita, arrayMetadata({ dataType: "bool", codecs: [little] }), [1, 2, 0, 0]),
    before: [true, true, false, false],
    after: InvalidElementError,
    fields: { index: 1, value: 2 },
  },
  complex64: {
    run: (zarrita, extension) =>
      readChunk(
        zarrita,
        arrayMetadata({ dataType: "complex64", length: 1, fill_value: [0, 0], codecs: [big] }),
        [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0],
        extension,
      ),
    before: /dataType: complex64/,
    after: [1, -2],
  },
  r16: {
    run: (zarrita, extension) =>
      readChunk(
        zarrita,
        arrayMetadata({ dataType: "r16", length: 2, fill_value: [0, 0], codecs: [big] }),
        [1, 2, 3, 4],
        extension,
      ),
    before: /dataType: r16/,
    after: [1, 2, 3, 4],
  },
  "a data type as an object": {
    run: (zarrita, extension) =>
      readChunk(
        zarrita,
        arrayMetadata({ data_type: { name: "int16" }, codecs: [big] }),
        [0, 1, 0, 2, 0, 3, 0, 0],
        extension,
      ),
    before: /is not a function/,
    after: [1, 2, 3, 0],
  },
  float16: {
    run: (zarrita, extension) =>
      readChunk(
        zarrita,
        arrayMetadata({ dataType: "float16", length: 2, codecs: [big] }),
        [0x3c, 0, 0xc0, 0],
        extension,
      ),
    before: "Float16Array" in globalThis ? [1, -2] : /dataType: float16/,
    after: [1, -2],
  },
};

async function outcomeOf(run) {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}

describe("zarrita 0.7 alone", () => {
  const zarrita = VERSIONS["0.7"];
  for (const [name, { run, before }] of Object.entries(CASES)) {
    test(name, async () => {
      const { value, error } = await outcomeOf(() => run(zarrita, (store) => store));
      if (before instanceof RegExp) assert.match(`${error?.message} ${error?.cause?.message}`, before);
      else assert.deepEqual(value, before, String(error?.stack));
    });
  }
});

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version} with our codecs`, () => {
    for (const [name, { run, after, fields = {} }] of Object.entries(CASES)) {
      test(name, async () => {
        const { value, error } = await outcomeOf(() => registered(zarrita, () => run(zarrita, withCodecs)));
        if (typeof after !== "function") return assert.deepEqual(value, after, String(error?.stack));
        // zarrita 0.7 throws an error of its own, whose cause is ours.
        const own = error?.cause ?? error;
        assert.ok(own instanceof after, String(own?.stack));
        for (const [field, expected] of Object.entries(fields)) assert.equal(own[field], expected, field);
      });
    }
  });
}

test("little-endian data is decoded to a view of the fetched bytes, as by zarrita's own codec", async (t) => {
  for (const zarrita of Object.values(VERSIONS)) {
    t.after(register(zarrita.registry));
    const store = storeWith(arrayMetadata({ codecs: [little] }), { "/c/0": FOUR });
    const { data } = await (await zarrita.open.v3(store, { kind: "array" })).getChunk([0]);
    assert.equal(data.buffer, store.get("/c/0").buffer);
  }
});

test("fetched bytes are never written", async (t) => {
  for (const zarrita of Object.values(VERSIONS)) {
    t.after(register(zarrita.registry));
    const store = storeWith(arrayMetadata({ codecs: [big] }), { "/c/0": FOUR });
    const array = await zarrita.open.v3(store, { kind: "array" });
    const chunks = [await array.getChunk([0]), await array.getChunk([0])].map(elementsOf);
    assert.deepEqual(chunks[0], [256, 512, 768, 0]);
    assert.deepEqual(chunks[1], chunks[0]);
    assert.deepEqual([...store.get("/c/0")], FOUR);
  }
});
