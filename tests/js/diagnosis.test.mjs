// `error.diagnosis` of damaged chunks, each damaged in the way that the diagnosis names, and `repairFlippedBit`.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  Crc32cDecoderStream,
  createCodecChain,
  InvalidArgumentError,
  isZarrCodecError,
  repairFlippedBit,
} from "zarr-codecs";
import { assertThrows, littleEndian, metadataOf, noise, RUNS, slowCrc, slowCrc32 } from "./helpers.mjs";
import { collect, rejection, streamOf } from "./streams.mjs";

const ascii = (text) => new TextEncoder().encode(text);

/** Through the window in one step, and in pieces. */
const PAYLOADS = [ascii("123456789"), noise(65536), noise(65537), noise(300_000)];

const concat = (...parts) => Uint8Array.from(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
const checksumOf = (bytes) => littleEndian(slowCrc(bytes));
const encoded = (payload) => concat(payload, checksumOf(payload));

const chainOf = (length) =>
  createCodecChain(metadataOf({ dataType: "uint8", shape: [length], checksums: 1 }));

/** Decodes a damaged chunk, and returns the error. */
function mismatchOf(chunk, options) {
  const byteLength = chunk.length - 4;
  return assertThrows(() => chainOf(byteLength).decode(chunk, options), ChecksumMismatchError, {
    byteLength,
  });
}

function assertDiagnosed(chunk, code, expected, fields = {}) {
  for (const options of [undefined, { copy: true }]) {
    const error = mismatchOf(chunk, options);
    const { diagnosis } = error;
    assert.equal(diagnosis?.code, code, `${chunk.length} bytes`);
    assert.match(diagnosis.message, expected);
    assert.deepEqual({ ...diagnosis }, { code, message: diagnosis.message, ...fields });
    assert.ok(error.message.endsWith(`; ${diagnosis.message}`), error.message);
    assert.ok(!error.message.includes("..."), "the message is not abridged");
  }
}

describe("diagnoses a wrong checksum as", () => {
  test("(the reference implementation computes both CRCs, by the CRC catalogue)", () => {
    assert.equal(slowCrc32(ascii("123456789")), 0xcbf43926);
    assert.equal(slowCrc(ascii("123456789")), 0xe3069283);
  });

  const masked = (crc) => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  const MISTAKES = [
    ["crc32", /CRC-32\b(?!C)/, (bytes) => littleEndian(slowCrc32(bytes))],
    ["big_endian", /big endian/, (bytes) => checksumOf(bytes).reverse()],
    ["not_inverted", /inversion/, (bytes) => littleEndian(~slowCrc(bytes) >>> 0)],
    ["not_inverted", /inversion/, (bytes) => littleEndian(slowCrc(bytes, ~0))], // The register starts with 0.
    ["masked", /LevelDB/, (bytes) => littleEndian(masked(slowCrc(bytes)))],
  ];
  for (const [code, message, stored] of MISTAKES) {
    test(code, () => {
      for (const payload of PAYLOADS) assertDiagnosed(concat(payload, stored(payload)), code, message);
    });
  }

  test("the masked checksum of LevelDB's own test", () => {
    // util/crc32c_test.cc: masking changes a value, and twice is not once. The constant is that of util/crc32c.h.
    assert.equal(masked(0), 0xa282ead8);
  });

  test("byte_swapped", () => {
    for (const length of [16, 65536, 300_000]) {
      for (const [swap, size] of [
        ["swap16", 2],
        ["swap32", 4],
        ["swap64", 8],
      ]) {
        const payload = noise(length);
        const stored = checksumOf(Buffer.from(payload)[swap]());
        assertDiagnosed(concat(payload, stored), "byte_swapped", new RegExp(`units of ${size} bytes$`));
      }
    }
  });

  test("byte_swapped, in a big-endian chunk whose checksum is that of the decoded numbers", () => {
    const numbers = Float32Array.from({ length: 40_000 }, (_, i) => i / 7);
    const chain = createCodecChain(metadataOf({ shape: [40_000], checksums: 1 }));
    const chunk = chain.encode(numbers);
    chunk.set(checksumOf(new Uint8Array(numbers.buffer)), 160_000);
    assert.equal(
      assertThrows(() => chain.decode(chunk), ChecksumMismatchError).diagnosis.code,
      "byte_swapped",
    );
  });

  test("at_start", () => {
    for (const payload of [...PAYLOADS, ascii("1"), ascii("1234")]) {
      assertDiagnosed(concat(checksumOf(payload), payload), "at_start", /at the start/);
    }
  });

  test("zeros", () => {
    for (const length of [5, 4096, 300_000]) assertDiagnosed(new Uint8Array(length), "zeros", /are zero/);
  });

  test("extended, by bytes before or after the checksum", () => {
    for (const payload of PAYLOADS) {
      for (const count of [1, 4, 9, 64]) {
        const extra = noise(count + 1).subarray(1);
        const [before, after] = [
          new RegExp(`without its last ${count} byte`),
          new RegExp(`followed by ${count} byte`),
        ];
        assertDiagnosed(concat(payload, extra, checksumOf(payload)), "extended", before);
        assertDiagnosed(concat(encoded(payload), extra), "extended", after);
      }
    }
  });

  test("truncated, by zeros after the payload or the last bytes of the checksum", () => {
    for (const payload of PAYLOADS.slice(1)) {
      for (const count of [1, 4, 64]) {
        const stored = checksumOf(concat(payload, new Uint8Array(count)));
        assertDiagnosed(concat(payload, stored), "truncated", new RegExp(`followed by ${count} zero byte`));
      }
      for (const count of [1, 2]) {
        const message = new RegExp(`^the chunk probably lacks its last ${count} bytes?$`);
        assertDiagnosed(encoded(payload).slice(0, -count), "truncated", message);
      }
    }
  });

  test("flipped_bit, in each bit of the payload and of the checksum", () => {
    const chunk = encoded(ascii("123456789"));
    for (let byteOffset = 0; byteOffset < chunk.length; byteOffset++) {
      for (let bit = 0; bit < 8; bit++) {
        const broken = chunk.slice();
        broken[byteOffset] ^= 1 << bit;
        const odds = Math.floor(2 ** 32 / (8 * 13));
        const part = byteOffset < 9 ? " " : ", in the checksum ";
        const message = new RegExp(
          `: bit ${bit} of byte ${byteOffset} of the chunk${part}.* in 1 of ${odds} cases`,
        );
        assertDiagnosed(broken, "flipped_bit", message, { byteOffset, bit });
      }
    }
  });

  test("nothing, where no cause is recognized", () => {
    for (const word of [0, 1, 0xe3069280, 0xffffffff]) {
      const error = mismatchOf(concat(ascii("123456789"), littleEndian(word)));
      assert.equal(error.diagnosis, undefined);
      assert.match(
        error.message,
        /^chunk is corrupt: crc32c stored 0x[0-9a-f]{8}, computed 0xe3069283 over 9 bytes$/,
      );
    }
    const broken = encoded(noise(300_000));
    broken[17] ^= 1;
    broken[200] ^= 128;
    assert.equal(mismatchOf(broken).diagnosis, undefined);
  });

  test("what the checksums alone reveal, at the end of a stream", async () => {
    const decode = (chunk) => rejection(collect(streamOf([chunk]).pipeThrough(new Crc32cDecoderStream())));
    const payload = noise(100_000);
    const bigEndian = await decode(concat(payload, checksumOf(payload).reverse()));
    assert.equal(bigEndian.diagnosis.code, "big_endian");
    const broken = encoded(payload);
    broken[77_777] ^= 16;
    const error = await decode(broken);
    assert.deepEqual([error.diagnosis.byteOffset, error.diagnosis.bit], [77_777, 4]);
    assert.deepEqual(repairFlippedBit(broken, error), encoded(payload));
  });
});

describe("in chunks of 8 MiB", () => {
  const right = encoded(noise(2 ** 23));

  test("blocks of zeros are not taken for a flipped bit, as one in 64 would be", () => {
    for (let block = 0; block < 150; block++) {
      const broken = right.slice();
      broken.fill(0, 4096 * 13 * block, 4096 * (13 * block + 1));
      const error = mismatchOf(broken);
      assert.equal(error.diagnosis, undefined, `block ${block}: ${error.message}`);
      assert.doesNotMatch(error.message, /bit|byte \d/);
    }
  });

  test("no flipped bit is named, nor repaired", () => {
    const broken = right.slice();
    broken[12345] ^= 4;
    const error = mismatchOf(broken);
    assert.equal(error.diagnosis, undefined);
    assert.throws(() => repairFlippedBit(broken, error), InvalidArgumentError);
  });
});

describe("repairFlippedBit", () => {
  const payload = noise(5000);
  const right = encoded(payload);
  const flipped = (byteOffset, bit) => {
    const chunk = right.slice();
    chunk[byteOffset] ^= 1 << bit;
    return chunk;
  };

  test("restores random bits of a chunk of 1 MiB exactly, and leaves its input alone", () => {
    const length = 2 ** 20;
    const chain = chainOf(length);
    const whole = chain.encode(noise(length));
    let state = 2026;
    const random = (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const broken = Buffer.from(whole);
    for (let i = 0; i < RUNS; i++) {
      const [byteOffset, bit] = [random(whole.length), random(8)];
      broken[byteOffset] ^= 1 << bit;
      let error;
      try {
        chain.decode(broken);
      } catch (thrown) {
        error = thrown;
      }
      assert.ok(error instanceof ChecksumMismatchError);
      assert.equal(error.diagnosis.code, "flipped_bit");
      assert.equal(error.diagnosis.byteOffset, byteOffset);
      assert.equal(error.diagnosis.bit, bit);
      const repaired = repairFlippedBit(broken, error);
      assert.ok(Buffer.compare(repaired, whole) === 0, `bit ${bit} of byte ${byteOffset}`);
      assert.notEqual(broken[byteOffset], whole[byteOffset]);
      broken[byteOffset] ^= 1 << bit;
    }
  });

  test("accepts any buffer or view, and errors of other copies of the package", () => {
    const broken = flipped(1234, 5);
    const error = mismatchOf(broken);
    const shared = new SharedArrayBuffer(broken.length);
    new Uint8Array(shared).set(broken);
    const moved = new Uint8Array(broken.length + 3);
    moved.set(broken, 3);
    for (const bytes of [broken, broken.buffer, new DataView(broken.buffer), shared, moved.subarray(3)]) {
      const repaired = repairFlippedBit(bytes, error);
      assert.deepEqual(repaired, right);
      assert.ok(repaired.buffer instanceof ArrayBuffer && repaired.buffer !== bytes.buffer);
    }
    const { diagnosis } = structuredClone({ diagnosis: error.diagnosis });
    assert.deepEqual(repairFlippedBit(broken, { diagnosis }), right);
  });

  test("rejects other errors", () => {
    const broken = flipped(7, 7);
    const others = [
      mismatchOf(concat(payload, checksumOf(payload).reverse())),
      mismatchOf(concat(payload, littleEndian(1))),
      assertThrows(() => chainOf(9).decode(broken), ChunkLengthError),
      new Error("another"),
      undefined,
      null,
      1,
      "flipped_bit",
      {},
      { diagnosis: null },
      { diagnosis: { code: "flipped_bit" } },
      { diagnosis: { code: "flipped_bit", byteOffset: -1, bit: 0 } },
      { diagnosis: { code: "flipped_bit", byteOffset: "length", bit: 0 } },
      { diagnosis: { code: "flipped_bit", byteOffset: 1n, bit: 0 } },
      { diagnosis: { code: "flipped_bit", byteOffset: 7, bit: 39.5e9 } },
      new Proxy({}, { get: () => assert.fail("touched") }),
    ];
    for (const other of others) {
      assertThrows(() => repairFlippedBit(broken, other), InvalidArgumentError, { argument: "error" });
    }
    const message =
      'error: expected an error about these bytes whose diagnosis is "flipped_bit", got "big_endian"';
    assertThrows(() => repairFlippedBit(broken, others[0]), InvalidArgumentError, { message });
    for (const other of [1, null, {}, "bytes"]) {
      const error = mismatchOf(broken);
      assertThrows(() => repairFlippedBit(other, error), InvalidArgumentError, { argument: "encoded" });
    }
  });

  test("rejects errors about other bytes", () => {
    const error = mismatchOf(flipped(7, 7));
    const longer = concat(flipped(7, 7), [0]);
    for (const bytes of [
      right,
      flipped(8, 7),
      flipped(7, 6),
      longer,
      longer.slice(0, -2),
      [],
      [1],
      [1, 2, 3],
    ]) {
      const chunk = Uint8Array.from(bytes);
      const message =
        'error: expected an error about these bytes whose diagnosis is "flipped_bit", got one about others';
      const { cause } = assertThrows(() => repairFlippedBit(chunk, error), InvalidArgumentError, {
        argument: "error",
        message,
      });
      assert.ok(isZarrCodecError(cause));
    }
  });

  test("rejects a chunk in which a later checksum proves that nothing has changed", () => {
    const inner = flipped(7, 7);
    const chunk = encoded(inner);
    const chain = createCodecChain(metadataOf({ dataType: "uint8", shape: [5000], checksums: 2 }));
    const error = assertThrows(() => chain.decode(chunk), ChecksumMismatchError, { byteLength: 5000 });
    assert.equal(error.diagnosis, undefined);
  });
});
