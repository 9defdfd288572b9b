// What tests of streams need.

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

export const streamOf = (chunks) => ReadableStream.from(chunks);

/** All that comes out of a stream, each piece checked. */
export async function collect(stream) {
  const pieces = [];
  for await (const piece of stream) {
    assert.equal(piece.constructor, Uint8Array);
    assert.ok(piece.length > 0, "no empty pieces");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** What a promise rejects with. */
export const rejection = (promise) =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error) => error,
  );

/** Whether a promise is settled by now. */
export async function isSettled(promise) {
  const pending = Symbol("pending");
  await setTimeout(5);
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
