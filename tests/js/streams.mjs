// Helpers of tests of streams.

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";

export const streamOf = (chunks) => ReadableStream.from(chunks);

/** Collects the output of a stream, checking each piece. */
export async function collect(stream) {
  const pieces = [];
  for await (const piece of stream) {
    assert.equal(piece.constructor, Uint8Array);
    assert.ok(piece.length > 0, "no empty pieces");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the error that a promise rejects with. */
export const rejection = (promise) =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error) => error,
  );

/** Returns whether a promise is settled. */
export async function isSettled(promise) {
  const pending = Symbol("pending");
  await setImmediate();
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

export function* chunksOf(bytes, ...lengths) {
  let start = 0;
  for (const length of lengths) {
    yield bytes.slice(start, start + length);
    start += length;
  }
  yield bytes.slice(start);
}
