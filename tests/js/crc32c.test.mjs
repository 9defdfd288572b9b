// CRC-32C alone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Crc32c, crc32c, crc32cCombine, InvalidArgumentError } from "zarr-codecs";
import { assertThrows, atOffset, noise, PROPERTIES, shared, slowCrc } from "./helpers.mjs";

const ascii = (text) => new TextEncoder().encode(text);

/** RFC 3720, B.4 (whose words are in the order of transmission), and the check value of the CRC catalogue. */
const KNOWN = {
  "32 zeros": [new Uint8Array(32), 0x8a9136aa],
  "32 ones": [new Uint8Array(32).fill(0xff), 0x62a8ab43],
  "32 incrementing bytes": [Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
  "32 decrementing bytes": [Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
  "an iSCSI read command": [
    Uint8Array.from(
      Buffer.from(
        "01c0000000000000000000000000000014000000000004000000001400000018" +
          "28000000000000000200000000000000",
        "hex",
      ),
    ),
    0xd9963a56,
  ],
  'the text "123456789"': [ascii("123456789"), 0xe3069283],
  nothing: [new Uint8Array(0), 0],
};

describe("the CRC-32C of", () => {
  for (const [what, [bytes, expected]] of Object.entries(KNOWN)) {
    test(what, () => {
      assert.equal(crc32c(bytes), expected);
      assert.equal(slowCrc(bytes), expected);
    });
  }

  test("every length up to 300 at every offset up to 16", () => {
    const bytes = noise(300 + 16);
    for (let offset = 0; offset <= 16; offset++) {
      let expected = 0;
      for (let length = 0; length <= 300; length++) {
        assert.equal(
          crc32c(bytes.subarray(offset, offset + length)),
          expected,
          `${length} bytes at ${offset}`,
        );
        expected = slowCrc([bytes[offset + length]], expected);
      }
    }
  });

  test("lengths around the size of the window", () => {
    const bytes = noise(3 * 65536 + 6);
    const wanted = new Set(
      [1, 2, 3].flatMap((k) => [-5, -4, -3, -1, 0, 1, 3, 4, 5].map((d) => 65536 * k + d)),
    );
    let expected = 0;
    bytes.forEach((byte, length) => {
      if (wanted.has(length)) {
        assert.equal(crc32c(bytes.subarray(0, length)), expected, `${length} bytes`);
        assert.equal(crc32c(atOffset(bytes.subarray(0, length), 1)), expected, `${length} bytes at 1`);
      }
      expected = slowCrc([byte], expected);
    });
  });

  test("bytes in any kind of buffer", () => {
    const bytes = noise(64);
    const expected = slowCrc(bytes);
    const copy = bytes.slice().buffer;
    for (const given of [
      copy,
      shared(bytes),
      Buffer.from(bytes),
      new DataView(copy),
      new Float64Array(copy),
      new BigInt64Array(copy),
      new Uint8ClampedArray(copy),
      new Int8Array(copy),
      atOffset(bytes, 3),
      atOffset(bytes, 0, new ArrayBuffer(64, { maxByteLength: 128 })),
    ]) {
      assert.equal(crc32c(given), expected, given.constructor.name);
      assert.equal(new Crc32c().update(given).digest(), expected, given.constructor.name);
    }
  });
});

describe("bytes in pieces", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 70 }), { maxLength: 8 });
  const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

  test("have the CRC of all of them, continued from piece to piece", () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const expected = slowCrc(joined(parts));
        assert.equal(
          parts.reduce((crc, part) => crc32c(part, crc), 0),
          expected,
        );
        assert.equal(parts.reduce((crc, part) => crc.update(part), new Crc32c()).digest(), expected);
      }),
      PROPERTIES,
    );
  });

  test("have the CRC of all of them, combined from their own", () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const crc = parts.reduce((crc, part) => crc32cCombine(crc, slowCrc(part), part.length), 0);
        assert.equal(crc, slowCrc(joined(parts)));
      }),
      PROPERTIES,
    );
  });

  test("have a digest after each piece", () => {
    const crc = new Crc32c();
    assert.equal(crc.digest(), 0);
    assert.equal(crc.update(ascii("12345")), crc);
    assert.equal(crc.digest(), slowCrc(ascii("12345")));
    assert.equal(crc.digest(), slowCrc(ascii("12345")));
    assert.equal(crc.update(ascii("6789")).digest(), 0xe3069283);
    assert.equal(crc.reset(), crc);
    assert.equal(crc.digest(), 0);
    assert.equal(crc.update(ascii("123456789")).digest(), 0xe3069283);
  });

  test("of two messages are independent", () => {
    const [a, b] = [new Crc32c(), new Crc32c()];
    a.update(ascii("12345"));
    b.update(ascii("1234"));
    a.update(ascii("6789"));
    b.update(ascii("56789"));
    assert.deepEqual([a.digest(), b.digest()], [0xe3069283, 0xe3069283]);
  });

  test("are kept when an update is rejected", () => {
    const crc = new Crc32c().update(ascii("12345"));
    assertThrows(() => crc.update("6789"), InvalidArgumentError, { argument: "bytes" });
    assert.equal(crc.update(ascii("6789")).digest(), 0xe3069283);
  });
});

describe("combining", () => {
  const [a, b] = [0x8a9136aa, 0xe3069283];

  test("with an empty message changes nothing", () => {
    assert.equal(crc32cCombine(a, 0, 0), a);
    assert.equal(crc32cCombine(0, b, 9), b);
    assert.equal(crc32cCombine(0, 0, 1000), 0);
  });

  test("with zeros agrees with the CRC over the zeros", () => {
    for (const length of [1, 3, 4, 255, 256, 65536, 1_000_003]) {
      const zeros = new Uint8Array(length);
      assert.equal(crc32cCombine(a, slowCrc(zeros), length), slowCrc(zeros, a), `${length}`);
    }
  });

  // The polynomial is (x + 1) times a primitive one of degree 31 (Castagnoli et al. 1993), so that the remainders of
  // x^n repeat after 2^31 - 1.
  test("accepts lengths up to the largest safe integer", () => {
    const period = 2 ** 31 - 1;
    assert.equal(crc32cCombine(a, b, period), (a ^ b) >>> 0);
    for (const length of [0, 1, 9, 65537]) {
      const expected = crc32cCombine(a, b, length);
      for (const longer of [period, 2 * period, 3 * period, 4_000_000 * period]) {
        assert.equal(crc32cCombine(a, b, length + longer), expected, `${length + longer}`);
      }
    }
    assert.equal(crc32cCombine(a, b, 2 ** 53 - 1), crc32cCombine(a, b, 2 ** 22 - 1));
  });
});

describe("rejects", () => {
  const NOT_CHECKSUMS = [-1, 2 ** 32, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "0", null, 1n, true, {}, []];

  test("an initial CRC that is not an unsigned 32-bit integer", () => {
    for (const value of NOT_CHECKSUMS) {
      const message = /^initial: expected an unsigned 32-bit integer, got /;
      assertThrows(() => crc32c(new Uint8Array(1), value), InvalidArgumentError, {
        argument: "initial",
        message,
      });
    }
    assert.equal(crc32c(ascii("123456789"), undefined), 0xe3069283);
    assert.equal(crc32c(new Uint8Array(0), 2 ** 32 - 1), 2 ** 32 - 1);
  });

  test("to combine values that are not CRCs", () => {
    for (const value of [...NOT_CHECKSUMS, undefined]) {
      assertThrows(() => crc32cCombine(value, 0, 0), InvalidArgumentError, { argument: "a" });
      assertThrows(() => crc32cCombine(0, value, 0), InvalidArgumentError, { argument: "b" });
    }
  });

  test("to combine with an invalid length", () => {
    for (const value of [
      -1,
      1.5,
      2 ** 53,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "1",
      null,
      undefined,
      1n,
      {},
    ]) {
      const message = /^lengthOfB: expected a length in bytes, got /;
      assertThrows(() => crc32cCombine(0, 0, value), InvalidArgumentError, {
        argument: "lengthOfB",
        message,
      });
    }
  });
});
