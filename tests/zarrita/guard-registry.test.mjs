// What the option guard of register() does to a registry, to classes of codecs, and to errors.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  ExternalCodecError,
  InvalidArgumentError,
  loadCodecChain,
} from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import { assertRejects, readChains } from "../js/chain-helpers.mjs";
import { assertThrows, withChecksum } from "../js/helpers.mjs";
import { fromHex } from "../js/vectors.mjs";
import { encoded, readAt, unwrapped, zstd } from "./guard-helpers.mjs";
import { arrayMetadata, elementsOf, IDENTITY, MemoryStore, registered } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const zarrita07 = VERSIONS["0.7"];

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

  test("knows neither place nor length without metadata", async () => {
    const failing = { fromConfig: () => ({ decode: () => Promise.reject(new Error("mine")) }) };
    const registry = new Map([["failing", () => failing]]);
    register(registry, { guard: true });
    const Guarded = await registry.get("failing")();
    for (const metadata of [undefined, { dataType: "uint8", shape: [2] }]) {
      const codec = Guarded.fromConfig(undefined, metadata);
      const expected = { code: "external_codec", path: "codecs", message: /^codecs: failing: .*mine/ };
      await assert.rejects(codec.decode(new Uint8Array(2)), expected);
      assertThrows(() => codec.decode("bytes"), InvalidArgumentError, { argument: "encoded" });
    }
  });

  test("knows no length of a codec that occurs twice, of which zarrita does not tell which it is", async (t) => {
    zarrita07.registry.set("identity", () => IDENTITY);
    t.after(() => zarrita07.registry.delete("identity"));
    const codecs = [{ name: "bytes" }, { name: "identity" }, { name: "crc32c" }, { name: "identity" }];
    const twice = arrayMetadata({ dataType: "uint8", codecs });
    const reading = () => readAt(zarrita07, twice, withChecksum([1, 2, 3, 4]));
    assert.deepEqual(elementsOf(await registered(zarrita07, reading, { guard: true })), [1, 2, 3, 4]);
  });

  test("knows no lengths after codecs of others that encode to any", async () => {
    const others = {
      pairs: { kind: "array_to_bytes" },
      mine: { kind: "bytes_to_bytes", decode: (bytes) => bytes },
    };
    const registry = new Map(
      Object.entries(others).map(([name, codec]) => [name, () => ({ fromConfig: () => codec })]),
    );
    register(registry, { guard: true });
    const decode = async (names, created) => {
      const codecs = names.map((name) => ({ name }));
      const metadata = { dataType: "uint8", shape: [2], codecs };
      const create = async (name) => (await registry.get(name)()).fromConfig(undefined, metadata);
      for (const name of created) await create(name);
      return (await create("mine")).decode(Uint8Array.of(1, 2, 3));
    };
    for (const [names, created] of [
      [["pairs", "mine"], ["pairs"]],
      [["bytes", "never-created", "mine"], []],
    ]) {
      assert.deepEqual(await decode(names, created), Uint8Array.of(1, 2, 3));
    }
    await assertRejects(decode(["bytes", "mine"], []), ["ChunkLengthError"], "after bytes");
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
