// Decodes and encodes every chunk that other implementations wrote, and compares all bits.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, createCodecChain } from "zarr-codecs";
import {
  assertError,
  assertSameBytes,
  atOffset,
  readLittleEndian,
  readVectors,
  shared,
  slowCrc,
} from "./helpers.mjs";
import { ARRAY_COUNTS, ARRAY_TYPES, bytesOf, chunksOf, valueOfHalf } from "./vectors.mjs";

/** The kinds of buffers and views that bytes may be in. */
const INPUTS = {
  "an ArrayBuffer": (bytes) => bytes.slice().buffer,
  "a Uint8Array": (bytes) => bytes.slice(),
  "a Uint8Array at offset 1": (bytes) => atOffset(bytes, 1),
  "a Uint8Array at offset 8": (bytes) => atOffset(bytes, 8),
  "a DataView at offset 3": (bytes) => new DataView(atOffset(bytes, 3).buffer, 3, bytes.length),
  "a Buffer": (bytes) => Buffer.from(bytes),
  "a SharedArrayBuffer": shared,
  "a view of a SharedArrayBuffer at offset 1": (bytes) =>
    atOffset(bytes, 1, new SharedArrayBuffer(bytes.length + 1)),
  "a resizable ArrayBuffer": (bytes) =>
    atOffset(bytes, 0, new ArrayBuffer(bytes.length, { maxByteLength: 2 * bytes.length })).buffer,
};

const isMisaligned = ({ byteOffset }, { BYTES_PER_ELEMENT }) => byteOffset % BYTES_PER_ELEMENT !== 0;
const isShared = (data) => bytesOf(data).buffer instanceof SharedArrayBuffer;

for (const [file, count] of Object.entries(ARRAY_COUNTS)) {
  const vectors = readVectors(file);
  const chunks = [...chunksOf(vectors)].map((chunk) => ({
    ...chunk,
    chain: createCodecChain(chunk.metadata, { float16: "bits" }),
  }));
  const checked = chunks.filter(({ chain }) => chain.codecs.some(({ name }) => name === "crc32c"));
  const halves = chunks.filter(({ chain }) => chain.dataType === "float16");

  describe(`chunks by ${vectors.writer}`, () => {
    test("are complete", () => {
      assert.equal(vectors.arrays.length, count);
      assert.ok(chunks.length > count);
      assert.ok(checked.length > count / 2);
      assert.ok(halves.length >= 14);
    });

    test("have the metadata that the chain reports", () => {
      for (const { where, metadata, chain, encoded, components } of chunks) {
        const shape = metadata.chunk_grid.configuration.chunk_shape;
        assert.equal(chain.dataType, metadata.data_type, where);
        assert.deepEqual(chain.shape, shape, where);
        assert.equal(chain.encodedByteLength, encoded.length, where);
        assert.equal(chain.decodedByteLength, components.byteLength, where);
        const { stride } = chain.decode(encoded);
        assert.equal(stride.length, shape.length, where);
        stride.forEach((step, axis) => {
          const rest = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
          assert.equal(step, rest, where);
        });
      }
    });

    for (const [input, place] of Object.entries(INPUTS)) {
      test(`decode from ${input}, without changing it`, () => {
        for (const { where, chain, encoded, components } of chunks) {
          const given = place(encoded);
          for (const options of [undefined, { copy: true }, { verify: false }]) {
            const { data } = chain.decode(given, options);
            assert.equal(data.constructor, ARRAY_TYPES[chain.dataType], where);
            assertSameBytes(data, components, where);
            if (options?.copy) assert.ok(data.buffer !== bytesOf(given).buffer && !isShared(data), where);
          }
          assertSameBytes(given, encoded, where);
        }
      });

      test(`decode from ${input} into an array`, () => {
        for (const { where, chain, encoded, components } of chunks) {
          const given = place(encoded);
          const out = new ARRAY_TYPES[chain.dataType](components.length);
          assert.equal(chain.decode(given, { out }).data, out, where);
          assertSameBytes(out, components, where);
          assertSameBytes(given, encoded, where);
        }
      });

      test(`decode in place from ${input}`, () => {
        for (const { where, chain, encoded, components } of chunks) {
          const given = place(encoded);
          const { data } = chain.decode(given, { inPlace: true });
          assertSameBytes(data, components, where);
          const misaligned = isMisaligned(bytesOf(given), data.constructor);
          assert.equal(data.buffer === bytesOf(given).buffer, !misaligned, where);
        }
      });

      test(`encode from ${input}, without changing it`, () => {
        for (const { where, chain, encoded, components } of chunks) {
          const { buffer, byteOffset, byteLength } = bytesOf(place(bytesOf(components)));
          const ArrayType = ARRAY_TYPES[chain.dataType];
          if (isMisaligned({ byteOffset }, ArrayType)) continue; // Typed arrays cannot be misaligned.
          const given = new ArrayType(buffer, byteOffset, byteLength / ArrayType.BYTES_PER_ELEMENT);
          assertSameBytes(chain.encode(given), encoded, where);
          assertSameBytes(chain.encode({ data: given, shape: chain.shape }), encoded, where);
          const out = atOffset(new Uint8Array(encoded.length).fill(0x55), 1);
          assert.equal(chain.encode(given, { out }), out);
          assertSameBytes(out, encoded, where);
          assertSameBytes(given, components, where);
        }
      });
    }

    test("are rejected with a flipped bit in the data or in a checksum", () => {
      for (const { where, chain, encoded } of checked) {
        const end = encoded.length - 4;
        const positions = [0, end >> 1, end - 1, end, end + 1, end + 2, end + 3];
        positions.forEach((position, i) => {
          const damaged = encoded.slice();
          damaged[position] ^= 1 << i;
          const expected = {
            stored: readLittleEndian(damaged, end),
            computed: slowCrc(damaged.subarray(0, end)),
            byteLength: end,
          };
          for (const options of [undefined, { copy: true }, { inPlace: true }]) {
            let error;
            try {
              chain.decode(damaged.slice(), options);
            } catch (thrown) {
              error = thrown;
            }
            assert.ok(error !== undefined, `${where}, bit ${i} of byte ${position}`);
            assertError(error, ChecksumMismatchError, expected);
          }
        });
      }
    });

    test("with a flipped bit in a checksum decode without verification", () => {
      for (const { where, chain, encoded, components } of checked) {
        const damaged = encoded.slice();
        damaged[encoded.length - 1] ^= 1;
        assertSameBytes(chain.decode(damaged, { verify: false }).data, components, where);
      }
    });

    test("of float16 decode to the values that their bits represent", () => {
      for (const { where, metadata, encoded, components } of halves) {
        for (const float16 of ["auto", "float32"]) {
          const chain = createCodecChain(metadata, { float16 });
          const { data } = chain.decode(encoded);
          const FloatArray = (float16 === "auto" && globalThis.Float16Array) || Float32Array;
          assert.equal(data.constructor, FloatArray, where);
          assert.equal(chain.decodedByteLength, data.byteLength, where);
          assert.deepEqual([...data], Array.from(components, valueOfHalf), where);
        }
      }
    });

    test("of float16 encode from the values that their bits represent", () => {
      for (const { where, chain, components } of halves) {
        const values = Float32Array.from(components, valueOfHalf);
        const encoded = new DataView(chain.encode(values).buffer);
        const isLittle = chain.codecs[0].configuration.endian === "little";
        const bits = Array.from(components, (_, i) => encoded.getUint16(2 * i, isLittle));
        assert.deepEqual(bits.map(valueOfHalf), [...values], where);
        // The payload of a NaN is not part of its value.
        bits.forEach((word, i) => {
          if (!Number.isNaN(values[i])) assert.equal(word, components[i], where);
        });
      }
    });
  });
}
