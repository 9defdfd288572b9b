// Slow, because it measures memory: 512 MiB through both streams.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Crc32cDecoderStream, Crc32cEncoderStream } from "zarr-codecs";
import { noise } from "./helpers.mjs";

test("streams need constant memory, whatever the length of the stream", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const used = () => {
    collectGarbage();
    collectGarbage(); // The first collection may leave the memory of buffers to a thread.
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
