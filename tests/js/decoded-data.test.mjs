// Decoded data: views, copies, shapes and strides.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { assertSameBytes, atOffset, BIG, chainOf, LITTLE, shared, VALUES, withChecksum } from "./helpers.mjs";
import { ARRAY_TYPES, bytesOf } from "./vectors.mjs";

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

  test("are otherwise in a new buffer of exactly their length", () => {
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
      [{ dataType: "bool", endian: undefined, options: { invalidBool: "coerce" } }, 0],
    ];
    for (const [metadata, offset] of copied) {
      const chain = chainOf(metadata);
      const elements = new Uint8Array(chain.encodedByteLength - 4 * (metadata.checksums ?? 0));
      const encoded = atOffset(append(elements, metadata.checksums), offset);
      assertOwn(chain.decode(encoded).data, encoded);
    }
  });

  test("are always in a new buffer with the option copy", () => {
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

  test("are in a new chunk on each call", () => {
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

  test("of one element may have no dimensions", () => {
    const chain = chainOf({ shape: [] });
    assert.deepEqual(chain.decode(BIG.subarray(0, 4)), { data: Float32Array.of(1), shape: [], stride: [] });
    assertSameBytes(chain.encode({ data: Float32Array.of(-2), shape: [], stride: [] }), BIG.subarray(4));
  });

  test("are the same for arrays of another realm", () => {
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

test("all bits are kept where the data type is not converted", () => {
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
