// The options of register(), in every version of zarrita.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, ChunkLengthError } from "zarr-codecs";
import { assertError, withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, readChunk, registered } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const crc32c = { name: "crc32c" };

const ENCODED = [1, 0, 2, 0, 3, 0, 0, 0];
const MESSAGE =
  /^zarr-codecs: chunk is corrupt: crc32c stored 0x12345678, computed 0x[0-9a-f]{8} over 8 bytes/;
const wrong = withChecksum(ENCODED, 0x12345678);
const checked = arrayMetadata({ codecs: [little, crc32c] });

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`options, zarrita ${version}`, () => {
    test("the defaults", async () => {
      const defaults = { verify: true, missingEndian: "error", invalidBool: "error" };
      for (const options of [undefined, defaults]) {
        const read = (bytes) => registered(zarrita, () => readChunk(zarrita, checked, bytes), options);
        assert.deepEqual(await read(withChecksum(ENCODED)), [1, 2, 3, 0]);
        await assert.rejects(read(wrong), (error) => (error.cause ?? error) instanceof ChecksumMismatchError);
      }
    });

    test("verify: false", async () => {
      const read = () => readChunk(zarrita, checked, wrong);
      assert.deepEqual(await registered(zarrita, read, { verify: false }), [1, 2, 3, 0]);
    });

    test('verify: "warn"', async (t) => {
      const warn = t.mock.method(console, "warn", () => {});
      const read = () => readChunk(zarrita, checked, wrong);
      const elements = await registered(zarrita, read, { verify: "warn" });
      assert.deepEqual(elements, [1, 2, 3, 0]);
      assert.equal(warn.mock.callCount(), 1);
      assert.match(warn.mock.calls[0].arguments[0], MESSAGE);
    });

    test("verify: a function, called with mismatches and no other errors", async () => {
      const calls = [];
      const verify = (...args) => calls.push(args);
      const read = (bytes) => registered(zarrita, () => readChunk(zarrita, checked, bytes), { verify });
      assert.deepEqual(await read(withChecksum(ENCODED)), [1, 2, 3, 0]);
      assert.deepEqual(calls, []);
      assert.deepEqual(await read(wrong), [1, 2, 3, 0]);
      assert.deepEqual([calls.length, calls[0].length], [1, 1]);
      assertError(calls[0][0], ChecksumMismatchError, { stored: 0x12345678, byteLength: 8 });
      await assert.rejects(
        read(wrong.subarray(1)),
        (error) => (error.cause ?? error) instanceof ChunkLengthError,
      );
      assert.equal(calls.length, 1);
    });

    test("verify: a function that throws rejects the chunk with its error", async () => {
      const own = new Error("mine");
      const verify = () => {
        throw own;
      };
      const read = () => readChunk(zarrita, checked, wrong);
      await assert.rejects(registered(zarrita, read, { verify }), (error) => (error.cause ?? error) === own);
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
      assert.deepEqual(await registered(zarrita, read, { invalidBool: "coerce" }), [false, true, true, true]);
    });
  });
}
