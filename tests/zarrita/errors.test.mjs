// Errors about metadata and chunks, as zarrita throws them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, InvalidMetadataError } from "zarr-codecs";
import { withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, IDENTITY, readChunk, registered, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const crc32c = { name: "crc32c" };
const identity = { name: "identity" };
const ENCODED = [1, 0, 2, 0, 3, 0, 0, 0]; // int16, little endian

/**
 * Returns the error of this package that `f` throws. zarrita 0.7 throws its own error, with the codec, the direction and our
 * error as the cause; older versions throw ours.
 */
async function thrownBy(version, f, codec, direction = "decode") {
  const error = await f().then(
    (value) => assert.fail(`returned ${value}`),
    (thrown) => thrown,
  );
  if (version !== "0.7") return error;
  assert.deepEqual([error.name, error.codec, error.direction], ["CodecPipelineError", codec, direction]);
  return error.cause;
}

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  const read = (metadata, bytes) => () => registered(zarrita, () => readChunk(zarrita, metadata, bytes));

  describe(`errors, zarrita ${version}`, () => {
    test("a wrong checksum", async () => {
      const metadata = arrayMetadata({ codecs: [little, crc32c] });
      const error = await thrownBy(version, read(metadata, withChecksum(ENCODED, 0x12345678)), "crc32c");
      assert.ok(error instanceof ChecksumMismatchError);
      assert.deepEqual([error.code, error.stored, error.byteLength], ["checksum_mismatch", 0x12345678, 8]);
      assert.match(
        error.message,
        /^chunk is corrupt: crc32c stored 0x12345678, computed 0x[0-9a-f]{8} over 8 bytes/,
      );
    });

    const WRONG = { name: "crc32c", configuration: { location: "start" } };
    for (const [name, codecs, path] of [
      ["after bytes", [little, WRONG], "codecs[1].configuration.location"],
      ["after a codec of others", [little, identity, WRONG], "codecs[2].configuration.location"],
    ]) {
      test(`a configuration of crc32c, ${name}`, async (t) => {
        zarrita.registry.set("identity", () => IDENTITY);
        t.after(() => zarrita.registry.delete("identity"));
        const metadata = arrayMetadata({ codecs });
        const error = await thrownBy(version, read(metadata, withChecksum(ENCODED)), "crc32c");
        assert.ok(error instanceof InvalidMetadataError, String(error?.stack));
        assert.equal(error.path, path);
      });
    }

    test("a configuration of crc32c, when writing", async () => {
      const write = async () => {
        const array = await zarrita.open.v3(storeWith(arrayMetadata({ codecs: [WRONG] })), { kind: "array" });
        await zarrita.set(array, null, 1);
      };
      const error = await thrownBy(version, () => registered(zarrita, write), "crc32c", "encode");
      assert.ok(error instanceof InvalidMetadataError, String(error?.stack));
    });

    test("an endian that is missing, before a checksum", async () => {
      const metadata = arrayMetadata({ codecs: [{ name: "bytes" }, crc32c] });
      const error = await thrownBy(version, read(metadata, withChecksum(ENCODED)), "crc32c");
      assert.ok(error instanceof InvalidMetadataError);
      assert.equal(error.path, "codecs[0].configuration.endian");
    });
  });
}
