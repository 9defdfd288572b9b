// The transform streams of the crc32c codec.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  Crc32cDecoderStream,
  Crc32cEncoderStream,
} from "zarr-codecs";
import {
  assertError,
  assertSameBytes,
  assertStillWorks,
  bytesText,
  noise,
  PROPERTIES,
  slowCrc,
  withChecksum,
} from "./helpers.mjs";
import { chunksOf, collect, isSettled, rejection, streamOf } from "./streams.mjs";

const encode = (chunks) => collect(streamOf(chunks).pipeThrough(new Crc32cEncoderStream()));
const decode = (chunks) => collect(streamOf(chunks).pipeThrough(new Crc32cDecoderStream()));

const CHUNKED = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(40), { maxLength: 12 }));

describe("Crc32cEncoderStream", () => {
  test("appends the checksum, whatever the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(CHUNKED, async ([bytes, lengths]) => {
        assertSameBytes(await encode(chunksOf(bytes, ...lengths)), withChecksum(bytes));
      }),
      PROPERTIES,
    );
  });

  test("appends a published checksum to its text, in chunks of one byte", async () => {
    const bytes = new TextEncoder().encode("123456789");
    const encoded = await encode(chunksOf(bytes, ...bytes.map(() => 1)));
    assert.equal(encoded.toString("hex"), "313233343536373839839206e3");
  });

  test("encodes an empty stream", async () => {
    assertSameBytes(await encode([]), new Uint8Array(4));
    assertSameBytes(await encode([new Uint8Array(0), new Uint8Array(0)]), new Uint8Array(4));
  });

  test("passes bytes on before the end", async () => {
    const { readable, writable } = new Crc32cEncoderStream();
    const writer = writable.getWriter();
    writer.write(Uint8Array.of(1, 2));
    assert.deepEqual([...(await readable.getReader().read()).value], [1, 2]);
  });
});

describe("Crc32cDecoderStream", () => {
  test("verifies and strips the checksum, whatever the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(CHUNKED, async ([bytes, lengths]) => {
        assertSameBytes(await decode(chunksOf(withChecksum(bytes), ...lengths)), bytes);
      }),
      PROPERTIES,
    );
  });

  test("verifies in chunks of one byte, in long ones, and with empty ones between", async () => {
    const bytes = noise(200_000);
    const encoded = withChecksum(bytes);
    assertSameBytes(await decode([encoded]), bytes);
    assertSameBytes(await decode(chunksOf(encoded, 65536, 0, 1, 0, 65535, 0)), bytes);
    const short = withChecksum(bytes.slice(0, 1000));
    assertSameBytes(await decode(chunksOf(short, ...Array(1004).fill(1))), bytes.slice(0, 1000));
  });

  test("holds back only the last four bytes", async () => {
    const { readable, writable } = new Crc32cDecoderStream();
    const writer = writable.getWriter();
    const reader = readable.getReader();
    writer.write(Uint8Array.of(1, 2, 3, 4));
    const first = reader.read();
    assert.equal(await isSettled(first), false);
    writer.write(Uint8Array.of(5));
    assert.deepEqual([...(await first).value], [1]);
    writer.write(Uint8Array.of(6, 7, 8, 9, 10, 11));
    assert.deepEqual([...(await reader.read()).value], [2, 3, 4, 5, 6, 7]);
  });

  test("errors at the end on a mismatch, after all bytes, with both checksums", async () => {
    await fc.assert(
      fc.asyncProperty(CHUNKED, fc.nat(), fc.nat(7), async ([bytes, lengths], position, bit) => {
        const encoded = withChecksum(bytes);
        encoded[position % encoded.length] ^= 1 << bit;
        const data = encoded.slice(0, -4);
        const seen = [];
        const stream = streamOf(chunksOf(encoded, ...lengths)).pipeThrough(new Crc32cDecoderStream());
        const error = await rejection(
          (async () => {
            for await (const piece of stream) seen.push(...piece);
          })(),
        );
        assertSameBytes(Uint8Array.from(seen), data);
        assertError(error, ChecksumMismatchError, {
          stored: new DataView(encoded.buffer).getUint32(data.length, true),
          computed: slowCrc(data),
          byteLength: data.length,
        });
      }),
      PROPERTIES,
    );
    assertStillWorks();
  });

  test("has the same error message as chunks", async () => {
    const error = await rejection(decode([withChecksum(Buffer.from("123456789"), 15)]));
    assertError(error, ChecksumMismatchError, {
      message: /^chunk is corrupt: crc32c stored 0x0000000f, computed 0xe3069283 over 9 bytes/,
    });
  });

  test("errors on fewer than four bytes", async () => {
    for (const actual of [0, 1, 2, 3]) {
      for (const chunks of [[new Uint8Array(actual)], Array(actual).fill(new Uint8Array(1))]) {
        const error = await rejection(decode(chunks));
        assertError(error, ChunkLengthError, {
          expected: 4,
          actual,
          message: new RegExp(`is ${bytesText(actual)}, expected 4`),
        });
      }
    }
    assert.equal((await decode([new Uint8Array(4)])).length, 0);
  });
});
