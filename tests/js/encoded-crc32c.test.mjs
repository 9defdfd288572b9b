// encodeCrc32c and decodeCrc32c, of both entries.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as whole from "zarr-codecs";
import * as alone from "zarr-codecs/crc32c";
import { assertSameBytes, noise, withChecksum } from "./helpers.mjs";

const TEXT = new TextEncoder().encode("123456789");
/** RFC 3720, section B.4, and the catalogue of CRC algorithms. */
const KNOWN = [
  [TEXT, [0x83, 0x92, 0x06, 0xe3]],
  [new Uint8Array(32), [0xaa, 0x36, 0x91, 0x8a]],
  [new Uint8Array(32).fill(0xff), [0x43, 0xab, 0xa8, 0x62]],
];

for (const [entry, { encodeCrc32c, decodeCrc32c, ...api }] of Object.entries({ whole, alone })) {
  describe(entry, () => {
    test("appends the checksum, and strips it", () => {
      for (const [bytes, checksum] of KNOWN) {
        const encoded = encodeCrc32c(bytes);
        assertSameBytes(encoded, Uint8Array.of(...bytes, ...checksum));
        assertSameBytes(decodeCrc32c(encoded), bytes);
      }
      for (const length of [0, 1, 300_000]) {
        const bytes = noise(length);
        assertSameBytes(encodeCrc32c(bytes), withChecksum(bytes));
        assertSameBytes(decodeCrc32c(withChecksum(bytes)), bytes);
      }
    });

    test("takes any view, and returns a view", () => {
      const encoded = Uint8Array.of(9, ...withChecksum(TEXT), 9);
      const view = new DataView(encoded.buffer, 1, 13);
      const decoded = decodeCrc32c(view);
      assert.deepEqual([decoded.buffer, decoded.byteOffset, decoded.length], [encoded.buffer, 1, 9]);
      assertSameBytes(encodeCrc32c(TEXT.buffer), withChecksum(TEXT));
    });

    test("throws, warns, reports or ignores a wrong checksum", (t) => {
      const wrong = withChecksum(TEXT, 5);
      const expected = { name: "ChecksumMismatchError", stored: 5, computed: 0xe3069283, byteLength: 9 };
      const message = "chunk is corrupt: crc32c stored 0x00000005, computed 0xe3069283 over 9 bytes";
      const isExpected = (error) => {
        assert.ok(error instanceof api.ChecksumMismatchError && api.isZarrCodecError(error));
        for (const [name, value] of Object.entries(expected)) assert.equal(error[name], value, name);
        assert.ok(error.message.startsWith(message), error.message);
        return true;
      };
      assert.throws(() => decodeCrc32c(wrong), isExpected);
      assert.throws(() => decodeCrc32c(wrong, { verify: true }), isExpected);
      const warn = t.mock.method(console, "warn", () => {});
      assertSameBytes(decodeCrc32c(wrong, { verify: "warn" }), TEXT);
      assert.equal(warn.mock.callCount(), 1);
      const errors = [];
      assertSameBytes(decodeCrc32c(wrong, { verify: (error) => errors.push(error) }), TEXT);
      assert.equal(errors.length, 1);
      isExpected(errors[0]);
      assertSameBytes(decodeCrc32c(wrong, { verify: false }), TEXT);
    });

    test("rejects fewer bytes than a checksum, and other arguments", () => {
      for (const verify of [true, false, "warn"]) {
        assert.throws(() => decodeCrc32c(new Uint8Array(3), { verify }), {
          name: "ChunkLengthError",
          message: "encoded chunk is 3 bytes, expected 4 (at least the checksum)",
          expected: 4,
          actual: 3,
        });
      }
      const argument = (argument) => ({ name: "InvalidArgumentError", argument });
      assert.throws(() => decodeCrc32c("text"), argument("bytes"));
      assert.throws(() => encodeCrc32c([1]), argument("bytes"));
      assert.throws(() => decodeCrc32c(new Uint8Array(4), { verify: "never" }), argument("options.verify"));
      assert.throws(() => decodeCrc32c(new Uint8Array(4), { verfy: true }), argument("options.verfy"));
    });

    test("streams return the data if the option says so", async () => {
      const decoded = async (options) => {
        const stream = new Blob([withChecksum(TEXT, 5)]).stream();
        return new Uint8Array(
          await new Response(stream.pipeThrough(new api.Crc32cDecoderStream(options))).arrayBuffer(),
        );
      };
      await assert.rejects(decoded(), { stored: 5 });
      const errors = [];
      assertSameBytes(await decoded({ verify: (error) => errors.push(error) }), TEXT);
      assert.deepEqual([errors.length, errors[0].stored], [1, 5]);
      assertSameBytes(await decoded({ verify: false }), TEXT);
    });
  });
}
