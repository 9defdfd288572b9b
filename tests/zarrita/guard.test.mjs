// The option guard of register(): chunks by other implementations through zarrita, sound and damaged.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  ExternalCodecError,
  InvalidArgumentError,
  loadCodecChain,
} from "zarr-codecs";
import { register, withExtendedTypes } from "zarr-codecs/register";
import { assertEach, assertRejects, ENCODERS, readChains } from "../js/chain-helpers.mjs";
import { chainChunksOf, damagedChunks } from "../js/chains.mjs";
import { assertSameBytes, assertThrows, withChecksum } from "../js/helpers.mjs";
import { ARRAY_TYPES, fromHex } from "../js/vectors.mjs";
import { arrayMetadata, elementsOf, IDENTITY, MemoryStore, registered, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const FILES = ["zarr-python.json", "tensorstore.json", "zarrs.json"];

/** The numbers of chunks and of damages that each version of zarrita has the codecs for. */
const COUNTS = {
  0.4: { sound: 853, damaged: 740 },
  0.5: { sound: 853, damaged: 740 },
  0.6: { sound: 853, damaged: 740 },
  0.7: { sound: 938, damaged: 920 },
};

const little = { name: "bytes", configuration: { endian: "little" } };
const zstd = { name: "zstd", configuration: { level: 0, checksum: false } };
const zarrita07 = VERSIONS["0.7"];

/**
 * Returns whether a version of zarrita decodes the chain of an array right. It applies no more than one transposition, and its
 * shuffle takes the size of the data type's element for the configured one.
 */
const isSupported = ({ registry }, { data_type, codecs }) =>
  codecs.every(({ name }) => registry.has(name)) &&
  codecs.filter(({ name }) => name === "transpose").length <= 1 &&
  codecs.every(
    ({ name, configuration }) =>
      name !== "numcodecs.shuffle" || configuration.elementsize === ARRAY_TYPES[data_type].BYTES_PER_ELEMENT,
  );

/** Reads a chunk through zarrita. */
async function readAt(zarrita, metadata, bytes, coordinates = []) {
  const path = ["/c", ...metadata.shape.map((_, axis) => coordinates[axis] ?? 0)].join("/");
  const store = withExtendedTypes(storeWith(metadata, { [path]: bytes }));
  const array = await zarrita.open.v3(store, { kind: "array" });
  return array.getChunk(array.shape.map((_, axis) => coordinates[axis] ?? 0));
}

/** Reads as a promise of it does, rejected with the error of this package: zarrita 0.7 throws it as the cause of its own. */
const unwrapped = (reading) =>
  reading.catch((error) => {
    throw error.name === "CodecPipelineError" ? error.cause : error;
  });

/** Asserts that a chunk has these elements, as far as JavaScript's numbers tell. */
function assertElements(chunk, components, where) {
  const elements = elementsOf(chunk).map((value) => (typeof value === "boolean" ? Number(value) : value));
  assert.equal(elements.length, components.length, where);
  const wrong = elements.findIndex((value, i) => !Object.is(value, components[i]));
  assert.equal(wrong, -1, `${where}, element ${wrong}: ${elements[wrong]}`);
}

/** Encodes an array with a chain, by zarrita's codecs. */
async function encoded(dataType, shape, codecs, data) {
  const chain = await loadCodecChain({ dataType, shape, codecs }, { codecs: ENCODERS });
  return chain.encode(data);
}

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  const guarded = (f, options) => registered(zarrita, f, { guard: true, ...options });

  describe(`guard, zarrita ${version}`, () => {
    test("sound chunks of every chain are read as they were written", async () => {
      await guarded(async () => {
        const chunks = FILES.flatMap((file) => [...chainChunksOf(readChains(file))]);
        const supported = chunks.filter(({ metadata }) => isSupported(zarrita, metadata));
        assert.equal(supported.length, COUNTS[version].sound);
        await assertEach(supported, async ({ where, key, metadata, encoded, components }) => {
          const given = encoded.slice();
          const coordinates = key.split("/").slice(1).map(Number);
          const chunk = await readAt(zarrita, metadata, given, coordinates);
          assertElements(chunk, components, where);
          assertSameBytes(given, encoded, where);
        });
      });
    });

    test("damaged chunks are errors of the class that follows", async () => {
      await guarded(async () => {
        const damages = [...damagedChunks(readChains("damaged.json"), readChains)];
        const supported = damages.filter(({ metadata }) => isSupported(zarrita, metadata));
        assert.equal(supported.length, COUNTS[version].damaged);
        await assertEach(supported, ({ where, metadata, damaged, expected }) =>
          assertRejects(unwrapped(readAt(zarrita, metadata, damaged)), expected, where),
        );
      });
    });

    test("inner chunks are expected to have the length of inner chunks", async () => {
      const part = await encoded("uint16", [4], [little, zstd], Uint16Array.of(1, 2, 3, 4));
      const other = await encoded("uint16", [8], [little, zstd], new Uint16Array(8));
      const shard = (inner) => {
        const index = new BigUint64Array([0n, BigInt(inner.length), 2n ** 64n - 1n, 2n ** 64n - 1n]);
        return Uint8Array.of(...inner, ...withChecksum(new Uint8Array(index.buffer)));
      };
      const metadata = arrayMetadata({
        dataType: "uint16",
        length: 8,
        codecs: [
          {
            name: "sharding_indexed",
            configuration: {
              chunk_shape: [4],
              codecs: [little, zstd],
              index_codecs: [little, { name: "crc32c" }],
            },
          },
        ],
      });
      await guarded(async () => {
        assert.deepEqual(elementsOf(await readAt(zarrita, metadata, shard(part))), [1, 2, 3, 4]);
        const error = await assertRejects(
          unwrapped(readAt(zarrita, metadata, shard(other))),
          ["ChunkLengthError"],
          "a longer inner chunk",
        );
        assert.deepEqual([error.expected, error.actual], [8, 16]);
      });
    });

    test("compressed chunks of Zarr v2 are read, and errors when damaged", async () => {
      for (const [dtype, dataType, endian] of [
        ["<u2", "uint16", "little"],
        [">u2", "uint16", "big"],
        ["<i4", "int32", "little"],
      ]) {
        for (const order of ["C", "F"]) {
          const meta = {
            ...{ zarr_format: 2, shape: [2, 3], chunks: [2, 3], dtype, order, fill_value: 0, filters: null },
            compressor: { id: "zstd", level: 0, checksum: false },
          };
          const bytes = { name: "bytes", configuration: { endian } };
          const data =
            dataType === "int32" ? Int32Array.of(1, -2, 3, 4, 5, 6) : Uint16Array.of(1, 2, 3, 4, 5, 6);
          const chunk = await encoded(dataType, [2, 3], [bytes, zstd], data);
          const longer = await encoded(dataType, [7], [bytes, zstd], new data.constructor(7));
          const read = async (stored) => {
            const json = new TextEncoder().encode(JSON.stringify(meta));
            const store = new MemoryStore([
              ["/.zarray", json],
              ["/0.0", stored],
            ]);
            const array = await zarrita.open.v2(store, { kind: "array" });
            return array.getChunk([0, 0]);
          };
          await guarded(async () => {
            const { data: read0 } = await read(chunk);
            assertSameBytes(read0, data, `${dtype}, ${order}`);
            await assertRejects(unwrapped(read(longer)), ["ChunkLengthError"], `${dtype}, ${order}, longer`);
            const magic = chunk.with(0, 0);
            await assertRejects(unwrapped(read(magic)), ["ExternalCodecError"], `${dtype}, ${order}, magic`);
          });
        }
      }
    });

    test("strings of Zarr v2, whose length is not known, are read", async () => {
      const meta = {
        ...{
          zarr_format: 2,
          shape: [2],
          chunks: [2],
          dtype: "<U1",
          order: "C",
          fill_value: "",
          filters: null,
        },
        compressor: { id: "zstd", level: 0, checksum: false },
      };
      const chunk = await encoded("uint32", [2], [little, zstd], Uint32Array.of(97, 98));
      const store = new MemoryStore([
        ["/.zarray", new TextEncoder().encode(JSON.stringify(meta))],
        ["/0", chunk],
      ]);
      const read = async () => {
        const array = await zarrita.open.v2(store, { kind: "array" });
        return [...(await array.getChunk([0])).data];
      };
      assert.deepEqual(await guarded(read), ["a", "b"]);
      store.set("/0", chunk.with(0, 0));
      await assertRejects(unwrapped(guarded(read)), ["ExternalCodecError"], "strings");
    });

    test("writing and reading with a codec of others gives the same", async (t) => {
      zarrita.registry.set("identity", () => IDENTITY);
      t.after(() => zarrita.registry.delete("identity"));
      const store = storeWith(arrayMetadata({ codecs: [little, { name: "identity" }, { name: "crc32c" }] }));
      await guarded(async () => {
        const array = await zarrita.open.v3(store, { kind: "array" });
        await zarrita.set(array, null, 7);
        assert.equal(store.get("/c/0").length, 12);
        assert.deepEqual(elementsOf(await array.getChunk([0])), [7, 7, 7, 7]);
      });
    });
  });
}

describe("guard", () => {
  const metadata = arrayMetadata({ dataType: "uint8", codecs: [{ name: "bytes" }, zstd] });
  const damaged = () => encoded("uint8", [5], ["bytes", zstd], new Uint8Array(5));

  test("is off by default, and restores what was registered", async () => {
    const before = [...zarrita07.registry];
    const chunk = await damaged();
    const length = async () => (await readAt(zarrita07, metadata, chunk)).data.length;
    for (const options of [undefined, { guard: false }]) {
      const unregister = register(zarrita07.registry, options);
      for (const name of ["zstd", "transpose", "vlen-utf8"]) {
        assert.equal(zarrita07.registry.get(name), new Map(before).get(name), name);
      }
      unregister();
    }
    const endings = [
      register(zarrita07.registry, { guard: true }),
      register(zarrita07.registry, { guard: true }),
    ];
    await assert.rejects(length(), ({ cause }) => cause instanceof ChunkLengthError);
    endings[0]();
    await assert.rejects(length(), ({ cause }) => cause instanceof ChunkLengthError);
    endings[1]();
    assert.deepEqual([...zarrita07.registry], before);
    assert.equal(await length(), 5);
  });

  test("names the codec, its place and the lengths", async () => {
    const chunk = await damaged();
    const reading = () => readAt(zarrita07, metadata, chunk);
    const error = await assertRejects(
      unwrapped(registered(zarrita07, reading, { guard: true })),
      ["ChunkLengthError"],
      "longer",
    );
    assert.deepEqual([error.expected, error.actual], [4, 5]);
    assert.match(error.message, /codecs\[1\]/);
    const twice = arrayMetadata({
      dataType: "uint8",
      codecs: [{ name: "bytes" }, zstd, { name: "crc32c" }, { ...zstd }],
    });
    await assert.rejects(
      registered(zarrita07, () => readAt(zarrita07, twice, chunk.with(0, 0)), { guard: true }),
      ({ cause }) => cause instanceof ExternalCodecError && cause.path === "codecs[3]",
    );
  });

  test("keeps everything else of classes and of their instances", async () => {
    class Codec {
      #secret = 7;
      static codecId = "mine";
      static fromConfig(configuration) {
        return Object.assign(new Codec(), { configuration });
      }
      get secret() {
        return this.#secret;
      }
      computeEncodedSize(size) {
        return size + this.#secret;
      }
      encode(bytes) {
        return bytes;
      }
      decode(bytes) {
        return bytes;
      }
    }
    const ArrayCodec = { fromConfig: () => ({ kind: "array_to_array" }) };
    const registry = new Map([
      ["mine", async () => Codec],
      ["array", () => ArrayCodec],
    ]);
    register(registry, { guard: true });
    const Guarded = await registry.get("mine")();
    assert.equal(Guarded.codecId, "mine");
    const codec = Guarded.fromConfig({ level: 1 }, { dataType: "uint8", shape: [2], codecs: [] });
    assert.ok(codec instanceof Codec);
    assert.equal(codec.constructor, Codec);
    assert.deepEqual(codec.configuration, { level: 1 });
    assert.deepEqual([codec.kind, codec.secret, codec.computeEncodedSize(1)], [undefined, 7, 8]);
    assert.deepEqual(codec.encode(Uint8Array.of(1)), Uint8Array.of(1));
    assert.deepEqual(await codec.decode(Uint8Array.of(1)), Uint8Array.of(1));
    assert.deepEqual((await registry.get("array")()).fromConfig(), { kind: "array_to_array" });
  });

  test("wraps frozen classes and instances", async () => {
    const instance = Object.freeze({ encode: (bytes) => bytes, decode: () => new Uint8Array(3) });
    const Frozen = Object.freeze({ codecId: "frozen", fromConfig: () => instance });
    const registry = new Map([["frozen", () => Frozen]]);
    register(registry, { guard: true });
    const codecs = [{ name: "bytes" }, { name: "frozen" }];
    const Guarded = await registry.get("frozen")();
    const codec = Guarded.fromConfig(undefined, { dataType: "uint8", shape: [2], codecs });
    assert.equal(Guarded.codecId, "frozen");
    assert.deepEqual(codec.encode(Uint8Array.of(1)), Uint8Array.of(1));
    await assertRejects(codec.decode(Uint8Array.of(1)), ["ChunkLengthError"], "frozen");
  });

  test("knows lengths after codecs that change the data type, and before filters of Zarr v2", async () => {
    const cast = { data_type: "uint8", rounding: "nearest-even", out_of_range: "wrap" };
    const metadata = arrayMetadata({
      dataType: "float64",
      codecs: [{ name: "cast_value", configuration: cast }, { name: "bytes" }, zstd],
    });
    const of = (length) => encoded("uint8", [length], ["bytes", zstd], new Uint8Array(length).fill(7));
    const read = async (length) => readAt(zarrita07, metadata, await of(length));
    const shuffled = async (length) => {
      const meta = {
        ...{ zarr_format: 2, shape: [2], chunks: [2], dtype: "<u2", order: "C", fill_value: 0 },
        filters: [{ id: "shuffle", elementsize: 2 }],
        compressor: { id: "zstd", level: 0, checksum: false },
      };
      const store = new MemoryStore([
        ["/.zarray", new TextEncoder().encode(JSON.stringify(meta))],
        ["/0", await of(length)],
      ]);
      return (await zarrita07.open.v2(store, { kind: "array" })).getChunk([0]);
    };
    await registered(
      zarrita07,
      async () => {
        assert.deepEqual(elementsOf(await read(4)), [7, 7, 7, 7]);
        await assertRejects(unwrapped(read(32)), ["ChunkLengthError"], "as many bytes as of float64");
        assert.deepEqual(elementsOf(await shuffled(4)), [0x707, 0x707]);
        const error = await assertRejects(unwrapped(shuffled(5)), ["ChunkLengthError"], "shuffled");
        assert.match(error.message, /zstd/);
      },
      { guard: true },
    );
  });

  for (const [prefix, at] of [
    ["zstd-", -1],
    ["gzip-", -5], // The last 4 bytes are the length.
    ["numcodecs-zlib-", -1],
  ]) {
    test(`verifies the checksums of ${prefix} as the option verify says`, async (t) => {
      const { metadata, chunks } = readChains("zarr-python.json").arrays.find(
        ({ name, metadata: { codecs } }) =>
          name.startsWith(prefix) &&
          codecs.length === 2 &&
          (prefix !== "zstd-" || codecs[1].configuration.checksum),
      );
      const chunk = fromHex(chunks[0].encoded);
      const wrong = chunk.with(at, chunk.at(at) ^ 1);
      const read = async (verify, bytes) => {
        const reading = () => readAt(zarrita07, metadata, bytes);
        return elementsOf(await unwrapped(registered(zarrita07, reading, { guard: true, verify })));
      };
      const sound = await read(true, chunk);
      await assertRejects(read(true, wrong), ["ChecksumMismatchError"], "true");
      assert.deepEqual(await read(false, wrong), sound);
      const seen = [];
      assert.deepEqual(await read((error) => seen.push(error), wrong), sound);
      assert.ok(seen.length === 1 && seen[0] instanceof ChecksumMismatchError);
      const warn = t.mock.method(console, "warn", () => {});
      assert.deepEqual(await read("warn", wrong), sound);
      assert.equal(warn.mock.callCount(), 1);
    });
  }

  test("serves loadCodecChain", async (t) => {
    t.after(register(zarrita07.registry, { guard: true }));
    const chain = await loadCodecChain(
      { dataType: "uint8", shape: [4], codecs: ["bytes", zstd] },
      { codecs: zarrita07.registry },
    );
    assert.deepEqual(
      (await chain.decode(await chain.encode(Uint8Array.of(1, 2, 3, 4)))).data,
      Uint8Array.of(1, 2, 3, 4),
    );
    await assertRejects(chain.decode(await damaged()), ["ChunkLengthError"], "longer");
  });

  test("needs a registry that lists its names", () => {
    const map = new Map();
    const registry = {
      get: (name) => map.get(name),
      set: (...entry) => map.set(...entry),
      delete: (name) => map.delete(name),
    };
    register(registry)();
    assertThrows(() => register(registry, { guard: true }), InvalidArgumentError, { argument: "registry" });
    assertThrows(() => register(new Map(), { guard: "yes" }), InvalidArgumentError, {
      argument: "options.guard",
    });
  });
});
