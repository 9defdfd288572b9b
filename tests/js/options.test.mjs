// What each option does, and where decoded data live.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  codecChainForArray,
  createCodecChain,
  decode,
  encode,
  InvalidArgumentError,
  InvalidElementError,
  InvalidMetadataError,
} from "zarr-codecs";
import {
  assertSameBytes,
  assertThrows,
  atOffset,
  metadataOf,
  noise,
  shared,
  withChecksum,
} from "./helpers.mjs";
import { ARRAY_TYPES, bytesOf, valueOfHalf } from "./vectors.mjs";

const chainOf = ({ options, ...metadata } = {}) => createCodecChain(metadataOf(metadata), options);

/** 1 and -2 in either byte order. */
const BIG = Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0);
const LITTLE = Uint8Array.of(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0);
const VALUES = [1, -2];

/** Lengths below, at and above what is decoded in one go. */
const LENGTHS = [1, 16, 16_384, 16_385, 50_000];

describe("decoded data", () => {
  test("are a view of the encoded bytes where byte order and alignment allow", () => {
    const viewed = [
      [{ dataType: "float32", endian: "little" }, 0],
      [{ dataType: "float32", endian: "little" }, 4],
      [{ dataType: "float32", endian: "little", checksums: 1 }, 4],
      [{ dataType: "float32", endian: "little", checksums: 2 }, 8],
      [{ dataType: "complex128", endian: "little" }, 8],
      [{ dataType: "int64", endian: "little" }, 16],
      [{ dataType: "float16", endian: "little", options: { float16: "bits" } }, 2],
      [{ dataType: "uint8", endian: "big" }, 1],
      [{ dataType: "int8", endian: undefined }, 3],
      [{ dataType: "bool", endian: undefined, checksums: 1 }, 5],
      [{ dataType: "r24", endian: "big" }, 7],
    ];
    for (const [metadata, offset] of viewed) {
      const chain = chainOf(metadata);
      const elements = new Uint8Array(chain.encodedByteLength - 4 * (metadata.checksums ?? 0));
      elements[1] = 1;
      const encoded = atOffset(append(elements, metadata.checksums), offset);
      const { data } = chain.decode(encoded);
      assert.equal(data.buffer, encoded.buffer, metadata.dataType);
      assert.equal(data.byteOffset, offset);
      encoded[0] ^= 1;
      assert.equal(bytesOf(data)[0], encoded[0]);
    }
  });

  test("are on their own otherwise, with no more memory than they need", () => {
    const copied = [
      [{ dataType: "float32", endian: "big" }, 0],
      [{ dataType: "float32", endian: "little" }, 1],
      [{ dataType: "float32", endian: "little" }, 2],
      [{ dataType: "float32", endian: "little", checksums: 1 }, 3],
      [{ dataType: "complex64", endian: "little" }, 6],
      [{ dataType: "uint64", endian: "little" }, 4],
      [{ dataType: "uint16", endian: "big", checksums: 1 }, 0],
      [{ dataType: "float16", endian: "little", options: { float16: "bits" } }, 1],
      [{ dataType: "float16", endian: "little", options: { float16: "float32" } }, 0],
      [{ dataType: "bool", endian: undefined, options: { invalidBool: "true" } }, 0],
    ];
    for (const [metadata, offset] of copied) {
      const chain = chainOf(metadata);
      const elements = new Uint8Array(chain.encodedByteLength - 4 * (metadata.checksums ?? 0));
      const encoded = atOffset(append(elements, metadata.checksums), offset);
      assertOwn(chain.decode(encoded).data, encoded);
    }
  });

  test("are on their own always with the option copy", () => {
    for (const dataType of Object.keys(ARRAY_TYPES)) {
      const chain = chainOf({ dataType, endian: "little" });
      for (const encoded of [
        new Uint8Array(chain.encodedByteLength),
        new ArrayBuffer(chain.encodedByteLength),
      ]) {
        assertOwn(chain.decode(encoded, { copy: true }).data, encoded);
        assertOwn(chain.decode(shared(bytesOf(encoded)), { copy: true }).data, encoded);
      }
      const encoded = new Uint8Array(chain.encodedByteLength);
      assert.equal(
        chain.decode(encoded, { copy: false }).data.buffer === encoded.buffer,
        dataType !== "float16",
      );
    }
  });

  function assertOwn(data, encoded) {
    assert.notEqual(data.buffer, bytesOf(encoded).buffer);
    assert.ok(data.buffer instanceof ArrayBuffer);
    assert.equal(data.byteOffset, 0);
    assert.equal(data.buffer.byteLength, data.byteLength);
  }

  function append(bytes, checksums = 0) {
    return checksums === 0 ? bytes : append(withChecksum(bytes), checksums - 1);
  }

  test("come in a new chunk each time", () => {
    for (const endian of ["big", "little"]) {
      const chain = chainOf({ shape: [1, 2], endian });
      const encoded = endian === "big" ? BIG : LITTLE;
      const [first, second] = [chain.decode(encoded), chain.decode(encoded)];
      assert.deepEqual(first.shape, [1, 2]);
      assert.deepEqual(first.stride, [2, 1]);
      first.shape.reverse().push(7);
      first.stride.length = 0;
      assert.deepEqual(
        [second.shape, second.stride],
        [
          [1, 2],
          [2, 1],
        ],
      );
      const { shape, stride, data } = chain.decode(encoded);
      assert.deepEqual([shape, stride, [...data]], [[1, 2], [2, 1], VALUES]);
      assert.deepEqual(chain.shape, [1, 2]);
    }
  });

  test("have strides in elements, in C order", () => {
    const cases = [
      [[], [], 1],
      [[5], [1], 5],
      [[2, 3, 4], [12, 4, 1], 24],
      [[1, 1], [1, 1], 1],
      [[0], [1], 0],
      [[0, 3], [3, 1], 0],
      [[2, 0, 3], [0, 3, 1], 0],
    ];
    for (const [shape, stride, elements] of cases) {
      for (const [dataType, components] of [
        ["int16", 1],
        ["complex64", 2],
        ["r24", 3],
      ]) {
        for (const checksums of [0, 1]) {
          const chain = chainOf({ dataType, shape, checksums });
          const data = new ARRAY_TYPES[dataType](elements * components);
          const chunk = chain.decode(chain.encode(data));
          assert.deepEqual(chunk, { data, shape, stride });
          assert.equal(chain.decodedByteLength, data.byteLength);
          assert.equal(chain.encodedByteLength, data.byteLength + 4 * checksums);
        }
      }
    }
  });

  test("of no elements still have a checksum", () => {
    const chain = chainOf({ shape: [3, 0], checksums: 1 });
    assertSameBytes(chain.encode(new Float32Array(0)), new Uint8Array(4));
    assert.equal(chain.decode(new Uint8Array(4)).data.length, 0);
    assertThrows(() => chain.decode(Uint8Array.of(0, 0, 0, 1)), ChecksumMismatchError, {
      byteLength: 0,
      computed: 0,
    });
    assertThrows(() => chain.decode(new Uint8Array(0)), ChunkLengthError, { expected: 4, actual: 0 });
  });

  test("of one element need no dimension", () => {
    const chain = chainOf({ shape: [] });
    assert.deepEqual(chain.decode(BIG.subarray(0, 4)), { data: Float32Array.of(1), shape: [], stride: [] });
    assertSameBytes(chain.encode({ data: Float32Array.of(-2), shape: [], stride: [] }), BIG.subarray(4));
  });

  test("are the same from another realm's arrays", () => {
    const chain = chainOf({ shape: [2] });
    const [foreign, buffer, out] = runInNewContext(
      `const bytes = Uint8Array.of(${BIG}); [bytes, bytes.buffer, new Float32Array(2)]`,
    );
    assert.ok(!(foreign instanceof Uint8Array));
    assert.deepEqual([...chain.decode(foreign).data], VALUES);
    assert.deepEqual([...chain.decode(buffer).data], VALUES);
    assert.equal(chain.decode(BIG, { out }).data, out);
    assertSameBytes(out, Float32Array.from(VALUES));
    assertSameBytes(chain.encode(out), BIG);
    assertSameBytes(chain.encode({ data: out, shape: [2] }, { out: foreign.fill(0) }), BIG);
    assertSameBytes(foreign, BIG);
  });
});

describe("the option out", () => {
  test("of decode takes any array of the right type and length", () => {
    const chain = chainOf({ shape: [2] });
    class Mine extends Float32Array {}
    for (const out of [
      new Float32Array(2),
      new Mine(2),
      new Float32Array(new ArrayBuffer(24), 8, 2),
      new Float32Array(new SharedArrayBuffer(8)),
      new Float32Array(new ArrayBuffer(8, { maxByteLength: 16 })),
    ]) {
      const { data, shape, stride } = chain.decode(BIG, { out });
      assert.equal(data, out);
      assert.deepEqual([[...out], shape, stride], [VALUES, [2], [1]]);
    }
  });

  test("takes nothing where a chunk has no elements, from memory that has shrunk too", () => {
    const memory = new ArrayBuffer(16, { maxByteLength: 16 });
    const [out, bytes] = [new Float32Array(memory, 8, 2), new Uint8Array(memory, 8, 8)];
    memory.resize(4);
    for (const endian of ["little", "big"]) {
      const chain = chainOf({ shape: [0], endian });
      assert.equal(chain.decode(new Uint8Array(0), { out }).data, out);
      assert.equal(chain.encode(new Float32Array(0), { out: bytes }), bytes);
    }
  });

  test("of encode takes any Uint8Array of the right length, and gives it back", () => {
    const chain = chainOf({ shape: [2] });
    for (const out of [
      new Uint8Array(8),
      Buffer.alloc(8),
      atOffset(new Uint8Array(8), 3),
      new Uint8Array(new SharedArrayBuffer(8)),
    ]) {
      assert.equal(chain.encode(Float32Array.from(VALUES), { out }), out);
      assertSameBytes(out, BIG);
    }
  });

  test("writes there and nowhere else", () => {
    for (const length of LENGTHS) {
      for (const endian of ["little", "big"]) {
        const chain = chainOf({ shape: [length], endian, checksums: 1 });
        const encoded = withChecksum(noise(4 * length));
        const around = new Uint8Array(4 * length + 16).fill(0xa5);
        const out = new Float32Array(around.buffer, 8, length);
        chain.decode(encoded, { out });
        assertSameBytes(out, chain.decode(encoded).data);
        const outAgain = around.subarray(4, 4 + encoded.length);
        around.fill(0xa5);
        chain.encode(chain.decode(encoded, { copy: true }), { out: outAgain });
        assertSameBytes(outAgain, encoded);
        assertSameBytes(around.subarray(0, 4), new Uint8Array(4).fill(0xa5));
        assertSameBytes(around.subarray(4 + encoded.length), new Uint8Array(8).fill(0xa5));
      }
    }
  });

  test("of decode is untouched when a check fails", () => {
    for (const length of LENGTHS) {
      for (const endian of ["little", "big"]) {
        const chain = chainOf({ shape: [length], endian, checksums: 1 });
        const encoded = withChecksum(noise(4 * length));
        encoded[encoded.length - 5] ^= 1;
        const out = new Float32Array(length).fill(7);
        assertThrows(() => chain.decode(encoded, { out }), ChecksumMismatchError);
        assertThrows(() => chain.decode(encoded.subarray(1), { out }), ChunkLengthError);
        assertSameBytes(out, new Float32Array(length).fill(7));
      }
      const ofBool = chainOf({ dataType: "bool", endian: undefined, shape: [4 * length] });
      const encoded = new Uint8Array(4 * length).fill(1);
      encoded[encoded.length - 1] = 2;
      const out = new Uint8Array(encoded.length).fill(7);
      assertThrows(() => ofBool.decode(encoded, { out }), InvalidElementError, { index: encoded.length - 1 });
      assertSameBytes(out, new Uint8Array(encoded.length).fill(7));
    }
  });

  test("of encode is untouched when a check fails", () => {
    for (const length of [4, 65_536, 65_537, 200_000]) {
      const chain = chainOf({ dataType: "bool", endian: undefined, shape: [length], checksums: 1 });
      const data = new Uint8Array(length).fill(1);
      data[length - 1] = 2;
      const out = new Uint8Array(length + 4).fill(7);
      assertThrows(() => chain.encode(data, { out }), InvalidElementError, { index: length - 1 });
      assertThrows(() => chain.encode(data.subarray(1), { out }), ChunkLengthError);
      assertSameBytes(out, new Uint8Array(length + 4).fill(7));
    }
  });

  test("may lie in the same buffer, apart from the other bytes", () => {
    const buffer = new ArrayBuffer(16);
    new Uint8Array(buffer).set(BIG, 8);
    const out = new Float32Array(buffer, 0, 2);
    const chain = chainOf({ shape: [2] });
    assert.deepEqual([...chain.decode(new Uint8Array(buffer, 8), { out }).data], VALUES);
    assertSameBytes(chain.encode(out, { out: new Uint8Array(buffer, 8) }), BIG);
  });
});

describe("the option inPlace", () => {
  test("decodes where the bytes are", () => {
    for (const length of LENGTHS) {
      for (const endian of ["little", "big"]) {
        const chain = chainOf({ shape: [length], endian, checksums: 1 });
        const encoded = withChecksum(noise(4 * length));
        const { data: expected } = chain.decode(encoded, { copy: true });
        const { data } = chain.decode(encoded, { inPlace: true });
        assert.equal(data.buffer, encoded.buffer);
        assert.equal(data.byteOffset, encoded.byteOffset);
        assertSameBytes(data, expected);
      }
    }
  });

  test("makes true of other bools where they are", () => {
    const chain = chainOf({
      dataType: "bool",
      endian: undefined,
      shape: [4],
      options: { invalidBool: "true" },
    });
    const encoded = Uint8Array.of(0, 1, 2, 255);
    const { data } = chain.decode(encoded, { inPlace: true });
    assert.deepEqual([...data], [0, 1, 1, 1]);
    assert.equal(data.buffer, encoded.buffer);
  });

  test("leaves the bytes alone when a check fails", () => {
    for (const length of LENGTHS) {
      const chain = chainOf({ shape: [length], checksums: 1 });
      const encoded = withChecksum(noise(4 * length));
      encoded[encoded.length - 5] ^= 1;
      const before = encoded.slice();
      assertThrows(() => chain.decode(encoded, { inPlace: true }), ChecksumMismatchError);
      assertSameBytes(encoded, before);
    }
  });

  test("gives new arrays where the bytes do not lie right", () => {
    const chain = chainOf({ shape: [2] });
    const encoded = atOffset(BIG, 1);
    const { data } = chain.decode(encoded, { inPlace: true });
    assert.deepEqual([...data], VALUES);
    assert.notEqual(data.buffer, encoded.buffer);
    const widened = chainOf({ dataType: "float16", shape: [2], options: { float16: "float32" } });
    assert.deepEqual([...widened.decode(Uint8Array.of(0x3c, 0, 0xc0, 0), { inPlace: true }).data], VALUES);
  });

  test("is off unless it is asked for", () => {
    const chain = chainOf({ shape: [2] });
    for (const options of [undefined, {}, { inPlace: false }, { inPlace: undefined }]) {
      const encoded = BIG.slice();
      chain.decode(encoded, options);
      assertSameBytes(encoded, BIG);
    }
  });
});

describe("the option verify", () => {
  const good = withChecksum(BIG);
  const bad = withChecksum(BIG, 5);
  const metadata = metadataOf({ shape: [2], checksums: 1 });

  test("of a chain holds for each chunk, unless the call says otherwise", () => {
    const cases = [
      [undefined, undefined, true],
      [undefined, true, true],
      [undefined, false, false],
      [true, undefined, true],
      [true, false, false],
      [false, undefined, false],
      [false, false, false],
      [false, true, true],
    ];
    for (const [ofChain, ofCall, verifies] of cases) {
      const chain = createCodecChain(metadata, { verify: ofChain });
      for (const others of [{}, { copy: true }, { inPlace: true }, { out: new Float32Array(2) }]) {
        const options = { verify: ofCall, ...others };
        assert.deepEqual([...chain.decode(good.slice(), options).data], VALUES);
        if (verifies)
          assertThrows(() => chain.decode(bad.slice(), options), ChecksumMismatchError, { stored: 5 });
        else assert.deepEqual([...chain.decode(bad.slice(), options).data], VALUES);
      }
    }
  });

  test("of a single call holds for its chunk", () => {
    assertThrows(() => decode(bad, metadata), ChecksumMismatchError);
    assert.deepEqual([...decode(bad, metadata, { verify: false }).data], VALUES);
  });

  test("changes nothing about encoding: checksums are computed", () => {
    const chain = createCodecChain(metadata, { verify: false });
    assertSameBytes(chain.encode(Float32Array.from(VALUES)), good);
  });

  test("changes nothing about lengths", () => {
    const chain = createCodecChain(metadata, { verify: false });
    assertThrows(() => chain.decode(BIG), ChunkLengthError, { expected: 12, actual: 8 });
  });

  test("holds for all checksums of a chunk", () => {
    const chain = chainOf({ shape: [2], checksums: 2 });
    const encoded = withChecksum(withChecksum(BIG, 1), 2);
    assert.deepEqual([...chain.decode(encoded, { verify: false }).data], VALUES);
  });
});

describe("the option missingEndian", () => {
  const unstated = [
    { name: "bytes" },
    { name: "bytes", configuration: {} },
    "bytes",
    { name: "endian" },
    { name: "endian", configuration: {} },
    "endian",
  ];
  const orders = [
    ["little", LITTLE],
    ["big", BIG],
  ];

  test("is assumed where no byte order is stated, and then stated", () => {
    for (const codec of unstated) {
      for (const [missingEndian, encoded] of orders) {
        const chain = createCodecChain(
          { dataType: "float32", shape: [2], codecs: [codec] },
          { missingEndian },
        );
        assert.deepEqual([...chain.decode(encoded).data], VALUES);
        assertSameBytes(chain.encode(Float32Array.from(VALUES)), encoded);
        assert.deepEqual(chain.codecs, [{ name: "bytes", configuration: { endian: missingEndian } }]);
      }
    }
  });

  test("of error, the default, assumes nothing", () => {
    for (const codec of unstated) {
      for (const options of [undefined, {}, { missingEndian: "error" }, { missingEndian: undefined }]) {
        const metadata = { dataType: "float32", shape: [2], codecs: [codec] };
        const path = "codecs[0].configuration.endian";
        assertThrows(() => createCodecChain(metadata, options), InvalidMetadataError, { path });
      }
    }
  });

  test("does not overrule what is stated, nor excuse what is wrong", () => {
    for (const [missingEndian] of orders) {
      for (const [endian, encoded] of orders) {
        const chain = chainOf({ shape: [2], endian, options: { missingEndian } });
        assert.deepEqual([...chain.decode(encoded).data], VALUES);
      }
      for (const configuration of [{ endian: "middle" }, { endian: null }, { endia: "little" }, null]) {
        const metadata = { dataType: "float32", shape: [2], codecs: [{ name: "bytes", configuration }] };
        assertThrows(() => createCodecChain(metadata, { missingEndian }), InvalidMetadataError);
      }
    }
  });

  test("has no effect on single bytes", () => {
    for (const dataType of ["uint8", "int8", "bool", "r24"]) {
      const metadata = { dataType, shape: [2], codecs: ["bytes"] };
      const chain = createCodecChain(metadata, { missingEndian: "big" });
      const encoded = new Uint8Array(chain.encodedByteLength).map((_, i) => i % 2);
      assertSameBytes(chain.decode(encoded).data, encoded);
      assert.deepEqual(chain.codecs, createCodecChain(metadata).codecs);
    }
  });

  test("helps reading an array", () => {
    const array = {
      data_type: "float32",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      codecs: [{ name: "bytes" }],
    };
    assert.deepEqual([...codecChainForArray(array, { missingEndian: "big" }).decode(BIG).data], VALUES);
  });
});

describe("the option invalidBool", () => {
  const metadata = metadataOf({ dataType: "bool", endian: undefined, shape: [5], checksums: 1 });
  const odd = Uint8Array.of(0, 1, 2, 128, 255);
  const even = Uint8Array.of(0, 1, 1, 1, 1);

  test("of true takes other bytes for true, in both directions", () => {
    const chain = createCodecChain(metadata, { invalidBool: "true" });
    const encoded = withChecksum(odd);
    for (const options of [undefined, { copy: true }, { out: new Uint8Array(5) }, { verify: false }]) {
      assertSameBytes(chain.decode(encoded, options).data, even);
      assertSameBytes(encoded, withChecksum(odd));
    }
    assertSameBytes(chain.encode(odd), withChecksum(even));
    assertSameBytes(odd, Uint8Array.of(0, 1, 2, 128, 255));
  });

  test("of true still verifies checksums", () => {
    const chain = createCodecChain(metadata, { invalidBool: "true" });
    assertThrows(() => chain.decode(withChecksum(odd, 0)), ChecksumMismatchError);
  });

  test("of error, the default, refuses them", () => {
    for (const options of [undefined, { invalidBool: "error" }]) {
      const chain = createCodecChain(metadata, options);
      assertThrows(() => chain.decode(withChecksum(odd)), InvalidElementError, { index: 2, value: 2 });
      assertThrows(() => chain.encode(odd), InvalidElementError, { index: 2, value: 2 });
    }
  });

  test("concerns bool only", () => {
    const chain = chainOf({
      dataType: "uint8",
      endian: undefined,
      shape: [5],
      options: { invalidBool: "true" },
    });
    assertSameBytes(chain.decode(odd).data, odd);
  });
});

describe("the option float16", () => {
  const { Float16Array } = globalThis;
  const chainOfHalves = (length, options, endian = "big") =>
    chainOf({ dataType: "float16", endian, shape: [length], options });
  const bytesOfHalves = (words) => Uint8Array.from(words.flatMap((word) => [word >> 8, word & 255]));

  const KINDS = {
    bits: Uint16Array,
    float32: Float32Array,
    auto: Float16Array ?? Float32Array,
    ...(Float16Array && { float16: Float16Array }),
  };
  for (const [float16, ArrayType] of Object.entries(KINDS)) {
    test(`of ${float16} decodes to ${ArrayType.name}`, () => {
      for (const endian of ["little", "big"]) {
        const chain = chainOfHalves(2, { float16 }, endian);
        const encoded = endian === "big" ? Uint8Array.of(0x3c, 0, 0xc0, 0) : Uint8Array.of(0, 0x3c, 0, 0xc0);
        const { data } = chain.decode(encoded);
        assert.equal(data.constructor, ArrayType);
        assert.deepEqual([...data], float16 === "bits" ? [0x3c00, 0xc000] : VALUES);
        assert.equal(chain.decodedByteLength, data.byteLength);
        assert.equal(chain.encodedByteLength, 4);
        const out = new ArrayType(2);
        assert.equal(chain.decode(encoded, { out }).data, out);
        assert.deepEqual(out, data);
      }
    });
  }

  test("of float16 is refused by hosts without Float16Array", { skip: Float16Array !== undefined }, () => {
    const argument = "options.float16";
    assertThrows(() => chainOfHalves(1, { float16: "float16" }), InvalidArgumentError, { argument });
  });

  test("concerns float16 only", () => {
    for (const float16 of ["auto", "float32", "bits", "float16"]) {
      assert.deepEqual(
        chainOf({ shape: [2], options: { float16 } }).decode(BIG).data,
        Float32Array.from(VALUES),
      );
    }
  });

  test("of float32 is exact for each of the 65536", () => {
    const words = Array.from({ length: 65536 }, (_, i) => i);
    const { data } = chainOfHalves(65536, { float16: "float32" }).decode(bytesOfHalves(words));
    words.forEach((word) => {
      assert.ok(Object.is(data[word], valueOfHalf(word)), `0x${word.toString(16)}`);
    });
  });

  // IEEE 754-2019, 4.3.1 (roundTiesToEven) and table 3.5.
  const ROUNDED = [
    [0, 0x0000],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff], // the largest
    [65519.99609375, 0x7bff], // just below halfway to what would be the next
    [65520, 0x7c00], // halfway: away, to infinity
    [-65520, 0xfc00],
    [3.4e38, 0x7c00],
    [Number.POSITIVE_INFINITY, 0x7c00],
    [Number.NEGATIVE_INFINITY, 0xfc00],
    [2 ** -14, 0x0400], // the smallest normal
    [2 ** -24, 0x0001], // the smallest subnormal
    [1023 * 2 ** -24, 0x03ff], // the largest subnormal
    [1023.5 * 2 ** -24, 0x0400], // halfway to the smallest normal, which is even
    [2 ** -25, 0x0000], // halfway between 0 and the smallest: to even
    [2 ** -25 * (1 + 2 ** -23), 0x0001], // just above
    [-(2 ** -25), 0x8000],
    [3 * 2 ** -25, 0x0002], // halfway between the first two subnormals: to even
    [1.4e-45, 0x0000],
    [1 + 2 ** -11, 0x3c00], // halfway: down to even
    [1 + 3 * 2 ** -11, 0x3c02], // halfway: up to even
    [1 + 2 ** -11 + 2 ** -23, 0x3c01], // just above halfway
    [1 + 2 ** -11 - 2 ** -23, 0x3c00], // just below
    [2 - 2 ** -11, 0x4000], // halfway, over into the next exponent
    [1 / 3, 0x3555],
    [0.1, 0x2e66],
  ];
  const values = Float32Array.from(ROUNDED, ([value]) => value);
  const words = ROUNDED.map(([, word]) => word);

  test("of none keeps encode from rounding Float32Array to nearest even", () => {
    for (const float16 of ["auto", "float32", "bits"]) {
      const chain = chainOfHalves(words.length, { float16 });
      assertSameBytes(chain.encode(values), bytesOfHalves(words));
      assertSameBytes(chain.encode({ data: values, shape: [words.length] }), bytesOfHalves(words));
      const little = chainOfHalves(words.length, { float16 }, "little").encode(values);
      assertSameBytes(Buffer.from(little).swap16(), bytesOfHalves(words));
    }
  });

  test("of none keeps encode from taking Uint16Array as bits", () => {
    const signalling = [0x7c01, 0xfdff, 0x7e15, 0x0001, 0x8000, 0x3c00];
    for (const float16 of ["auto", "float32", "bits"]) {
      const chain = chainOfHalves(signalling.length, { float16 });
      assertSameBytes(chain.encode(Uint16Array.from(signalling)), bytesOfHalves(signalling));
    }
  });

  test("of none keeps encode from taking Float16Array", { skip: Float16Array === undefined }, () => {
    for (const float16 of ["auto", "float16", "float32", "bits"]) {
      const chain = chainOfHalves(words.length, { float16 });
      assertSameBytes(chain.encode(Float16Array.from(valuesOf(words))), bytesOfHalves(words));
    }
  });
  const valuesOf = (words) => words.map(valueOfHalf);

  test("of none makes encode take NaNs for other than NaNs", () => {
    const payloads = Uint32Array.of(0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff);
    const encoded = chainOfHalves(5).encode(new Float32Array(payloads.buffer));
    const bits = chainOfHalves(5, { float16: "bits" }).decode(encoded).data;
    for (const word of bits) assert.ok(Number.isNaN(valueOfHalf(word)), `0x${word.toString(16)}`);
  });

  test("of none makes encode take another number of elements", () => {
    const chain = chainOfHalves(2);
    for (const [data, expected] of [
      [new Float32Array(4), 8],
      [new Float32Array(1), 8],
      [new Uint16Array(4), 4],
    ]) {
      assertThrows(() => chain.encode(data), ChunkLengthError, { expected, actual: data.byteLength });
    }
    for (const data of [new Float64Array(2), new Int16Array(2), new Uint8Array(4)]) {
      assertThrows(() => chain.encode(data), InvalidArgumentError, { argument: "chunk" });
    }
  });
});

describe("encode", () => {
  const chain = chainOf({ shape: [1, 2] });

  test("takes an array, or a chunk with one", () => {
    const data = Float32Array.from(VALUES);
    const around = Float32Array.of(9, ...VALUES, 9);
    for (const chunk of [
      data,
      around.subarray(1, 3),
      { data },
      { data, shape: [1, 2] },
      { data, shape: [1, 2], stride: [2, 1] },
      { data, shape: [1, 2], stride: [99, 1] }, // along a dimension of length 1 there is no step
      { data, shape: undefined, stride: undefined },
      Object.freeze({ data, shape: Object.freeze([1, 2]), stride: Object.freeze([2, 1]), more: true }),
      chain.decode(BIG),
    ]) {
      assertSameBytes(chain.encode(chunk), BIG);
    }
  });

  test("takes Uint8ClampedArray for bytes", () => {
    for (const dataType of ["uint8", "bool", "r8"]) {
      const ofBytes = chainOf({ dataType, endian: undefined, shape: [3] });
      const data = Uint8ClampedArray.of(0, 1, 1);
      assertSameBytes(ofBytes.encode(data), data);
      assertSameBytes(ofBytes.encode({ data, shape: [3] }), data);
    }
    const ofSigned = chainOf({ dataType: "int8", endian: undefined, shape: [3] });
    assertThrows(() => ofSigned.encode(new Uint8ClampedArray(3)), InvalidArgumentError, {
      argument: "chunk",
    });
  });

  test("gives fresh bytes that share nothing", () => {
    for (const endian of ["little", "big"]) {
      const chain = chainOf({ shape: [2], endian });
      const data = Float32Array.from(VALUES);
      const [first, second] = [chain.encode(data), chain.encode(data)];
      assert.equal(first.constructor, Uint8Array);
      assert.equal(first.buffer.byteLength, 8);
      assert.ok(first.buffer !== second.buffer && first.buffer !== data.buffer);
      first.fill(0);
      assert.deepEqual([...data], VALUES);
    }
  });

  test("appends each checksum, of all before it", () => {
    const encoded = chainOf({ shape: [2], checksums: 3 }).encode(Float32Array.from(VALUES));
    assertSameBytes(encoded, withChecksum(withChecksum(withChecksum(BIG))));
  });
});

describe("a chain", () => {
  test("shows its metadata, normalised", () => {
    const skipped = { name: "x", must_understand: false, configuration: { deep: [1, { a: null }] } };
    const endian = { name: "endian", configuration: { endian: "big" }, must_understand: true };
    const chain = createCodecChain({
      dataType: { name: "complex64" },
      shape: [2, 3],
      codecs: [skipped, endian, "crc32c", skipped, { name: "crc32c", configuration: {} }],
    });
    const { dataType, shape, codecs, decodedByteLength, encodedByteLength } = chain;
    assert.deepEqual([dataType, shape, decodedByteLength, encodedByteLength], ["complex64", [2, 3], 48, 56]);
    assert.deepEqual(codecs, [
      { name: "bytes", configuration: { endian: "big" } },
      { name: "crc32c" },
      { name: "crc32c" },
    ]);
    assert.deepEqual(createCodecChain({ dataType, shape, codecs }).codecs, codecs);
    assert.deepEqual(JSON.parse(JSON.stringify(codecs)), codecs);
  });

  test("can not be changed through what it shows", () => {
    const chain = chainOf({ shape: [2] });
    assert.throws(() => chain.shape.push(3), TypeError);
    assert.throws(() => chain.codecs.pop(), TypeError);
    assert.throws(() => {
      chain.codecs[0].configuration.endian = "little";
    }, TypeError);
    assert.deepEqual([...chain.decode(BIG).data], VALUES);
  });

  test("does not see what becomes of the metadata it was made from", () => {
    const metadata = metadataOf({ shape: [2] });
    const options = { verify: true };
    const chain = createCodecChain(metadata, options);
    assert.deepEqual(metadata, metadataOf({ shape: [2] }));
    metadata.shape.push(5);
    metadata.codecs[0].configuration.endian = "little";
    metadata.dataType = "int8";
    options.verify = false;
    assert.deepEqual([...chain.decode(BIG).data], VALUES);
    assert.deepEqual(chain.shape, [2]);
  });

  test("may be frozen metadata's, or that of a Proxy", () => {
    const metadata = metadataOf({ shape: [2] });
    assert.deepEqual([...createCodecChain(new Proxy(metadata, {})).decode(BIG).data], VALUES);
    Object.freeze(metadata.codecs[0].configuration);
    Object.freeze(metadata.shape);
    assert.deepEqual([...createCodecChain(Object.freeze(metadata)).decode(BIG).data], VALUES);
  });

  test("works apart from other chains", () => {
    const [big, little] = ["big", "little"].map((endian) => chainOf({ shape: [2], endian }));
    for (let i = 0; i < 3; i++) {
      assert.deepEqual([...big.decode(BIG).data], VALUES);
      assert.deepEqual([...little.decode(LITTLE).data], VALUES);
    }
  });

  test("is not needed for a single chunk", () => {
    const metadata = metadataOf({ shape: [2], checksums: 1 });
    const encoded = withChecksum(BIG);
    const data = Float32Array.from(VALUES);
    assert.deepEqual(decode(encoded, metadata), { data, shape: [2], stride: [1] });
    assertSameBytes(encode(data, metadata), encoded);
    assertSameBytes(encode({ data, shape: [2] }, metadata), encoded);
  });

  test("and a single call take the same options", () => {
    const metadata = { dataType: "float16", shape: [2], codecs: ["bytes", "crc32c"] };
    const encoded = withChecksum(Uint8Array.of(0x3c, 0, 0xc0, 0), 5);
    const out = new Float32Array(2);
    const options = { missingEndian: "big", float16: "float32", verify: false, out };
    assert.equal(decode(encoded, metadata, options).data, out);
    assert.deepEqual([...out], VALUES);
    const bytes = new Uint8Array(8);
    assert.equal(encode(out, metadata, { missingEndian: "big", out: bytes }), bytes);
    assertSameBytes(bytes, withChecksum(Uint8Array.of(0x3c, 0, 0xc0, 0)));
    const bools = metadataOf({ dataType: "bool", endian: undefined, shape: [2] });
    assert.deepEqual(
      [...decode(Uint8Array.of(0, 9), bools, { invalidBool: "true", inPlace: true }).data],
      [0, 1],
    );
  });
});

test("bits survive wherever the type stays", () => {
  // A signalling NaN with a payload, a negative one, -0, the smallest subnormal.
  const singles = Uint32Array.of(0x7f800003, 0xffc12345, 0x80000000, 1);
  const doubles = BigUint64Array.of(0x7ff0000000000003n, 0xfff8000000012345n, 1n << 63n, 1n);
  for (const [dataType, bits, ArrayType] of [
    ["float32", singles, Float32Array],
    ["complex64", singles, Float32Array],
    ["float64", doubles, Float64Array],
    ["complex128", doubles, Float64Array],
  ]) {
    for (const endian of ["little", "big"]) {
      const shape = [dataType.startsWith("complex") ? 2 : 4];
      const chain = chainOf({ dataType, shape, endian, checksums: 1 });
      const swapped = Buffer.from(bits.buffer.slice(0));
      if (endian === "big") bits.BYTES_PER_ELEMENT === 4 ? swapped.swap32() : swapped.swap64();
      const encoded = withChecksum(swapped);
      assertSameBytes(chain.encode(new ArrayType(bits.buffer)), encoded);
      for (const options of [{ copy: true }, { out: new ArrayType(4) }, { inPlace: true }]) {
        assertSameBytes(chain.decode(encoded.slice(), options).data, bits);
      }
    }
  }
});
