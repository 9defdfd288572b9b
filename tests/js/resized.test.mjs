// Views of buffers that were resized.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Crc32c, Crc32cDecoderStream, Crc32cEncoderStream, crc32c, InvalidArgumentError } from "zarr-codecs";
import { assertError, assertSameBytes, assertThrows, BIG, chainOf, slowCrc, VALUES } from "./helpers.mjs";
import { rejection } from "./streams.mjs";

const chain = chainOf({ shape: [2] });
const ofBytes = chainOf({ dataType: "uint8", shape: [8] });
const decoded = Float32Array.from(VALUES);

/** Creates a resizable buffer: 8 zeros, then `BIG`. */
function resizable() {
  const buffer = new ArrayBuffer(16, { maxByteLength: 32 });
  new Uint8Array(buffer).set(BIG, 8);
  return buffer;
}

/** Views of the last 8 bytes, of fixed length. */
const VIEWS = {
  "a DataView": (buffer) => new DataView(buffer, 8, 8),
  "a Uint8Array": (buffer) => new Uint8Array(buffer, 8, 8),
  "a Float32Array": (buffer) => new Float32Array(buffer, 8, 2),
  "a BigInt64Array": (buffer) => new BigInt64Array(buffer, 8, 1),
};
/** Views that track the length of the buffer. */
const TRACKING = {
  "a DataView": (buffer) => new DataView(buffer, 8),
  "a Uint8Array": (buffer) => new Uint8Array(buffer, 8),
  "a Float32Array": (buffer) => new Float32Array(buffer, 8),
};

const got = (argument) => ({
  argument,
  message: `${argument}: expected bytes, got an out-of-bounds view`,
  cause: new RangeError("out of bounds"),
});

function assertRejected(view) {
  assertThrows(() => chain.decode(view), InvalidArgumentError, got("encoded"));
  assertThrows(() => crc32c(view), InvalidArgumentError, got("bytes"));
  assertThrows(() => new Crc32c().update(view), InvalidArgumentError, got("bytes"));
}

describe("rejects an out-of-bounds view:", () => {
  for (const [what, make] of Object.entries(VIEWS)) {
    test(`${what} of a buffer that was shortened to before its start or its end`, () => {
      for (const byteLength of [15, 9, 8, 7, 1, 0]) {
        const buffer = resizable();
        const view = make(buffer);
        buffer.resize(byteLength);
        assertRejected(view);
      }
    });

    test(`${what}, until the buffer has grown again`, () => {
      const buffer = resizable();
      const view = make(buffer);
      buffer.resize(4);
      assertRejected(view);
      buffer.resize(32);
      new Uint8Array(buffer).set(BIG, 8);
      assertSameBytes(chain.decode(view).data, decoded);
      assert.equal(crc32c(view), slowCrc(BIG));
    });
  }

  for (const [what, make] of Object.entries(TRACKING)) {
    test(`${what} that tracks the length, of a buffer that ends before its start`, () => {
      const buffer = resizable();
      const view = make(buffer);
      buffer.resize(7);
      assertRejected(view);
    });
  }

  test("as an array to encode, alone and in a chunk", () => {
    const buffer = resizable();
    const view = new Float32Array(buffer, 8, 2);
    const bytes = new Uint8Array(buffer, 8, 8);
    buffer.resize(12);
    assertThrows(() => chain.encode(view), InvalidArgumentError, got("chunk"));
    assertThrows(() => chain.encode({ data: view }), InvalidArgumentError, got("chunk"));
    assertThrows(() => ofBytes.encode(bytes), InvalidArgumentError, got("chunk"));
  });

  test("as out", () => {
    const buffer = resizable();
    const [floats, bytes] = [new Float32Array(buffer, 8, 2), new Uint8Array(buffer, 8, 8)];
    buffer.resize(12);
    assertThrows(() => chain.decode(BIG, { out: floats }), InvalidArgumentError, got("out"));
    assertThrows(() => chain.encode(decoded, { out: bytes }), InvalidArgumentError, got("out"));
  });

  for (const Stream of [Crc32cEncoderStream, Crc32cDecoderStream]) {
    test(`by ${Stream.name}`, async () => {
      const buffer = resizable();
      const view = new DataView(buffer, 8, 8);
      buffer.resize(12);
      const { readable, writable } = new Stream();
      const read = rejection(readable.getReader().read());
      assertError(await rejection(writable.getWriter().write(view)), InvalidArgumentError, got("chunk"));
      assertError(await read, InvalidArgumentError, got("chunk"));
    });
  }
});

describe("reads the current length of a view that tracks it:", () => {
  for (const [what, make] of Object.entries(TRACKING)) {
    test(what, () => {
      const buffer = resizable();
      const view = make(buffer);
      assertSameBytes(chain.decode(view).data, decoded);
      buffer.resize(32);
      assert.equal(crc32c(view), slowCrc(new Uint8Array(buffer, 8)));
      buffer.resize(12);
      const half = chainOf({ shape: [1] });
      assert.deepEqual([...half.decode(view).data], [VALUES[0]]);
      buffer.resize(8);
      assert.equal(crc32c(view), 0);
    });
  }

  test("as an array to encode, and as out", () => {
    const view = new Float32Array(resizable(), 8);
    const { data } = chain.decode(BIG, { out: view });
    assert.equal(data, view);
    assertSameBytes(chain.encode(view), BIG);
    const bytes = new Uint8Array(resizable(), 8).fill(0);
    assert.equal(chain.encode(decoded, { out: bytes }), bytes);
    assertSameBytes(bytes, BIG);
  });

  test("over shared memory that grows", () => {
    const buffer = new SharedArrayBuffer(8, { maxByteLength: 16 });
    const view = new Uint8Array(buffer);
    view.set(BIG);
    assertSameBytes(chain.decode(view).data, decoded);
    buffer.grow(16);
    assert.equal(crc32c(view), slowCrc([...BIG, ...new Uint8Array(8)]));
  });
});

test("empty views are not out of bounds, whatever their offset", () => {
  const buffer = resizable();
  for (const view of [
    new Uint8Array(buffer, 0, 0),
    new Uint8Array(buffer, 16, 0),
    new DataView(buffer, 16, 0),
    new Float64Array(0),
    new Uint8Array(buffer, 16),
  ]) {
    assert.equal(crc32c(view), 0);
  }
});
