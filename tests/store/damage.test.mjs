// Damage is an error whatever reads the store, and the error names the place.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, withCodecs } from "zarr-codecs";
import { errorOf, metadataWith, sharding } from "../array/helpers.mjs";
import { flip, openStore, ownError, valuesOf } from "../shards/stores.mjs";
import { elementsOf } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";
import { big, cached, complex, crc32c, grid, open, openIn, storeOf, zarrita } from "./helpers.mjs";

const INDEX = { offset: 96, length: 100 };

for (const [version, module] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}, in which nothing is registered`, () => {
    test("a flipped bit in an inner chunk", async () => {
      for (const name of ["end", "start", "transposed-outside"]) {
        const store = openStore("tensorstore");
        flip(store, `/${name}/c/0/0`, name === "start" ? 120 : 20);
        const array = await openIn(module, withCodecs(store), `/${name}`);
        const error = ownError(await errorOf(module.get(array)));
        assert.deepEqual([error.code, error.key], ["checksum_mismatch", `/${name}/c/0/0`]);
        assert.equal(error.chunk.length, 2);
        assert.equal(error.range.length, 16);
        assert.match(error.message, /^\/\S+c\/0\/0, chunk \(\d, \d\), bytes \d+ to \d+/);
        // Only that chunk is damaged.
        assert.ok(await array.getChunk([1, 3]));
      }
    });

    test("a flipped bit in an index", async () => {
      const store = openStore("tensorstore");
      flip(store, "/end/c/0/0", -50);
      const array = await openIn(module, withCodecs(store), "/end");
      const error = ownError(await errorOf(module.get(array)));
      assert.deepEqual([error.code, error.key], ["checksum_mismatch", "/end/c/0/0"]);
      assert.equal(error.range.length ?? error.range.suffixLength, INDEX.length);
    });

    test("elements that are not allowed, and lengths that are wrong, without a checksum", async () => {
      const little = { name: "bytes", configuration: { endian: "little" } };
      for (const [data_type, codecs, bytes, code] of [
        ["bool", ["bytes"], [1, 2], "invalid_element"],
        ["int16", [little], [1, 0, 2], "chunk_length"],
        ["int16", [little], [1, 0, 2, 0, 3, 0], "chunk_length"],
        ["int16", [big], [], "chunk_length"],
      ]) {
        const fill_value = data_type === "bool" ? false : 0;
        const metadata = metadataWith({ data_type, fill_value, codecs });
        const array = await open(storeOf(metadata, { "/c/1": Uint8Array.from(bytes) }), { version });
        const error = ownError(await errorOf(array.getChunk([1])));
        assert.deepEqual([error.code, error.key, error.chunk], [code, "/c/1", [1]], data_type);
      }
    });
  });
}

test("the chunk in errors is without the added axis", async () => {
  const store = storeOf(complex(), { "/c/1": new Uint8Array(20) });
  const error = await errorOf(withCodecs(store).get("/c/1/0"));
  assert.deepEqual([error.code, error.key, error.chunk], ["checksum_mismatch", "/c/1", [1]]);
});

test("in shards, the chunk is that of the array's grid", async () => {
  const codecs = [sharding([1, 2], ["bytes", crc32c])];
  const metadata = metadataWith({ shape: [4, 4], chunk_grid: grid(2, 2), codecs });
  const chain = createCodecChain({ dataType: "uint8", shape: [2, 2], codecs, fillValue: 0 });
  const shard = chain.encode(Uint8Array.of(1, 2, 3, 4));
  shard[7] ^= 4;
  const store = storeOf(metadata, { "/c/1/0": shard });
  const error = await errorOf(withCodecs(store).get("/c/3/0"));
  assert.deepEqual([error.key, error.chunk, error.range], ["/c/1/0", [3, 0], { offset: 6, length: 6 }]);
  assert.match(error.message, /^\/c\/1\/0, chunk \(3, 0\), bytes 6 to 11 /);
});

test("what was damaged when it was read first is read again", async () => {
  const files = openStore("tensorstore");
  let isFirst = true;
  const store = withCodecs({
    get: async (key) => files.get(key),
    async getRange(key, range) {
      const bytes = files.getRange(key, range).slice();
      if (isFirst && range.offset !== undefined) {
        bytes[0] ^= 1;
        isFirst = false;
      }
      return bytes;
    },
  });
  const array = await openIn(zarrita, store, "/end");
  assert.deepEqual(elementsOf(await zarrita.get(array)), valuesOf("tensorstore", "end").values);
  assert.equal(isFirst, false);
});

test("verify: false", async () => {
  const store = storeOf(complex(), { "/c/0": new Uint8Array(20) });
  assert.deepEqual([...(await withCodecs(store, { verify: false }).get("/c/0/0"))], Array(16).fill(0));
});

test("errors of the store are thrown as they are", async () => {
  const failure = new Error("offline");
  for (const metadata of [complex(), metadataWith({ codecs: [{ name: "bytes" }] })]) {
    const files = storeOf(metadata);
    const store = withCodecs({
      get(key) {
        if (key.startsWith("/c/")) throw failure;
        return files.get(key);
      },
    });
    const array = await openIn(zarrita, store);
    assert.equal(await errorOf(array.getChunk(array.shape.map(() => 0))), failure);
  }
});

describe("memory", () => {
  const little = { name: "bytes", configuration: { endian: "little" } };
  const codecs = [little, crc32c];
  const chunk = () => createCodecChain({ dataType: "int16", shape: [2], codecs }).encode(Int16Array.of(1, 2));

  test("chunks are views of what the store returned", async () => {
    for (const [members, bytes] of [
      [{ codecs: [little] }, Uint8Array.of(1, 0, 2, 0)],
      [{ codecs }, chunk()],
    ]) {
      const store = storeOf(metadataWith({ data_type: "int16", ...members }), { "/c/0": bytes });
      const shown = await withCodecs(store).get("/c/0");
      assert.equal(shown.buffer, bytes.buffer);
      assert.equal(shown.byteLength, 4);
    }
  });

  test("chunks are aligned", async () => {
    for (const members of [{ codecs: [little] }, { codecs }]) {
      const encoded = members.codecs.length === 1 ? Uint8Array.of(1, 0, 2, 0) : chunk();
      const odd = new Uint8Array(encoded.length + 1);
      odd.set(encoded, 1);
      for (const bytes of [odd.subarray(1), Buffer.from(odd.buffer).subarray(1)]) {
        const metadata = metadataWith({ data_type: "int16", ...members });
        const shown = await withCodecs(storeOf(metadata, { "/c/0": bytes })).get("/c/0");
        assert.equal(shown.byteOffset % 2, 0);
        assert.deepEqual([...shown], [1, 0, 2, 0]);
      }
    }
  });

  test("a chunk of a caching store that was edited is read again as it is", async () => {
    const sharded = [sharding([1], codecs)];
    const shard = createCodecChain({ dataType: "int16", shape: [2], codecs: sharded, fillValue: 0 });
    for (const [members, bytes] of [
      [{ codecs }, chunk()],
      [{ codecs: sharded }, shard.encode(Int16Array.of(1, 2))],
    ]) {
      const metadata = metadataWith({ data_type: "int16", ...members });
      const storeIn = (memory) => storeOf(metadata, { "/c/0": memory });
      const slicing = (files) => ({
        get: (key) => files.get(key),
        getRange: (key, range) => files.getRange(key, range)?.slice(),
      });
      for (const wrap of [(files) => files, cached, (files) => cached(slicing(files))]) {
        const store = wrap(storeIn(bytes.slice()));
        const array = await open(store);
        const { data } = await array.getChunk([0]);
        data[0] = 77;
        assert.ok([1, 77].includes((await array.getChunk([0])).data[0]));
        assert.ok([1, 77].includes((await (await open(store)).getChunk([0])).data[0]));
      }
    }
  });
});
