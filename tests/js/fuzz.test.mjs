// Random chains, chunks and damage, through the public API of the packed package. Oracles: zarrita's own codecs, a crate's
// CRC-32C, and the array that was encoded. `npm run fuzz` sets FUZZ_SECONDS and FUZZ_SEED.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32c as oracleCrc32c } from "@node-rs/crc32";
import fc from "fast-check";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  Crc32c,
  crc32c,
  crc32cCombine,
  createCodecChain,
  InvalidElementError,
  openShard,
  repairFlippedBit,
} from "zarr-codecs";
import { registry } from "zarrita";
import { assertStillWorks } from "./helpers.mjs";
import { sameBytes } from "./vectors.mjs";

const { FUZZ_SECONDS, FUZZ_SEED } = process.env;
/** The tests of this file, which share the time. */
const TESTS = 5;
const PARAMETERS = {
  numRuns: FUZZ_SECONDS ? Number.MAX_SAFE_INTEGER : 50,
  ...(FUZZ_SECONDS && { interruptAfterTimeLimit: (1000 * Number(FUZZ_SECONDS)) / TESTS }),
  seed: Number(FUZZ_SEED ?? 2026),
};

/** Checks a property of random inputs, and says of how many. */
async function check(t, ...args) {
  const details = await fc.check(fc.asyncProperty(...args), PARAMETERS);
  if (details.failed) assert.fail(fc.defaultReportMessage(details));
  t.diagnostic(`${details.numRuns} inputs, seed ${details.seed}`);
  assertStillWorks();
}

const TYPES = {
  bool: 1,
  int8: 1,
  uint16: 2,
  float16: 2,
  int32: 4,
  float32: 4,
  uint64: 8,
  float64: 8,
  complex64: 8,
  complex128: 16,
  r24: 3,
};
/** What zarrita's own `bytes` decodes. */
const OF_ZARRITA = ["int8", "uint16", "int32", "float32", "uint64", "float64"];

const dataType = fc.constantFrom(...Object.keys(TYPES));
const shape = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
  fc.tuple(fc.integer({ min: 1, max: 70_000 })),
);
const endian = fc.constantFrom("little", "big");
/** Bytes that are repeated to any length. */
const content = fc.uint8Array({ minLength: 1, maxLength: 300 });
const options = { float16: "bits" };

const fill = (content, length) =>
  Uint8Array.from({ length }, (_, i) => content[i % content.length] ^ (i >> 8));
const product = (shape) => shape.reduce((length, axis) => length * axis, 1);

/** A chain of any codecs of this package, with an encoded array. */
const encodedChunk = fc
  .record({
    dataType,
    shape,
    endian,
    content,
    keys: fc.array(fc.double({ noNaN: true }), { minLength: 4, maxLength: 4 }),
    isTransposed: fc.boolean(),
    inner: fc.array(fc.constantFrom("crc32c", "numcodecs.crc32c", "numcodecs.adler32", "numcodecs.shuffle"), {
      maxLength: 3,
    }),
  })
  .map(({ dataType, shape, endian, content, keys, isTransposed, inner }) => {
    const order = shape.map((_, axis) => axis).sort((a, b) => keys[a] - keys[b]);
    const codecs = [
      ...(isTransposed ? [{ name: "transpose", configuration: { order } }] : []),
      { name: "bytes", configuration: { endian } },
      ...inner.map((name) =>
        name === "numcodecs.shuffle" ? { name, configuration: { elementsize: TYPES[dataType] } } : { name },
      ),
    ];
    const chain = createCodecChain({ dataType, shape, codecs }, options);
    const bytes = fill(content, product(shape) * TYPES[dataType]);
    if (dataType === "bool") for (const i of bytes.keys()) bytes[i] &= 1;
    const sample = chain.encode(blank(chain));
    assert.equal(sample.length, chain.encodedByteLength);
    const { constructor: ArrayType } = chain.decode(sample).data;
    return { chain, inner, data: new ArrayType(bytes.buffer) };
  });

/** An array of zeros that a chain encodes. */
function blank(chain) {
  const { dataType, decodedByteLength } = chain;
  if (dataType.startsWith("complex")) {
    return dataType === "complex64"
      ? new Float32Array(decodedByteLength / 4)
      : new Float64Array(decodedByteLength / 8);
  }
  const ArrayType = {
    bool: Uint8Array,
    int8: Int8Array,
    uint16: Uint16Array,
    float16: Uint16Array,
    int32: Int32Array,
    float32: Float32Array,
    uint64: BigUint64Array,
    float64: Float64Array,
    r24: Uint8Array,
  }[dataType];
  return new ArrayType(decodedByteLength / ArrayType.BYTES_PER_ELEMENT);
}

test("encoded arrays decode to themselves, with every option", (t) =>
  check(t, encodedChunk, async ({ chain, data }) => {
    const encoded = chain.encode(data);
    const out = new data.constructor(data.length);
    for (const options of [undefined, { copy: true }, { out }, { inPlace: true }]) {
      const decoded = chain.decode(encoded.slice(), options);
      assert.ok(sameBytes(decoded.data, data));
      assert.ok(sameBytes(chain.encode(decoded), encoded));
    }
  }));

test("damaged chunks are an error of this package or an array that is encoded like them", (t) => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 3,
  });
  return check(t, encodedChunk, damage, fc.nat(20), async ({ chain, inner, data }, damage, cut) => {
    const encoded = chain.encode(data);
    const damaged = encoded.slice();
    for (const [at, mask] of damage) damaged[at % damaged.length] ^= mask;
    const isChanged = !sameBytes(damaged, encoded);
    try {
      const decoded = chain.decode(damaged);
      assert.ok(sameBytes(chain.encode(decoded), damaged));
      assert.ok(!isChanged || inner.every((name) => name === "numcodecs.shuffle" || damage.length > 1));
    } catch (error) {
      const isExpected = error instanceof ChecksumMismatchError || error instanceof InvalidElementError;
      assert.ok(isExpected && isChanged, error?.stack);
      if (error.diagnosis?.code === "flipped_bit" && inner.length === 1) {
        chain.decode(repairFlippedBit(damaged, error));
      }
    }
    if (cut > 0) assert.throws(() => chain.decode(encoded.slice(cut)), ChunkLengthError);
  });
});

test("bytes decodes and encodes as zarrita's does", async (t) => {
  const Bytes = await registry.get("bytes")();
  await check(
    t,
    fc.constantFrom(...OF_ZARRITA),
    shape,
    endian,
    content,
    async (dataType, shape, endian, content) => {
      const configuration = { endian };
      const codecs = [{ name: "bytes", configuration }];
      const theirs = Bytes.fromConfig(configuration, { dataType, shape, codecs, fillValue: 0 });
      const encoded = fill(content, product(shape) * TYPES[dataType]);
      const ours = createCodecChain({ dataType, shape, codecs }).decode(encoded, { copy: true });
      const decoded = await theirs.decode(encoded.slice());
      assert.deepEqual(ours.shape, decoded.shape);
      assert.deepEqual(ours.stride, decoded.stride);
      assert.equal(ours.data.constructor, decoded.data.constructor);
      assert.ok(sameBytes(ours.data, decoded.data));
    },
  );
});

test("checksums are those of the crate crc32c, in one piece and in several", (t) =>
  check(
    t,
    content,
    fc.nat(100_000),
    fc.array(fc.nat(100_000), { maxLength: 4 }),
    async (content, length, cuts) => {
      const bytes = fill(content, length);
      const expected = oracleCrc32c(bytes);
      assert.equal(crc32c(bytes), expected);
      const digest = new Crc32c();
      let [start, joined] = [0, 0];
      for (const end of [...cuts.map((cut) => Math.min(cut, length)).sort((a, b) => a - b), length]) {
        const part = bytes.subarray(start, end);
        digest.update(part);
        joined = crc32cCombine(joined, crc32c(part), part.length);
        start = end;
      }
      assert.equal(digest.digest(), expected);
      assert.equal(joined, expected);
    },
  ));

const MISSING = 2n ** 64n - 1n;
/** An offset or length in the index of a shard of fewer than 300 bytes: often in it, else anything. */
const entryNumber = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 300n) },
  { weight: 1, arbitrary: fc.bigInt(0n, MISSING) },
);
/** Entries whose chunks follow each other are changed less often than made up. */
const shard = fc.record({
  lengths: fc.array(fc.option(fc.nat(40), { nil: undefined }), { minLength: 1, maxLength: 9 }),
  keys: fc.array(fc.double({ noNaN: true }), { minLength: 9, maxLength: 9 }),
  changes: fc.array(fc.tuple(fc.nat(), entryNumber), { maxLength: 2 }),
  index_location: fc.constantFrom("start", "end"),
  endian,
  isFixed: fc.boolean(),
  tail: fc.nat(20),
});

/** Returns the bytes of each inner chunk of a shard, by painting each byte once; undefined if that fails. */
function paint(entries, length, index, chunkLength) {
  const painted = new Uint8Array(length).fill(1, index, index + 16 * (entries.length / 2) + 4);
  const ranges = [];
  for (let i = 0; i < entries.length; i += 2) {
    const [offset, size] = entries.slice(i, i + 2);
    if (offset === MISSING && size === MISSING) {
      ranges.push(undefined);
      continue;
    }
    const end = offset + size;
    const range = { offset: Number(offset), length: Number(size) };
    if (end > BigInt(length) || range.length !== (chunkLength ?? range.length)) return undefined;
    const bytes = painted.subarray(range.offset, Number(end));
    if (bytes.includes(1)) return undefined;
    bytes.fill(1);
    ranges.push(range);
  }
  return ranges;
}

test("an index is an error, or its inner chunks share no bytes", (t) =>
  check(t, shard, async ({ lengths, keys, changes, index_location, endian, isFixed, tail }) => {
    const index_codecs = [{ name: "bytes", configuration: { endian } }, { name: "crc32c" }];
    const configuration = (codecs) => ({ chunk_shape: [1], codecs, index_codecs, index_location });
    const sharding = (codecs) => ({ name: "sharding_indexed", configuration: configuration(codecs) });
    // The length of inner chunks that are shards is not fixed.
    const codecs = [sharding(isFixed ? ["bytes", "crc32c"] : [sharding(["bytes"])])];
    const shape = [lengths.length];
    const chain = createCodecChain({ dataType: "uint8", shape, codecs, fillValue: 0 });

    const indexLength = 16 * lengths.length + 4;
    const entries = new BigUint64Array(2 * lengths.length).fill(MISSING);
    let offset = index_location === "start" ? indexLength : 0;
    const order = [...lengths.keys()].sort((a, b) => keys[a] - keys[b]);
    for (const chunk of order.filter((chunk) => lengths[chunk] !== undefined)) {
      const length = isFixed ? 5 : lengths[chunk];
      entries.set([BigInt(offset), BigInt(length)], 2 * chunk);
      offset += length;
    }
    for (const [at, number] of changes) entries[at % entries.length] = number;
    const indexShape = [entries.length];
    const index = createCodecChain({ dataType: "uint64", shape: indexShape, codecs: index_codecs });
    const length = offset + tail + (index_location === "start" ? 0 : indexLength);
    const at = index_location === "start" ? 0 : length - indexLength;
    const bytes = new Uint8Array(length);
    bytes.set(index.encode(entries), at);

    const expected = paint(entries, length, at, isFixed ? 5 : undefined);
    if (expected === undefined) {
      await assert.rejects(openShard(chain, bytes), InvalidElementError);
      assert.throws(() => chain.decode(bytes), InvalidElementError);
    } else {
      const opened = await openShard(chain, bytes);
      assert.deepEqual(
        lengths.map((_, chunk) => opened.range([chunk])),
        expected,
      );
    }
  }));
