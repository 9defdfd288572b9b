// InvalidArgumentError: arguments that are not buffers, and arrays of another type or length.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { CodecChain, Crc32c, crc32c, createCodecChain, InvalidArgumentError } from "zarr-codecs";
import { assertThrows, chainOf, detached, literally } from "./helpers.mjs";

/** Values that are not buffers, and their descriptions in messages. */
const NOT_BUFFERS = [
  [null, "null"],
  [undefined, "undefined"],
  [0, "0"],
  [-0, "-0"],
  [16, "16"],
  [Number.NaN, "NaN"],
  [1n, "1n"],
  [true, "true"],
  ["bytes", '"bytes"'],
  [Symbol("bytes"), "a symbol"],
  [[], "an array"],
  [[1, 2, 3, 4], "an array"],
  [{}, "an object"],
  [{ byteLength: 16 }, "an object"],
  [() => {}, "a function"],
  [Uint8Array, "a function"],
  [new Map(), "a Map"],
  [new Date(0), "a Date"],
  [Promise.resolve(new Uint8Array(16)), "a Promise"],
  [new Blob([]), "a Blob"],
  [
    {
      get [Symbol.toStringTag]() {
        throw new Error("touched");
      },
    },
    "an object that cannot be read",
  ],
  [{ [Symbol.toStringTag]: "ArrayBuffer", byteLength: 16 }, /.+/],
];

describe("rejects a value that is not a buffer:", () => {
  const chain = chainOf();
  for (const [value, got] of NOT_BUFFERS) {
    const name = got instanceof RegExp ? "an object with the tag of one" : got;
    test(name, () => {
      const end = got instanceof RegExp ? got.source : literally(got);
      const takers = {
        encoded: () => chain.decode(value),
        bytes: () => crc32c(value),
        chunk: () => chain.encode(value),
      };
      for (const [argument, take] of Object.entries(takers)) {
        const message = new RegExp(`^${argument}: expected .+, got ${end}$`);
        assertThrows(take, InvalidArgumentError, { argument, message });
      }
      assertThrows(() => new Crc32c().update(value), InvalidArgumentError, { argument: "bytes" });
      if (value !== undefined) {
        assertThrows(() => chain.encode({ data: value }), InvalidArgumentError, { argument: "chunk.data" });
        for (const use of [
          () => chain.decode(new Uint8Array(16), { out: value }),
          () => chain.encode(new Float32Array(4), { out: value }),
        ]) {
          const message = new RegExp(`^out: expected .+, got ${end}`);
          assertThrows(use, InvalidArgumentError, { argument: "out", message });
        }
      }
    });
  }

  for (const [what, make] of [
    ["ArrayBuffer", () => new ArrayBuffer(16)],
    ["Uint8Array", () => new Uint8Array(16)],
    ["Float32Array", () => new Float32Array(4)],
    ["DataView", () => new DataView(new ArrayBuffer(16))],
  ]) {
    test(`a detached ${what}`, () => {
      const takers = {
        encoded: () => chain.decode(detached(make())),
        bytes: () => crc32c(detached(make())),
      };
      for (const [argument, take] of Object.entries(takers)) {
        assertThrows(take, InvalidArgumentError, { argument, message: /detached/ });
      }
      assertThrows(() => new Crc32c().update(detached(make())), InvalidArgumentError, {
        message: /detached/,
      });
    });
  }

  test("a detached array to encode", () => {
    assertThrows(() => chain.encode(detached(new Float32Array(4))), InvalidArgumentError, {
      argument: "chunk",
    });
    const ofBytes = chainOf({ dataType: "uint8", shape: [16] });
    assertThrows(() => ofBytes.encode(detached(new Uint8Array(16))), InvalidArgumentError, {
      argument: "chunk",
    });
  });
});

describe("rejects an array to encode", () => {
  const chain = chainOf({ shape: [2, 2] });
  const data = new Float32Array(4);
  const WRONG = [
    ["of another type", new Float64Array(4), "chunk", "Float64Array of 4"],
    ["of bytes", new Uint8Array(16), "chunk", "Uint8Array of 16"],
    ["that is an ArrayBuffer", new ArrayBuffer(16), "chunk", "an ArrayBuffer"],
    ["that is a DataView", new DataView(new ArrayBuffer(16)), "chunk", "a DataView"],
    ["of another type in a chunk", { data: new Int32Array(4) }, "chunk.data", "Int32Array of 4"],
    ["with another shape", { data, shape: [4] }, "chunk.shape", "[4]"],
    ["with another length of a dimension", { data, shape: [2, 3] }, "chunk.shape", "[2, 3]"],
    ["with another number of dimensions", { data, shape: [2, 2, 1] }, "chunk.shape", "[2, 2, 1]"],
    ["with an object as shape", { data, shape: { 0: 2, 1: 2, length: 2 } }, "chunk.shape", "an object"],
    ["with a string as shape", { data, shape: "2,2" }, "chunk.shape", '"2,2"'],
    ["with a shape of strings", { data, shape: ["2", "2"] }, "chunk.shape", '["2", "2"]'],
    ["with gaps", { data, shape: [2, 2], stride: [4, 1] }, "chunk.stride", "[4, 1]"],
    ["with overlapping elements", { data, shape: [2, 2], stride: [1, 1] }, "chunk.stride", "[1, 1]"],
    ["with a negative stride", { data, shape: [2, 2], stride: [-2, 1] }, "chunk.stride", "[-2, 1]"],
    ["with a number as stride", { data, stride: 2 }, "chunk.stride", "2"],
  ];
  for (const [what, chunk, argument, got] of WRONG) {
    test(what, () => {
      const message = new RegExp(`^${literally(argument)}: expected .+, got ${literally(got)}$`);
      assertThrows(() => chain.encode(chunk), InvalidArgumentError, { argument, message });
    });
  }
});

describe("rejects the option out", () => {
  const chain = chainOf({ shape: [64, 64] });
  const encoded = new Uint8Array(4 * 4096);
  const decoded = new Float32Array(4096);

  test("of decode, of another type or length", () => {
    const message = "out: expected Float32Array of 4096 elements, got Float64Array of 4096";
    const argument = "out";
    const decode = (out) => () => chain.decode(encoded, { out });
    assertThrows(decode(new Float64Array(4096)), InvalidArgumentError, { argument, message });
    const got = (text) => ({ argument, message: `out: expected Float32Array of 4096 elements, got ${text}` });
    assertThrows(decode(new Float32Array(4095)), InvalidArgumentError, got("Float32Array of 4095"));
    assertThrows(decode(new Float32Array(4097)), InvalidArgumentError, got("Float32Array of 4097"));
    assertThrows(decode(new Uint8Array(4 * 4096)), InvalidArgumentError, got("Uint8Array of 16384"));
    assertThrows(decode(new ArrayBuffer(4 * 4096)), InvalidArgumentError, got("an ArrayBuffer"));
    assertThrows(decode(null), InvalidArgumentError, got("null"));
    assertThrows(decode(detached(new Float32Array(4096))), InvalidArgumentError, {
      argument,
      message: "out: expected bytes, got a detached ArrayBuffer",
    });
    const guarded = Object.defineProperty(new Uint8Array(4), "length", { get: () => assert.fail("read") });
    assertThrows(decode(guarded), InvalidArgumentError, got("Uint8Array of 4"));
  });

  test("of encode, of another type or length", () => {
    for (const out of [new Uint8Array(16383), new Uint8Array(16385), new Float32Array(4096), null]) {
      const expected = { argument: "out", message: /^out: expected Uint8Array of 16384 elements, got / };
      assertThrows(() => chain.encode(decoded, { out }), InvalidArgumentError, expected);
    }
  });

  test("that overlaps the input", () => {
    const small = chainOf({ shape: [2] });
    const overlapping = (what) => ({ argument: "out", message: `out overlaps the ${what}` });
    for (const offset of [0, 4, 8, 12]) {
      const buffer = new ArrayBuffer(24);
      const bytes = new Uint8Array(buffer, 8, 8);
      const out = new Float32Array(buffer, offset, 2);
      if (offset === 0) {
        assert.equal(small.decode(bytes, { out }).data, out);
        assert.equal(small.encode(out, { out: bytes }), bytes);
        continue;
      }
      const ofDecode = overlapping("encoded bytes (see the option inPlace)");
      assertThrows(() => small.decode(bytes, { out }), InvalidArgumentError, ofDecode);
      const ofEncode = overlapping("decoded array");
      assertThrows(() => small.encode(out, { out: bytes }), InvalidArgumentError, ofEncode);
    }
  });
});

test("rejects a chunk whose shape cannot be read, with the cause", () => {
  const cause = new Error("mine");
  const chunk = {
    data: new Float32Array(4),
    get shape() {
      throw cause;
    },
  };
  assertThrows(() => chainOf().encode(chunk), InvalidArgumentError, {
    argument: "chunk",
    message: "chunk could not be read",
    cause,
  });
});

test("rejects constructing a chain, which functions create", () => {
  assertThrows(() => new CodecChain(), InvalidArgumentError, {
    argument: "CodecChain",
    message: "CodecChain cannot be constructed: use createCodecChain",
  });
});

test("reports memory that the host does not allocate", { skip: !globalThis.Buffer }, () => {
  const length = 200_000; // Longer than the window.
  const chain = chainOf({ shape: [length] });
  const shuffled = createCodecChain({
    dataType: "uint8",
    shape: [4 * length],
    codecs: ["bytes", { name: "numcodecs.shuffle", configuration: { elementsize: 4 } }],
  });
  const cause = new RangeError("Array buffer allocation failed");
  const fail = () => {
    throw cause;
  };
  const encoded = new Uint8Array(4 * length);
  const decoded = new Float32Array(length);
  for (const [representation, use] of [
    ["decoded", () => chain.decode(encoded)],
    ["decoded", () => shuffled.decode(encoded)],
    ["encoded", () => chain.encode(decoded)],
  ]) {
    const allocator = mock.method(Buffer, "allocUnsafeSlow", fail);
    try {
      assertThrows(use, InvalidArgumentError, {
        argument: "memory",
        message: `could not allocate 800000 bytes for the ${representation} chunk`,
        cause,
      });
    } finally {
      allocator.mock.restore();
    }
  }
});
