// Shards whose every byte a test has chosen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  createCodecChain,
  ExternalCodecError,
  InvalidElementError,
  InvalidMetadataError,
  loadCodecChain,
} from "zarr-codecs";
import { indexOf, join, LITTLE, sharding, splitIntoChunks } from "./shard-helpers.mjs";

const thrownBy = (call) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  assert.fail("expected an error");
};

/** Joins inner chunks in an order of their indexes, with gaps between them. */
function joinChunks(chunks, order, gap = 0) {
  const entries = [];
  const parts = [];
  let offset = 0;
  for (const index of order) {
    entries[index] = [offset, chunks[index].length];
    parts.push(chunks[index], new Uint8Array(gap));
    offset += chunks[index].length + gap;
  }
  return join(...parts, indexOf(entries));
}

describe("shards decode and encode", () => {
  for (const [shape, chunkShape] of [
    [[12], [3]],
    [
      [4, 6],
      [2, 3],
    ],
    [
      [4, 6],
      [4, 2],
    ],
    [
      [4, 6],
      [1, 6],
    ],
    [
      [1, 6, 4],
      [1, 2, 2],
    ],
    [
      [4, 4, 6],
      [2, 4, 3],
    ],
    [
      [2, 4, 2, 6],
      [1, 2, 2, 2],
    ],
    [
      [64, 64, 96],
      [32, 16, 32],
    ],
    [
      [3, 500, 700],
      [3, 250, 7],
    ],
    [[300000], [100000]],
  ]) {
    test(`${shape} in inner chunks of ${chunkShape}`, () => {
      const chain = createCodecChain({
        dataType: "uint16",
        shape,
        codecs: [sharding(chunkShape)],
        fillValue: 0,
      });
      const length = shape.reduce((a, b) => a * b, 1);
      const data = Uint16Array.from({ length }, (_, i) => (i * 40503) % 65521 || 1);
      const chunks = splitIntoChunks(data, shape, chunkShape);
      const order = chunks.map((_, index) => index);
      const encoded = joinChunks(chunks, order);
      assert.deepEqual(chain.encode(data), encoded);
      assert.deepEqual(chain.decode(encoded).data, data);
      assert.deepEqual(chain.decode(encoded, { out: new Uint16Array(length) }).data, data);
      assert.deepEqual(chain.decode(joinChunks(chunks, order.toReversed(), 3)).data, data);
    });
  }

  test("with a transpose and a reshape before them", () => {
    const data = Uint16Array.from({ length: 24 }, (_, i) => i + 1);
    const transposed = Uint16Array.from({ length: 24 }, (_, i) => data[(i % 4) * 6 + Math.floor(i / 4)]);
    const transpose = { name: "transpose", configuration: { order: [1, 0] } };
    const reshape = { name: "reshape", configuration: { shape: [3, 8] } };
    const inCOrder = [data, [6, 1]];
    for (const [codecs, elements, shape, chunkShape, inStoredOrder] of [
      [[transpose], transposed, [6, 4], [1, 4], [transposed, [1, 4]]],
      [[transpose], transposed, [6, 4], [2, 2], inCOrder],
      [[reshape], data, [3, 8], [3, 2], inCOrder],
      [[transpose, reshape], transposed, [3, 8], [1, 2], [transposed, [1, 4]]],
      [[transpose, reshape], transposed, [3, 8], [3, 2], inCOrder],
    ]) {
      const metadata = { dataType: "uint16", shape: [4, 6], fillValue: 0 };
      const chain = createCodecChain({ ...metadata, codecs: [...codecs, sharding(chunkShape)] });
      const chunks = splitIntoChunks(elements, shape, chunkShape);
      const encoded = joinChunks(
        chunks,
        chunks.map((_, index) => index),
      );
      assert.deepEqual(chain.encode(data), encoded);
      assert.deepEqual(chain.decode(encoded).data, data);
      const { data: strided, stride } = chain.decode(encoded, { strided: true });
      assert.deepEqual([strided, stride], inStoredOrder);
    }
  });

  test("with 2^20 inner chunks in any order", () => {
    const count = 2 ** 20;
    const chain = createCodecChain({
      dataType: "uint8",
      shape: [count],
      codecs: [sharding([1], ["bytes"], { index_codecs: [LITTLE] })],
      fillValue: 9,
    });
    // An odd factor: each offset once.
    const offsets = Uint32Array.from({ length: count }, (_, i) => (i * 421) % count);
    const index = BigUint64Array.from({ length: 2 * count }, (_, i) =>
      i % 2 ? 1n : BigInt(offsets[i >> 1]),
    );
    const elements = Uint8Array.from({ length: count }, (_, i) => i % 251);
    const shard = new Uint8Array(count * 17);
    shard.set(elements);
    shard.set(new Uint8Array(index.buffer), count);
    assert.deepEqual(
      chain.decode(shard).data,
      elements.map((_, i) => elements[offsets[i]]),
    );
    index[2 * 700_001] = BigInt(offsets[123]);
    shard.set(new Uint8Array(index.buffer), count);
    const error = thrownBy(() => chain.decode(shard));
    assert.ok(error instanceof InvalidElementError);
    assert.deepEqual([error.index, error.value], [700_001, 51_783]);
  });
});

describe("inner chunks that contain only the fill value", () => {
  const bitsOf = (...bits) => new Float32Array(Uint32Array.from(bits).buffer);

  test("are left out bit for bit", () => {
    for (const [fillValue, data, present] of [
      [0, bitsOf(0, 0, 0x80000000, 0), [undefined, [0, 8]]],
      [-0, bitsOf(0x80000000, 0x80000000, 0, 0), [undefined, [0, 8]]],
      ["NaN", bitsOf(0x7fc00000, 0x7fc00000, 0x7fc00001, 0x7fc00000), [undefined, [0, 8]]],
      ["0x7fc00001", bitsOf(0x7fc00000, 0x7fc00001, 0x7fc00001, 0x7fc00001), [[0, 8], undefined]],
    ]) {
      const metadata = { dataType: "float32", shape: [4], codecs: [sharding([2])], fillValue };
      const chain = createCodecChain(metadata);
      const encoded = chain.encode(data);
      const payload = present[0] ? data.subarray(0, 2) : data.subarray(2);
      const bytes = new Uint8Array(payload.buffer, payload.byteOffset, 8);
      assert.deepEqual(encoded, join(bytes, indexOf(present)));
      const decoded = new Uint32Array(chain.decode(encoded).data.buffer);
      assert.deepEqual(decoded, new Uint32Array(data.buffer));
    }
  });

  test("are left out of integers of less than a byte, whose upper bits are written as 0", () => {
    const metadata = { dataType: "int4", shape: [6], codecs: [sharding([2], ["bytes"])], fillValue: -1 };
    const chain = createCodecChain(metadata);
    const data = Int8Array.of(-8, 7, -1, -1, -2, -1);
    const encoded = chain.encode(data);
    const entries = [[0, 2], undefined, [2, 2]];
    assert.deepEqual(encoded, join([0x08, 0x07, 0x0e, 0x0f], indexOf(entries)));
    assert.deepEqual(chain.decode(encoded).data, data);
    const error = thrownBy(() => chain.encode(Int8Array.of(-8, 7, -1, -1, 8, -1)));
    assert.deepEqual([error.code, error.index, error.value], ["invalid_element", 4, 8]);
  });

  test("may be all: a shard is then its index", () => {
    const codecs = [sharding([2])];
    const chain = createCodecChain({ dataType: "uint16", shape: [4], codecs, fillValue: 258 });
    const encoded = chain.encode(new Uint16Array(4).fill(258));
    assert.deepEqual(encoded, indexOf([undefined, undefined]));
    assert.deepEqual(chain.decode(encoded).data, new Uint16Array(4).fill(258));
  });

  test("may be the largest integer of 64 bits, which parsed JSON has rounded up", () => {
    for (const [dataType, text] of [
      ["int64", "9223372036854775807"],
      ["uint64", "18446744073709551615"],
    ]) {
      const metadata = { dataType, shape: [4], codecs: [sharding([2])], fillValue: JSON.parse(text) };
      const { data } = createCodecChain(metadata).decode(indexOf([undefined, undefined]));
      assert.deepEqual([...data], Array(4).fill(BigInt(text)));
    }
  });

  test("need a fill value in the metadata", () => {
    const metadata = { dataType: "uint16", shape: [4], codecs: [sharding([2])] };
    const error = thrownBy(() => createCodecChain(metadata));
    assert.ok(error instanceof InvalidMetadataError);
    assert.equal(error.path, "fillValue");
  });
});

describe("errors name the inner chunk and its bytes", () => {
  const metadata = { dataType: "uint16", shape: [2, 4], fillValue: 0 };
  const data = Uint16Array.of(1, 2, 3, 4, 5, 6, 7, 8);

  test("in a shard", () => {
    const chain = createCodecChain({ ...metadata, codecs: [sharding([1, 2], [LITTLE, "crc32c"])] });
    const shard = chain.encode(data);
    shard[25] ^= 1;
    for (const error of [
      thrownBy(() => chain.decode(shard)),
      thrownBy(() => chain.decode(shard, { out: new Uint16Array(8) })),
    ]) {
      assert.ok(error instanceof ChecksumMismatchError);
      assert.deepEqual([error.chunk, error.range], [[1, 1], { offset: 24, length: 8 }]);
      assert.match(
        error.message,
        /^chunk \(1, 1\), bytes 24 to 31 of the file: chunk is corrupt: crc32c stored 0x/,
      );
      assert.ok(error.stack.includes(error.message));
    }
    assert.equal(chain.decode(shard, { verify: false }).data[6], 7 ^ 256);
  });

  test("in its index", () => {
    const chain = createCodecChain({ ...metadata, codecs: [sharding([1, 2])] });
    const shard = chain.encode(data);
    shard[20] ^= 1;
    const error = thrownBy(() => chain.decode(shard));
    assert.ok(error instanceof ChecksumMismatchError);
    assert.deepEqual([error.chunk, error.range], [undefined, { offset: 16, length: 68 }]);
    assert.match(
      error.message,
      /^shard index, bytes 16 to 83 of the file: shard index is corrupt: crc32c stored 0x/,
    );
  });

  test("in a shard in a shard", () => {
    const inner = sharding([1, 2], [LITTLE, "crc32c"]);
    const chain = createCodecChain({ ...metadata, codecs: [sharding([1, 4], [inner])] });
    const shard = chain.encode(data);
    const length = 16 + 36;
    shard[length + 8] ^= 1;
    const error = thrownBy(() => chain.decode(shard));
    assert.deepEqual([error.chunk, error.range], [[1, 0], { offset: length + 8, length: 8 }]);
    assert.match(
      error.message,
      /^chunk \(1, 0\), inner chunk \(0, 1\), bytes 60 to 67 of the file: chunk is/,
    );
  });

  test("where an element is invalid, in both directions", () => {
    const codecs = [sharding([1, 2], ["bytes"])];
    const chain = createCodecChain({ dataType: "bool", shape: [2, 4], codecs, fillValue: false });
    const elements = Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 1);
    const shard = chain.encode(elements);
    shard[5] = elements[5] = 7;
    for (const error of [thrownBy(() => chain.decode(shard)), thrownBy(() => chain.encode(elements))]) {
      assert.ok(error instanceof InvalidElementError);
      assert.deepEqual([error.chunk, error.index, error.value], [[1, 0], 1, 7]);
    }
    const lenient = createCodecChain(
      { dataType: "bool", shape: [2, 4], codecs, fillValue: false },
      { invalidBool: "coerce" },
    );
    assert.deepEqual(lenient.decode(shard).data, new Uint8Array(8).fill(1));
  });

  test("where a codec of others decodes it", async () => {
    const codecs = [sharding([1, 2], [LITTLE, "gzip"])];
    const chain = await loadCodecChain({ ...metadata, codecs });
    const shard = await chain.encode(data);
    shard[0] ^= 1;
    await assert.rejects(chain.decode(shard), (error) => {
      assert.ok(error instanceof ExternalCodecError);
      assert.deepEqual([error.chunk, error.range.offset], [[0, 0], 0]);
      assert.equal(error.path, "codecs[0].configuration.codecs[1]");
      return true;
    });
  });

  test("where the shard is shorter than its index", () => {
    const chain = createCodecChain({ ...metadata, codecs: [sharding([1, 2])] });
    const error = thrownBy(() => chain.decode(new Uint8Array(67)));
    assert.ok(error instanceof ChunkLengthError);
    assert.deepEqual([error.expected, error.actual], [68, 67]);
  });
});
