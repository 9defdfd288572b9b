// General properties of transform streams, for those of the crc32c codec.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Crc32cDecoderStream, Crc32cEncoderStream, InvalidArgumentError } from "zarr-codecs";
import {
  assertError,
  assertSameBytes,
  assertStillWorks,
  detached,
  noise,
  shared,
  withChecksum,
} from "./helpers.mjs";
import { chunksOf, collect, isSettled, rejection, streamOf } from "./streams.mjs";

for (const Stream of [Crc32cEncoderStream, Crc32cDecoderStream]) {
  describe(`${Stream.name}, as any transform stream,`, () => {
    test("has a readable and a writable side", () => {
      const stream = new Stream();
      assert.ok(stream.readable instanceof ReadableStream);
      assert.ok(stream.writable instanceof WritableStream);
    });

    test("accepts any kind of buffer", async () => {
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

    test("errors on any other input", async () => {
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

    test("outputs pieces that share no memory with the input", async () => {
      const { readable, writable } = new Stream();
      const writer = writable.getWriter();
      const written = noise(64);
      writer.write(written);
      const { value } = await readable.getReader().read();
      assert.notEqual(value.buffer, written.buffer);
      value.fill(0);
      assertSameBytes(written, noise(64));
    });

    test("applies backpressure", async () => {
      const { readable, writable } = new Stream();
      const writer = writable.getWriter();
      const written = writer.write(noise(100));
      assert.equal(await isSettled(written), false);
      assert.ok(writer.desiredSize <= 0);
      const reader = readable.getReader();
      await reader.read();
      await written;
    });

    test("passes a cancellation by the reader to the writer", async () => {
      const { readable, writable } = new Stream();
      const writer = writable.getWriter();
      const reason = new Error("enough");
      await readable.cancel(reason);
      assert.equal(await rejection(writer.write(noise(8))), reason);
      assert.equal(await rejection(writer.closed), reason);
      assertStillWorks();
    });

    test("passes an abort by the writer to the reader", async () => {
      const { readable, writable } = new Stream();
      const reason = new Error("gone");
      const read = rejection(readable.getReader().read());
      await writable.getWriter().abort(reason);
      assert.equal(await read, reason);
      assertStillWorks();
    });

    test("stops piping on an abort signal", async () => {
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

    test("is independent of other streams", async () => {
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
  test("compose with the streams of the host", async () => {
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
});
