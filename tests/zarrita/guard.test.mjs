// The option guard of register() in each version of zarrita: chunks by other implementations, sound and damaged.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertEach, assertRejects, readChains } from "../js/chain-helpers.mjs";
import { chainChunksOf, damagedChunks } from "../js/chains.mjs";
import { assertSameBytes, withChecksum } from "../js/helpers.mjs";
import { ARRAY_TYPES } from "../js/vectors.mjs";
import { encoded, little, readAt, unwrapped, zstd } from "./guard-helpers.mjs";
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

/** Asserts that a chunk has these elements, as far as JavaScript's numbers tell. */
function assertElements(chunk, components, where) {
  const elements = elementsOf(chunk).map((value) => (typeof value === "boolean" ? Number(value) : value));
  assert.equal(elements.length, components.length, where);
  const wrong = elements.findIndex((value, i) => !Object.is(value, components[i]));
  assert.equal(wrong, -1, `${where}, element ${wrong}: ${elements[wrong]}`);
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
