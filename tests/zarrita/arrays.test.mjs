// The arrays that our codecs decode to in zarrita.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError } from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/crc32c";
import { register } from "zarr-codecs/zarrita";
import { withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, elementsOf, MemoryStore, registered, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c" };

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`arrays, zarrita ${version}`, () => {
    test("bool is the BoolArray of that version, also when writing and transposed", async () => {
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

    test("float16 is the Float16Array of the host, also a polyfill that was loaded later", async () => {
      class LateFloat16Array extends Uint16Array {} // Stands in for a polyfill; contains bits.
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

    test("numbers of Zarr v2, big endian, with a filter crc32c", async (t) => {
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
      // For 0.7 only; older versions look up crc32c.
      zarrita.registry.set("numcodecs.crc32c", async () => Crc32cCodec);
      t.after(() => zarrita.registry.delete("numcodecs.crc32c"));
      const read = async () =>
        elementsOf(await (await zarrita.open.v2(store, { kind: "array" })).getChunk([0]));
      assert.deepEqual(await registered(zarrita, read), [7, -1]);
      store.get("/0")[0] ^= 1;
      await assert.rejects(
        registered(zarrita, read),
        (error) => (error.cause ?? error) instanceof ChecksumMismatchError,
      );
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

test("float16 is written from arrays of a polyfill that are proxies", async () => {
  const registry = new Map();
  register(registry);
  const bits = Uint16Array.of(9, 0x3c00, 0xc000).subarray(1);
  const data = new Proxy(bits, { get: (target, key) => Reflect.get(target, key) });
  const metadata = { dataType: "float16", shape: [2], codecs: [big] };
  const codec = (await registry.get("bytes")()).fromConfig(big.configuration, metadata);
  const encoded = await codec.encode({ data, shape: [2], stride: [1] });
  assert.deepEqual([...encoded], [0x3c, 0, 0xc0, 0]);
});
