// The memory of decoded chunks: stores return their own memory, and zarrita writes into decoded chunks.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { register } from "zarr-codecs/zarrita";
import { withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, elementsOf, IDENTITY, MemoryStore, registered, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c" };
const identity = { name: "identity" };
const ENCODED = [1, 0, 2, 0, 3, 0, 4, 0]; // int16, little endian

/** Codecs with a checksum, and the encoded numbers 1 to 4. */
const CHECKED = {
  "little endian": [[little, crc32c], withChecksum(ENCODED)],
  "the name endian": [[{ ...little, name: "endian" }, crc32c], withChecksum(ENCODED)],
  "after a transpose": [
    [{ name: "transpose", configuration: { order: [0] } }, little, crc32c],
    withChecksum(ENCODED),
  ],
  "big endian": [[big, crc32c], withChecksum([0, 1, 0, 2, 0, 3, 0, 4])],
  "two checksums": [[little, crc32c, crc32c], withChecksum(withChecksum(ENCODED))],
  "a codec of others before the checksum": [[little, identity, crc32c], withChecksum(ENCODED)],
  "a codec of others after the checksum": [[little, crc32c, identity], withChecksum(ENCODED)],
  "single bytes": [["bytes", crc32c], withChecksum([1, 2, 3, 4]), "uint8"],
};

/** Opens an array of the numbers 1 to 4 in a store that returns the bytes it holds, and calls `f`. */
async function opened(zarrita, [codecs, encoded, dataType], f, options) {
  zarrita.registry.set("identity", () => IDENTITY);
  const named = codecs.map((codec) => (codec === "bytes" ? { name: codec } : codec));
  const store = storeWith(arrayMetadata({ codecs: named, dataType }), { "/c/0": encoded });
  try {
    return await registered(
      zarrita,
      async () => f(await zarrita.open.v3(store, { kind: "array" }), store),
      options,
    );
  } finally {
    zarrita.registry.delete("identity");
  }
}

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  const read = async (array) => elementsOf(await zarrita.get(array));

  describe(`a chunk with a checksum, zarrita ${version}`, () => {
    for (const [name, layout] of Object.entries(CHECKED)) {
      test(`${name}: writing a part while reading`, async () => {
        await opened(zarrita, layout, async (array, store) => {
          const { promise: stored, resolve: finish } = deferred();
          const { promise: begun, resolve: begin } = deferred();
          const set = store.set.bind(store);
          store.set = async (...entry) => {
            begin();
            await stored;
            set(...entry);
          };
          const writing = zarrita.set(array, [zarrita.slice(1, 3)], 9);
          await begun; // The part has been written into the decoded chunk, but not into the store.
          assert.deepEqual(await read(array), [1, 2, 3, 4]);
          finish();
          await writing;
          assert.deepEqual(await read(array), [1, 9, 9, 4]);
        });
      });

      test(`${name}: a store that fails to write`, async () => {
        await opened(zarrita, layout, async (array, store) => {
          store.set = async () => {
            throw new Error("the disk is full");
          };
          await assert.rejects(zarrita.set(array, [0], 9), /the disk is full/);
          assert.deepEqual(await read(array), [1, 2, 3, 4]);
        });
      });

      for (const verify of [true, false]) {
        test(`${name}: a caller that writes into a chunk, verify: ${verify}`, async () => {
          const write = async (array, store) => {
            const { data } = await array.getChunk([0]);
            data[0] = 9;
            assert.notEqual(data.buffer, store.get("/c/0").buffer);
            assert.deepEqual(await read(array), [1, 2, 3, 4]);
          };
          await opened(zarrita, layout, write, { verify });
        });
      }
    }

    test("bool", async () => {
      const layout = [["bytes", crc32c], withChecksum([1, 0, 1, 0]), "bool"];
      await opened(zarrita, layout, async (array) => {
        (await array.getChunk([0])).data.set(0, false);
        assert.deepEqual(await read(array), [true, false, true, false]);
      });
    });

    test("a shuffle of others that returns its input", async (t) => {
      const { registry } = zarrita;
      const before = registry.get("numcodecs.shuffle");
      registry.set("numcodecs.shuffle", () => IDENTITY);
      t.after(() => {
        if (before) registry.set("numcodecs.shuffle", before);
        else registry.delete("numcodecs.shuffle");
      });
      const shuffle = { name: "numcodecs.shuffle", configuration: { elementsize: 1 } };
      await opened(zarrita, [[little, shuffle, crc32c], withChecksum(ENCODED)], async (array) => {
        (await array.getChunk([0])).data[0] = 9;
        assert.deepEqual(await read(array), [1, 2, 3, 4]);
      });
    });

    test("a filter of Zarr v2", async () => {
      const metadata = {
        zarr_format: 2,
        shape: [4],
        chunks: [4],
        dtype: "<i2",
        order: "C",
        fill_value: 0,
        compressor: null,
        filters: [{ id: "crc32c", location: "end" }],
      };
      const store = new MemoryStore([
        ["/.zarray", new TextEncoder().encode(JSON.stringify(metadata))],
        ["/0", withChecksum(ENCODED)],
      ]);
      await registered(zarrita, async () => {
        const array = await zarrita.open.v2(store, { kind: "array" });
        (await array.getChunk([0])).data[0] = 9;
        assert.deepEqual(await read(array), [1, 2, 3, 4]);
      });
    });

    test("in a shard", async () => {
      const configuration = { chunk_shape: [2], codecs: [little, crc32c], index_codecs: [little, crc32c] };
      const index = new Uint8Array(BigUint64Array.of(0n, 8n, 8n, 8n).buffer);
      const [first, second] = [ENCODED.slice(0, 4), ENCODED.slice(4)].map((bytes) => withChecksum(bytes));
      const shard = Uint8Array.from([...first, ...second, ...withChecksum(index)]);
      const layout = [[{ name: "sharding_indexed", configuration }], shard];
      await opened(zarrita, layout, async (array) => {
        for (const chunk of [0, 1]) (await array.getChunk([chunk])).data[0] = 9;
        assert.deepEqual(await read(array), [1, 2, 3, 4]);
      });
    });
  });

  test(`without a checksum chunks are views, as with zarrita's own codecs, zarrita ${version}`, async () => {
    const bits = Uint8Array.of(1, 0, 1, 0);
    for (const layout of [
      [[little], Uint8Array.from(ENCODED)],
      [[little, identity], Uint8Array.from(ENCODED)],
      [["bytes"], bits, "bool"],
      [["bytes", identity], bits, "bool"],
    ]) {
      await opened(zarrita, layout, async (array, store) => {
        const { data } = await array.getChunk([0]);
        assert.equal(data.buffer, store.get("/c/0").buffer);
      });
    }
  });
}

test("crc32c that is created without metadata decodes to memory of its own", async () => {
  const registry = new Map();
  register(registry);
  const codec = (await registry.get("crc32c")()).fromConfig();
  const encoded = withChecksum(ENCODED);
  const decoded = await codec.decode(encoded);
  assert.deepEqual([...decoded], ENCODED);
  assert.notEqual(decoded.buffer, encoded.buffer);
});

/** Returns a promise and its `resolve`, as `Promise.withResolvers` does from Node 22 on. */
function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve) => {
    parts.resolve = resolve;
  });
  return parts;
}
