// The crc32c codec over streams.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  Crc32cDecoderStream,
  Crc32cEncoderStream,
  InvalidArgumentError,
} from "zarr-codecs";
import {
  assertError,
  assertSameBytes,
  assertStillWorks,
  detached,
  noise,
  shared,
  slowCrc,
  withChecksum,
} from "./helpers.mjs";

const streamOf = (chunks) => ReadableStream.from(chunks);

/** All that comes out of a stream, each piece checked. */
async function collect(stream) {
  const pieces = [];
  for await (const piece of stream) {
    assert.equal(piece.constructor, Uint8Array);
    assert.ok(piece.length > 0, "no empty pieces");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const encode = (chunks) => collect(streamOf(chunks).pipeThrough(new Crc32cEncoderStream()));
const decode = (chunks) => collect(streamOf(chunks).pipeThrough(new Crc32cDecoderStream()));

/** What a promise rejects with. */
const rejection = (promise) =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error) => error,
  );

/** Whether a promise is settled by now. */
async function isSettled(promise) {
  const pending = Symbol("pending");
  await setTimeout(5);
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

function* chunksOf(bytes, ...lengths) {
  let start = 0;
  for (const length of lengths) {
    yield bytes.slice(start, start + length);
    start += length;
  }
  yield bytes.slice(start);
}

const CHUNKED = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(40), { maxLength: 12 }));

describe("Crc32cEncoderStream", () => {
  test("appends the checksum, whatever the chunks", async () => {
    await fc.assert(
      fc.asyncProperty(CHUNKED, async ([bytes, lengths]) => {
        assertSameBytes(await encode(chunksOf(bytes, ...lengths)), withChecksum(bytes));
      }),
    );
  });

  test("appends the known checksum of a known text, in chunks of one byte", async () => {
    const bytes = new TextEncoder().encode("123456789");
    const encoded = await encode(chunksOf(bytes, ...bytes.map(() => 1)));
    assert.equal(encoded.toString("hex"), "313233343536373839839206e3");
  });

  test("makes a checksum of nothing", async () => {
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

  test("holds back the last four bytes and no more", async () => {
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

  test("errors at the end on a mismatch, after all bytes, with both numbers", async () => {
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
    );
    assertStillWorks();
  });

  test("says numbers as chunks do", async () => {
    const error = await rejection(decode([withChecksum(Buffer.from("123456789"), 15)]));
    assertError(error, ChecksumMismatchError, {
      message: /^crc32c: stored 0x0000000f, computed 0xe3069283 over 9 bytes/,
    });
  });

  test("errors on fewer than four bytes", async () => {
    for (const actual of [0, 1, 2, 3]) {
      for (const chunks of [[new Uint8Array(actual)], Array(actual).fill(new Uint8Array(1))]) {
        const error = await rejection(decode(chunks));
        assertError(error, ChunkLengthError, {
          expected: 4,
          actual,
          message: new RegExp(`${actual} bytes.* 4`),
        });
      }
    }
    assert.equal((await decode([new Uint8Array(4)])).length, 0);
  });
});

for (const Stream of [Crc32cEncoderStream, Crc32cDecoderStream]) {
  describe(`${Stream.name}, as any transform stream,`, () => {
    test("has a readable and a writable side", () => {
      const stream = new Stream();
      assert.ok(stream.readable instanceof ReadableStream);
      assert.ok(stream.writable instanceof WritableStream);
    });

    test("takes any kind of buffer", async () => {
      const bytes = Stream === Crc32cEncoderStream ? noise(64) : withChecksum(noise(60));
      const expected = Stream === Crc32cEncoderStream ? withChecksum(bytes) : bytes.slice(0, 60);
      const copy = () => bytes.slice().buffer;
      const inputs = [
        copy(),
        shared(bytes),
        new DataView(copy()),
        new Float64Array(copy()),
        Buffer.from(bytes),
      ];
      for (const input of inputs) {
        const seen = await collect(streamOf([input]).pipeThrough(new Stream()));
        assertSameBytes(seen, expected, input.constructor.name);
      }
    });

    test("errors on anything else", async () => {
      for (const chunk of ["text", 1, {}, [1, 2], true, () => {}, detached(new ArrayBuffer(8))]) {
        const { readable, writable } = new Stream();
        const writer = writable.getWriter();
        const written = rejection(writer.write(chunk));
        const read = rejection(readable.getReader().read());
        for (const error of [await written, await read, await rejection(writer.closed)]) {
          assertError(error, InvalidArgumentError, {
            argument: "chunk",
            message: /^chunk: expected .+, got .+/,
          });
        }
      }
    });

    test("lets a writer reuse its buffer", async () => {
      const { readable, writable } = new Stream();
      const writer = writable.getWriter();
      const collected = collect(readable);
      const bytes = noise(300);
      const source = Stream === Crc32cEncoderStream ? bytes : withChecksum(bytes);
      const buffer = new Uint8Array(7);
      for (const chunk of chunksOf(source, ...Array(60).fill(7))) {
        buffer.set(chunk);
        await writer.write(buffer.subarray(0, chunk.length));
        buffer.fill(0xee);
      }
      await writer.close();
      assertSameBytes(await collected, Stream === Crc32cEncoderStream ? withChecksum(bytes) : bytes);
    });

    test("gives pieces that share no memory with what was written", async () => {
      const { readable, writable } = new Stream();
      const writer = writable.getWriter();
      const written = noise(64);
      writer.write(written);
      const { value } = await readable.getReader().read();
      assert.notEqual(value.buffer, written.buffer);
      value.fill(0);
      assertSameBytes(written, noise(64));
    });

    test("makes writers wait for readers", async () => {
      const { readable, writable } = new Stream();
      const writer = writable.getWriter();
      const written = writer.write(noise(100));
      assert.equal(await isSettled(written), false);
      assert.ok(writer.desiredSize <= 0);
      const reader = readable.getReader();
      await reader.read();
      await written;
    });

    test("tells the writer when the reader cancels", async () => {
      const { readable, writable } = new Stream();
      const writer = writable.getWriter();
      const reason = new Error("enough");
      await readable.cancel(reason);
      assert.equal(await rejection(writer.write(noise(8))), reason);
      assert.equal(await rejection(writer.closed), reason);
      assertStillWorks();
    });

    test("tells the reader when the writer aborts", async () => {
      const { readable, writable } = new Stream();
      const reason = new Error("gone");
      const read = rejection(readable.getReader().read());
      await writable.getWriter().abort(reason);
      assert.equal(await read, reason);
      assertStillWorks();
    });

    test("stops a pipe by a signal", async () => {
      const abort = new AbortController();
      const endless = new ReadableStream({ pull: (controller) => controller.enqueue(noise(100)) });
      const reader = endless.pipeThrough(new Stream(), { signal: abort.signal }).getReader();
      await reader.read();
      abort.abort();
      await assert.rejects(
        (async () => {
          while (!(await reader.read()).done);
        })(),
        { name: "AbortError" },
      );
    });

    test("is independent of others of its kind", async () => {
      const texts = ["one", "two", "three"].map((text) => new TextEncoder().encode(text));
      const [source, target] =
        Stream === Crc32cEncoderStream ? [(x) => x, withChecksum] : [withChecksum, (x) => x];
      const results = await Promise.all(
        texts.map((bytes) => collect(streamOf(chunksOf(source(bytes), 1, 1)).pipeThrough(new Stream()))),
      );
      results.forEach((result, i) => {
        assertSameBytes(result, target(texts[i]));
      });
    });
  });
}

describe("both streams together", () => {
  test("compose with the platform's", async () => {
    const bytes = noise(300_000);
    const compressed = await collect(
      new Blob([bytes])
        .stream()
        .pipeThrough(new Crc32cEncoderStream())
        .pipeThrough(new CompressionStream("gzip")),
    );
    const restored = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const encoded = await collect(restored);
    assertSameBytes(encoded, withChecksum(bytes));
    const response = new Response(new Response(encoded).body.pipeThrough(new Crc32cDecoderStream()));
    assertSameBytes(await response.arrayBuffer(), bytes);
  });

  test("need constant memory, however much flows through", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc");
    const used = () => {
      collectGarbage();
      collectGarbage(); // the first may leave the memory of buffers to a thread
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const MIB = 2 ** 20;
    const chunk = noise(MIB);
    let left = 512;
    const source = new ReadableStream(
      {
        pull(controller) {
          if (left === 0) controller.close();
          else controller.enqueue(chunk);
          left -= 1;
        },
      },
      { highWaterMark: 0 },
    );
    const before = used();
    let [byteLength, most] = [0, 0];
    for await (const piece of source
      .pipeThrough(new Crc32cEncoderStream())
      .pipeThrough(new Crc32cDecoderStream())) {
      byteLength += piece.length;
      if (left % 32 === 0) most = Math.max(most, used() - before);
    }
    assert.equal(byteLength, 512 * MIB);
    assert.ok(most > 0 && most < 24 * MIB, `${most / MIB} MiB more than before`);
  });
});
