// What register() does to a registry, its options, and which of zarrita's arrays come out.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, mock, test } from "node:test";
import { ChecksumMismatchError, InvalidArgumentError } from "zarr-codecs";
import Crc32cDefault, { Crc32cCodec } from "zarr-codecs/numcodecs";
import { register } from "zarr-codecs/register";
import { assertSameBytes, assertThrows, noise, withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, elementsOf, MemoryStore, readChunk, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c" };
const NAMES = ["bytes", "endian", "crc32c"];

/** Runs `f` with our codecs in a version's registry. */
async function registered(zarrita, f, options) {
  const unregister = register(zarrita.registry, options);
  try {
    return await f();
  } finally {
    unregister();
  }
}

describe("register", () => {
  test("replaces the codecs, and unregister restores them", () => {
    for (const { registry } of Object.values(VERSIONS)) {
      const before = [...registry];
      const unregister = register(registry);
      for (const name of NAMES) assert.notEqual(registry.get(name), new Map(before).get(name), name);
      unregister();
      assert.deepEqual([...registry], before);
      unregister();
      assert.deepEqual([...registry], before);
    }
  });

  test("unregister leaves alone what others registered in between", () => {
    const registry = new Map();
    const unregister = register(registry);
    const theirs = async () => ({});
    registry.set("bytes", theirs);
    unregister();
    assert.deepEqual([...registry], [["bytes", theirs]]);
  });

  test("can be done twice", async () => {
    for (const zarrita of Object.values(VERSIONS)) {
      const metadata = arrayMetadata({ dataType: "bool", codecs: [big] });
      const read = () => readChunk(zarrita, metadata, [1, 0, 1, 0]);
      const twice = () => registered(zarrita, read);
      assert.deepEqual(await registered(zarrita, twice), [true, false, true, false]);
    }
  });

  test("works with a registry of nothing: bool is Uint8Array there", async () => {
    const registry = new Map();
    register(registry);
    const entry = await registry.get("endian")();
    const codec = entry.fromConfig({ endian: "big" }, { data_type: "bool", shape: [2] });
    assert.deepEqual((await codec.decode(Uint8Array.of(1, 0))).data, Uint8Array.of(1, 0));
  });

  test("says what is wrong with its arguments", () => {
    for (const registry of [undefined, null, 1, {}, [], new WeakSet()]) {
      assertThrows(() => register(registry), InvalidArgumentError, { argument: "registry" });
    }
    assertThrows(() => register(new Map(), { verify: "never" }), InvalidArgumentError, {
      argument: "options.verify",
    });
    assertThrows(() => register(new Map(), { strict: true }), InvalidArgumentError, {
      argument: "options.strict",
    });
    assertThrows(() => register(new Map(), 1), InvalidArgumentError, { argument: "options" });
  });
});

const wrong = withChecksum([1, 0, 2, 0, 3, 0, 0, 0], 0x12345678);
const checked = arrayMetadata({ codecs: [little, crc32c] });

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`options, zarrita ${version}`, () => {
    test("verify: false", async () => {
      const read = () => readChunk(zarrita, checked, wrong);
      assert.deepEqual(await registered(zarrita, read, { verify: false }), [1, 2, 3, 0]);
    });

    test('verify: "warn"', async () => {
      const warn = mock.method(console, "warn", () => {});
      const read = () => readChunk(zarrita, checked, wrong);
      const elements = await registered(zarrita, read, { verify: "warn" });
      warn.mock.restore();
      assert.deepEqual(elements, [1, 2, 3, 0]);
      assert.equal(warn.mock.callCount(), 1);
      assert.match(warn.mock.calls[0].arguments[0], /^zarr-codecs: crc32c: stored 0x12345678, computed 0x/);
    });

    test("missingEndian", async () => {
      const metadata = arrayMetadata({ codecs: [{ name: "bytes" }] });
      const read = () => readChunk(zarrita, metadata, [0, 1, 0, 2, 0, 3, 0, 0]);
      assert.deepEqual(await registered(zarrita, read, { missingEndian: "big" }), [1, 2, 3, 0]);
      assert.deepEqual(await registered(zarrita, read, { missingEndian: "little" }), [256, 512, 768, 0]);
    });

    test("invalidBool", async () => {
      const metadata = arrayMetadata({ dataType: "bool", codecs: [little] });
      const read = () => readChunk(zarrita, metadata, [0, 1, 2, 255]);
      assert.deepEqual(await registered(zarrita, read, { invalidBool: "true" }), [false, true, true, true]);
    });
  });

  describe(`arrays, zarrita ${version}`, () => {
    test("bool is that version's BoolArray, also to write and with a transposition", async () => {
      const transpose = { name: "transpose", configuration: { order: [1, 0] } };
      const grid = { name: "regular", configuration: { chunk_shape: [2, 2] } };
      const metadata = arrayMetadata({
        dataType: "bool",
        shape: [2, 2],
        chunk_grid: grid,
        codecs: [transpose, big, crc32c],
      });
      await registered(zarrita, async () => {
        const store = storeWith(metadata);
        const array = await zarrita.open.v3(store, { kind: "array" });
        const data = new zarrita.BoolArray([true, true, false, false]);
        await zarrita.set(array, null, { data, shape: [2, 2], stride: [2, 1] });
        assert.deepEqual([...store.get("/c/0/0")], [...withChecksum([1, 0, 1, 0])]);
        const chunk = await array.getChunk([0, 0]);
        assert.ok(chunk.data instanceof zarrita.BoolArray);
        assert.deepEqual(elementsOf(chunk), [true, true, false, false]);
        assert.deepEqual(elementsOf(await zarrita.get(array, [null, zarrita.slice(1, 2)])), [true, false]);
      });
    });

    test("float16 is the Float16Array of the host, also of one that got it late", async () => {
      class LateFloat16Array extends Uint16Array {} // stands for one that is added by a script: its bits
      const host = Object.getOwnPropertyDescriptor(globalThis, "Float16Array");
      globalThis.Float16Array = LateFloat16Array;
      try {
        for (const [codec, encoded] of [
          [little, [0, 0x3c, 0, 0xc0]],
          [big, [0x3c, 0, 0xc0, 0]],
        ]) {
          await registered(zarrita, async () => {
            const metadata = arrayMetadata({ dataType: "float16", length: 2, codecs: [codec] });
            const store = storeWith(metadata, { "/c/0": encoded });
            const array = await zarrita.open.v3(store, { kind: "array" });
            const { data } = await array.getChunk([0]);
            assert.ok(data instanceof LateFloat16Array);
            assert.deepEqual([...data], [0x3c00, 0xc000]);
            store.delete("/c/0");
            await zarrita.set(array, null, { data, shape: [2], stride: [1] });
            assert.deepEqual([...store.get("/c/0")], encoded);
          });
        }
      } finally {
        delete globalThis.Float16Array;
        if (host) Object.defineProperty(globalThis, "Float16Array", host);
      }
    });

    test("Unicode strings of Zarr v2 are zarrita's own", async () => {
      const meta = {
        zarr_format: 2,
        shape: [2],
        chunks: [2],
        dtype: ">U2",
        compressor: null,
        fill_value: "",
        order: "C",
        filters: null,
      };
      const chunk = [0, 0, 0, 97, 0, 0, 0, 98, 0, 0, 0, 99, 0, 0, 0, 0];
      const store = new MemoryStore([
        ["/.zarray", new TextEncoder().encode(JSON.stringify(meta))],
        ["/0", Uint8Array.from(chunk)],
      ]);
      const read = async () => {
        const { data } = await (await zarrita.open.v2(store, { kind: "array" })).getChunk([0]);
        assert.ok(data instanceof zarrita.UnicodeStringArray);
        return [...data];
      };
      assert.deepEqual(await registered(zarrita, read), ["ab", "c"]);
    });

    test("numbers of Zarr v2, big endian, with a filter crc32c", async () => {
      const filters = [{ id: "crc32c", location: "end" }];
      const meta = {
        zarr_format: 2,
        shape: [2],
        chunks: [2],
        dtype: ">i4",
        compressor: null,
        fill_value: 0,
        order: "C",
        filters,
      };
      const store = new MemoryStore([
        ["/.zarray", new TextEncoder().encode(JSON.stringify(meta))],
        ["/0", Uint8Array.from(withChecksum([0, 0, 0, 7, 255, 255, 255, 255]))],
      ]);
      // Needed in 0.7 only; older versions look for crc32c.
      zarrita.registry.set("numcodecs.crc32c", async () => Crc32cCodec);
      const read = async () =>
        elementsOf(await (await zarrita.open.v2(store, { kind: "array" })).getChunk([0]));
      assert.deepEqual(await registered(zarrita, read), [7, -1]);
      store.get("/0")[0] ^= 1;
      await assert.rejects(
        registered(zarrita, read),
        (error) => (error.cause ?? error) instanceof ChecksumMismatchError,
      );
      zarrita.registry.delete("numcodecs.crc32c");
    });

    test("views in shared memory, and at odd offsets", async () => {
      const bytes = new Uint8Array(new SharedArrayBuffer(9)).subarray(1);
      bytes.set([1, 0, 2, 0, 3, 0, 0, 0]);
      for (const codec of [little, big]) {
        const store = storeWith(arrayMetadata({ codecs: [codec] }));
        store.set("/c/0", bytes);
        const read = async () =>
          elementsOf(await (await zarrita.open.v3(store, { kind: "array" })).getChunk([0]));
        const expected = codec === little ? [1, 2, 3, 0] : [256, 512, 768, 0];
        assert.deepEqual(await registered(zarrita, read), expected);
      }
    });
  });
}

test("errors of zarrita 0.7 name the codec and the direction", async () => {
  const zarrita = VERSIONS["0.7"];
  const read = () => readChunk(zarrita, checked, wrong);
  await assert.rejects(registered(zarrita, read), ({ name, codec, direction, cause }) => {
    assert.deepEqual([name, codec, direction], ["CodecPipelineError", "crc32c", "decode"]);
    assert.deepEqual(
      [cause.name, cause.code, cause.stored],
      ["ChecksumMismatchError", "checksum_mismatch", 0x12345678],
    );
    return true;
  });
});

test("the length of a shard's index is right for any chain", async () => {
  const { registry } = VERSIONS["0.7"];
  const unregister = register(registry);
  const meta = { dataType: "uint64", shape: [3, 2], codecs: [] };
  for (const configuration of [{ endian: "little" }, { endian: "big" }]) {
    const codec = (await registry.get("bytes")()).fromConfig(configuration, meta);
    assert.equal(codec.computeEncodedSize(48), 48);
  }
  const codec = (await registry.get("crc32c")()).fromConfig(undefined, meta);
  assert.equal(codec.computeEncodedSize(codec.computeEncodedSize(48)), 56);
  unregister();
});

test("little-endian data come without a promise and without the compiled module, equal to what Rust decodes", async () => {
  const source = `
    import { register } from "zarr-codecs/register";
    let compiled = 0;
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: (...args) => (compiled++, Reflect.construct(...args)) });
    const registry = new Map();
    register(registry);
    const bytes = new Uint8Array(64).map((_, i) => i * 37);
    const seen = {};
    for (const dataType of ${JSON.stringify(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"])}) {
      const shape = [2, 32 / Number(/\\d+/.exec(dataType)) * 8];
      const codec = (await registry.get("bytes")()).fromConfig({ endian: "little" }, { dataType, shape, codecs: [{ name: "bytes" }] });
      const chunk = codec.decode(bytes);
      const encoded = codec.encode(chunk);
      seen[dataType] = [chunk.data?.constructor.name, chunk.shape, chunk.stride, String(chunk.data), encoded.byteLength];
    }
    const before = compiled;
    const { createCodecChain } = await import("zarr-codecs");
    for (const [dataType, [name, shape, stride, text, length]] of Object.entries(seen)) {
      const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
      const chunk = createCodecChain({ dataType, shape, codecs }).decode(bytes);
      seen[dataType] = JSON.stringify([chunk.data.constructor.name, chunk.shape, chunk.stride, String(chunk.data), 64])
        === JSON.stringify([name, shape, stride, text, length]);
    }
    console.log(JSON.stringify({ before, after: compiled, seen }));`;
  const args = ["--input-type=module", "--eval", source];
  const { before, after, seen } = JSON.parse(
    execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }),
  );
  assert.deepEqual([before, after], [0, 1]);
  assert.deepEqual(
    [Object.keys(seen).length, Object.values(seen).every((same) => same === true)],
    [10, true],
    JSON.stringify(seen),
  );
});

describe("crc32c as a codec of numcodecs", () => {
  const data = noise(100);

  test("has the interface", () => {
    assert.equal(Crc32cDefault, Crc32cCodec);
    assert.equal(Crc32cCodec.codecId, "crc32c");
    for (const config of [undefined, {}, { id: "crc32c" }, { id: "crc32c", location: "end" }]) {
      assert.ok(Crc32cCodec.fromConfig(config) instanceof Crc32cCodec);
    }
  });

  test("encodes and decodes, also into out, and takes chunks of any length in turn", () => {
    const codec = Crc32cCodec.fromConfig({ id: "crc32c" });
    for (const length of [100, 0, 7, 100]) {
      const bytes = data.subarray(0, length);
      const encoded = codec.encode(bytes);
      assertSameBytes(encoded, withChecksum(bytes), `encoded, ${length}`);
      assertSameBytes(codec.decode(encoded), bytes, `decoded, ${length}`);
      const out = new Uint8Array(length);
      assert.equal(codec.decode(encoded, out), out);
      assertSameBytes(out, bytes, `out, ${length}`);
    }
  });

  test("says what is wrong", () => {
    const codec = Crc32cCodec.fromConfig();
    const damaged = withChecksum(data).fill(0, 5, 6);
    assertThrows(() => codec.decode(damaged), ChecksumMismatchError, { byteLength: 100 });
    assertThrows(() => codec.decode(withChecksum(data), new Uint8Array(99)), InvalidArgumentError, {
      argument: "out",
    });
    assertThrows(() => codec.encode("text"), InvalidArgumentError, { argument: "decoded" });
    assertThrows(() => new Crc32cCodec("perhaps"), InvalidArgumentError, { argument: "verify" });
    assert.throws(() => Crc32cCodec.fromConfig({ id: "crc32c", location: "start" }), {
      code: "invalid_metadata",
    });
    assert.throws(() => Crc32cCodec.fromConfig(1), { code: "invalid_metadata" });
    assert.throws(() => codec.decode(new Uint8Array(3)), { code: "chunk_length", expected: 4, actual: 3 });
  });
});

test("importing zarr-codecs/zarrita registers in the zarrita that it resolves", async () => {
  const { registry } = VERSIONS["0.7"];
  const before = [...registry];
  const { unregister } = await import("zarr-codecs/zarrita");
  for (const name of NAMES) assert.notEqual(registry.get(name), new Map(before).get(name), name);
  await assert.rejects(
    readChunk(VERSIONS["0.7"], checked, wrong),
    ({ cause }) => cause instanceof ChecksumMismatchError,
  );
  unregister();
  assert.deepEqual([...registry], before);
});
