// Damaged shards: each is an error that has the key, the coordinates and the bytes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, openShard } from "zarr-codecs";
import { register, withExtendedTypes, withShards } from "zarr-codecs/zarrita";
import { VERSIONS } from "../zarrita/versions.mjs";
import { flip, metadataOf, openStore, ownError } from "./stores.mjs";

const open = (zarrita, store, name) =>
  zarrita.open.v3(zarrita.root(store).resolve(`/${name}`), { kind: "array" });

/** Returns the error of reading a chunk through zarrita. */
async function errorOf(zarrita, store, name, chunk, signal) {
  const array = await open(zarrita, store, name);
  try {
    await array.getChunk(chunk, { signal });
  } catch (error) {
    return ownError(error);
  }
  return undefined;
}

/** Changes an entry of the index, which has no checksum, of the array `unchecked`. */
function setEntry(store, entry, offset, length, key = "/unchecked/c/0/0") {
  const bytes = Uint8Array.from(store.get(key));
  const index = new BigUint64Array(bytes.slice(-16 * 6).buffer);
  if (offset !== undefined) index[2 * entry] = offset;
  if (length !== undefined) index[2 * entry + 1] = length;
  bytes.set(new Uint8Array(index.buffer), bytes.length - 16 * 6);
  store.set(key, bytes);
}

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}`, () => {
    for (const name of ["end", "start", "nested", "transposed-outside", "zstd", "gzip"]) {
      test(`a flipped bit in an inner chunk: ${name}`, async (t) => {
        t.after(register(zarrita.registry, { guard: true }));
        const store = openStore("tensorstore");
        const chunk = [1, 2];
        const shard = createCodecChainOf(store, name);
        const range = await shard(chunk);
        flip(store, `/${name}/c/0/0`, range.offset + range.length - 6);
        const error = await errorOf(zarrita, withShards(store), name, chunk);
        assert.deepEqual(
          { code: error?.code, key: error?.key, chunk: error?.chunk, range: error?.range },
          { code: error?.code, key: `/${name}/c/0/0`, chunk, range },
        );
        assert.ok(
          error.message.startsWith(
            `/${name}/c/0/0, chunk (1, 2), bytes ${range.offset} to ${range.offset + range.length - 1} of the file: `,
          ),
          error.message,
        );
        // Other inner chunks are intact.
        assert.equal(await errorOf(zarrita, withShards(store), name, [0, 0]), undefined);
      });
    }

    test("each flipped bit of an index", async (t) => {
      t.after(register(zarrita.registry));
      for (const [name, range] of [
        ["end", { suffixLength: 100 }],
        ["start", { offset: 0, length: 100 }],
      ]) {
        for (let byte = 0; byte < 100; byte += 7) {
          const store = openStore();
          flip(store, `/${name}/c/1/1`, name === "end" ? byte - 100 : byte, byte % 8);
          const error = await errorOf(zarrita, withShards(store), name, [3, 4]);
          assert.deepEqual(
            [error?.code, error?.key, error?.range],
            ["checksum_mismatch", `/${name}/c/1/1`, range],
          );
          assert.equal(await errorOf(zarrita, withShards(store), name, [0, 0]), undefined);
        }
      }
    });
  });
}

test("an element that is not allowed", async (t) => {
  const zarrita = VERSIONS["0.7"];
  t.after(register(zarrita.registry));
  const store = openStore("tensorstore");
  const metadata = metadataOf(store, "bool");
  const [{ configuration }] = metadata.codecs;
  configuration.codecs = configuration.index_codecs = OPAQUE.slice(0, 1);
  const shard = createCodecChain(metadata).encode(new Uint8Array(36).fill(1));
  shard[13] = 2;
  store.set("/bool/zarr.json", new TextEncoder().encode(JSON.stringify(metadata)));
  store.set("/bool/c/0/0", shard);
  const { code, key, chunk, range } = await errorOf(zarrita, withShards(store), "bool", [0, 2]);
  assert.deepEqual(
    { code, key, chunk, range },
    { code: "invalid_element", key: "/bool/c/0/0", chunk: [0, 2], range: { offset: 12, length: 6 } },
  );
});

/** Returns a function that finds the bytes of an inner chunk of the first shard. */
function createCodecChainOf(store, name) {
  const bytes = store.get(`/${name}/c/0/0`);
  const metadata = metadataOf(store, name);
  return async (chunk) => {
    if (name === "nested") {
      // The inner shard (0, 0) of 4 x 6 in inner chunks of 2 x 3, with its index first.
      const [sharding] = metadata.codecs;
      const outer = await openShard(createCodecChain(metadata), bytes);
      const [y, x] = chunk.map((at) => Math.floor(at / 2));
      const { offset, length } = outer.range([y, x]);
      const [inner] = sharding.configuration.codecs;
      const { chunk_shape } = sharding.configuration;
      const grid = { name: "regular", configuration: { chunk_shape } };
      const chain = createCodecChain({ ...metadata, chunk_grid: grid, codecs: [inner] });
      const shard = await openShard(chain, bytes.subarray(offset, offset + length));
      const range = shard.range(chunk.map((at) => at % 2));
      return { offset: offset + range.offset, length: range.length };
    }
    // With codecs of others and transposes removed, which change no ranges.
    const sharding = metadata.codecs.at(-1);
    const isTransposed = metadata.codecs.length > 1;
    const { chunk_shape } = metadata.chunk_grid.configuration;
    const grid = {
      name: "regular",
      configuration: {
        chunk_shape: isTransposed ? (chunk_shape.toReversed?.() ?? [...chunk_shape].reverse()) : chunk_shape,
      },
    };
    const codecs = [{ ...sharding, configuration: { ...sharding.configuration, codecs: OPAQUE } }];
    const { loadCodecChain } = await import("zarr-codecs");
    const chain = await loadCodecChain({ ...metadata, chunk_grid: grid, codecs });
    const shard = await openShard(chain, bytes);
    return shard.range(isTransposed ? [...chunk].reverse() : chunk);
  };
}

/** Codecs of inner chunks of any length. */
const OPAQUE = [{ name: "bytes", configuration: { endian: "little" } }, { name: "gzip" }];

describe("entries of an index without a checksum", () => {
  const zarrita = VERSIONS["0.7"];
  const CASES = {
    "half missing": [2n ** 64n - 1n, undefined],
    "the other half missing": [undefined, 2n ** 64n - 1n],
    "overlapping another inner chunk": [6n, undefined],
    "of another length": [undefined, 13n],
    "beyond any file": [2n ** 60n, undefined],
    overflowing: [2n ** 64n - 8n, 12n],
  };
  for (const [name, entry] of Object.entries(CASES)) {
    test(`${name}`, async () => {
      const store = openStore("tensorstore");
      setEntry(store, 4, ...entry);
      const error = await errorOf(zarrita, withShards(store), "unchecked", [0, 0]);
      assert.equal(error?.code, "invalid_element");
      assert.equal(error.key, "/unchecked/c/0/0");
      assert.deepEqual(error.range, { suffixLength: 96 });
      assert.match(
        error.message,
        /^\/unchecked\/c\/0\/0[,:] shard index, last 96 bytes of the file: shard index /,
      );
      assert.match(error.message, /: inner chunk \(1, [12]\) at (offset|bytes) \d+.* of the shard/);
    });
  }

  test("beyond the end of the shard", async () => {
    const store = openStore("tensorstore");
    setEntry(store, 4, 1000n, undefined);
    const chunk = [1, 1];
    const error = await errorOf(zarrita, withShards(store), "unchecked", chunk);
    assert.deepEqual(
      [error?.code, error?.key, error?.chunk, error?.range],
      ["chunk_length", "/unchecked/c/0/0", chunk, { offset: 1000, length: 12 }],
    );
  });
});

describe("errors name the place whichever codec finds the damage", () => {
  const zarrita = VERSIONS["0.7"];
  test("a function for mismatches is told the place", async (t) => {
    const errors = [];
    t.after(register(zarrita.registry, { verify: (error) => errors.push(error) }));
    const store = openStore("tensorstore");
    flip(store, "/end/c/0/0", 0);
    const array = await open(zarrita, withExtendedTypes(withShards(store)), "end");
    const { data } = await array.getChunk([0, 0]);
    assert.equal(data.length, 6);
    assert.deepEqual([errors.length, errors[0].key, errors[0].chunk], [1, "/end/c/0/0", [0, 0]]);
  });

  test("chunks that have to be read whole", async () => {
    for (const [name, code] of [
      ["then-crc32c", "checksum_mismatch"],
      ["then-gzip", "checksum_mismatch"],
      ["nested-gzip", "checksum_mismatch"],
    ]) {
      const store = openStore("zarr-python");
      flip(store, `/${name}/c/0/0`, 40);
      const error = await errorOf(zarrita, withShards(store), name, [0, 0]);
      assert.equal(error?.key, `/${name}/c/0/0`, `${error}`);
      assert.deepEqual(error.chunk, [0, 0]);
      assert.ok(["checksum_mismatch", "external_codec", "chunk_length"].includes(error.code), code);
    }
  });
});

describe("writing is refused", () => {
  const zarrita = VERSIONS["0.7"];
  const refused = {
    code: "invalid_argument",
    argument: "key",
    message: /^\/.* is of a sharded array, which withShards only reads: write to the store itself$/,
  };

  test("chunks and metadata of sharded arrays", async (t) => {
    t.after(register(zarrita.registry));
    const files = openStore("tensorstore");
    const before = new Map(files);
    const store = withShards(files);
    const array = await open(zarrita, store, "end");
    await assert.rejects(zarrita.set(array, null, 1), refused);
    await assert.rejects(store.set("/end/zarr.json", await store.get("/end/zarr.json")), refused);
    await assert.rejects(store.set("/end/zarr.json", files.get("/end/zarr.json")), refused);
    await assert.rejects(store.set("/end/c/0/0", new Uint8Array(1)), refused);
    assert.deepEqual(new Map(files), before);
    const outer = withExtendedTypes(store);
    await open(zarrita, outer, "end");
    await assert.rejects(outer.set("/end/zarr.json", await outer.get("/end/zarr.json")), refused);
    await assert.rejects(outer.set("/end/c/0/0", new Uint8Array(1)), refused);
    assert.deepEqual(new Map(files), before);
  });

  test("groups whose consolidated metadata were rewritten", async () => {
    const files = openStore("zarr-python");
    const store = withShards(files);
    await assert.rejects(store.set("/zarr.json", await store.get("/zarr.json")), refused);
  });

  test("not of other arrays and groups", async () => {
    const files = openStore("tensorstore");
    const store = withShards(files);
    await zarrita.create(zarrita.root(store).resolve("/group"), { attributes: { a: 1 } });
    const array = await zarrita.create(zarrita.root(store).resolve("/plain"), {
      ...{
        shape: [4],
        chunkShape: [2],
        chunk_shape: [2],
        dataType: "uint8",
        data_type: "uint8",
        dtype: "uint8",
      },
    });
    await zarrita.set(array, null, 3);
    assert.deepEqual([...files.get("/plain/c/1")], [3, 3]);
    assert.deepEqual([...(await zarrita.get(array)).data], [3, 3, 3, 3]);
    // An array without shards in place of one with shards.
    assert.equal((await store.get("/end/c/0/0")).length, 16);
    await store.set("/end/zarr.json", files.get("/plain/zarr.json"));
    assert.equal(await store.get("/end/c/0/0"), files.get("/end/c/0/0"));
  });
});

test("rejects what is no store, and unknown options", () => {
  assert.throws(() => withShards({}), { code: "invalid_argument", argument: "store" });
  assert.throws(() => withShards(new Map(), { gap: 1 }), { argument: "options.gap" });
});
