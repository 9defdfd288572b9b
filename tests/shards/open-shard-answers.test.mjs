// `openShard`: what sources return, and whose memory the decoded inner chunks share.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ChunkLengthError, loadCodecChain, openShard } from "zarr-codecs";
import { chainOf, INDEX_LENGTH, openStore as openStoreOf } from "./stores.mjs";

/** tensorstore writes inner chunks in C order, without gaps. */
const openStore = () => openStoreOf("tensorstore");

/** Opens a shard whose inner chunks are what `answer` makes of their bytes. */
function openWith(name, answer) {
  const store = openStore();
  const key = `/${name}/c/0/0`;
  return openShard(chainOf(store, name), (range) =>
    "offset" in range ? answer(store.getRange(key, range), range) : store.getRange(key, range),
  );
}

describe("what a source returns", () => {
  test("has to be bytes", async () => {
    for (const [answer, got] of [
      ["text", '"text"'],
      [5, "5"],
    ]) {
      const error = { code: "invalid_argument", argument: "source" };
      const message = `shard index, last ${INDEX_LENGTH} bytes of the file: source: expected an ArrayBufferView, ArrayBuffer or SharedArrayBuffer, got ${got}`;
      await assert.rejects(
        openShard(chainOf(openStore(), "end"), () => answer),
        { ...error, message },
      );
    }
  });

  test("may end within a request: the inner chunks before that are read", async () => {
    const shard = await openWith("end", (bytes, { offset }) => bytes.subarray(0, 20 - offset));
    const [first, second] = await Promise.allSettled([shard.decode([0, 0]), shard.decode([0, 1])]);
    assert.equal(first.value.data.length, 6);
    const { expected, actual, chunk } = second.reason;
    assert.deepEqual({ expected, actual, chunk }, { expected: 16, actual: 4, chunk: [0, 1] });
  });

  test("may be an error that several calls get: each names its inner chunk once", async () => {
    const own = new ChunkLengthError("too short", { expected: 2, actual: 1 });
    const shard = await openWith("end", () => {
      throw own;
    });
    const message = "chunk (0, 0), bytes 0 to 15 of the file: too short";
    const settled = await Promise.allSettled([shard.decode([0, 0]), shard.decode([0, 0])]);
    assert.deepEqual(
      settled.map(({ reason }) => reason.message),
      [message, message],
    );
  });

  test("may be an error without a stack, as in hosts that hide it", async () => {
    const own = new ChunkLengthError("too short", { expected: 2, actual: 1 });
    own.stack = undefined;
    const shard = await openWith("end", () => {
      throw own;
    });
    await assert.rejects(shard.decode([0, 0]), {
      message: "chunk (0, 0), bytes 0 to 15 of the file: too short",
    });
    assert.equal(own.stack, undefined);
  });
});

test("the range in an error of a source is relative to what was read, unless either counts from the end", async () => {
  const store = openStore();
  const errorWith = (range) =>
    Object.assign(new ChunkLengthError("too short", { expected: 2, actual: 1 }), { range });
  for (const [own, expected] of [
    [
      { offset: 2, length: 3 },
      { offset: 18, length: 3 },
    ],
    [{ suffixLength: 4 }, { offset: 16, length: 16 }],
  ]) {
    const shard = await openWith("end", () => {
      throw errorWith(own);
    });
    await assert.rejects(shard.decode([0, 1]), { code: "chunk_length", range: expected });
    const opening = openShard(chainOf(store, "end"), () => {
      throw errorWith(own);
    });
    await assert.rejects(opening, { code: "chunk_length", range: { suffixLength: INDEX_LENGTH } });
  }
});

test("calls for an inner chunk share a request, whatever else has been requested since", async () => {
  const ranges = [];
  let answer;
  const answered = new Promise((resolve) => {
    answer = resolve;
  });
  const shard = await openWith("end", async (bytes, range) => {
    ranges.push(range);
    await answered;
    return bytes;
  });
  const reads = [];
  for (const at of [0, 2, 0]) {
    reads.push(shard.decode([0, at]));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  answer();
  await Promise.all(reads);
  assert.deepEqual(ranges, [shard.range([0, 0]), shard.range([0, 2])]);
});

test("an inner chunk without bytes is not taken for the one after it", async () => {
  const little = { name: "bytes", configuration: { endian: "little" } };
  const configuration = { chunk_shape: [2], codecs: [little, "gzip"], index_codecs: [little] };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const chain = await loadCodecChain({ dataType: "uint8", shape: [4], codecs, fillValue: 0 });
  const second = gzipSync(Uint8Array.of(7, 8));
  const index = BigUint64Array.of(0n, 0n, 0n, BigInt(second.length));
  const file = Buffer.concat([second, new Uint8Array(index.buffer)]);
  const shard = await openShard(chain, async ({ offset, length, suffixLength }) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return suffixLength ? file.subarray(-suffixLength) : file.subarray(offset, offset + length);
  });
  const reads = [shard.decode([0])];
  await Promise.resolve();
  reads.push(shard.decode([1]));
  const [empty, { value }] = await Promise.allSettled(reads);
  assert.match(empty.reason.message, /^chunk \(0\), 0 bytes at 0 of the file: codecs\[0\]/);
  assert.deepEqual(value.data, Uint8Array.of(7, 8));
});

describe("the memory of inner chunks", () => {
  const BOTH = [
    [0, 0],
    [0, 1],
  ];
  /** Returns the memory of the answers and that of the decoded inner chunks, which are little endian. */
  async function memoryOf(positions, answer) {
    const answers = [];
    const shard = await openWith("unchecked", (bytes) => {
      const given = answer(bytes);
      answers.push(given.buffer);
      return given;
    });
    const chunks = await Promise.all(positions.map((at) => shard.decode(at)));
    return { answers, decoded: chunks.map(({ data }) => data.buffer) };
  }

  test("that is read for one call is not copied", async () => {
    const { answers, decoded } = await memoryOf([[0, 0]], (bytes) => bytes.slice());
    assert.ok(answers[0] === decoded[0]);
  });

  test("that is read for several is copied for each", async () => {
    const { answers, decoded } = await memoryOf(BOTH, (bytes) => bytes.slice());
    assert.equal(new Set([...answers, ...decoded]).size, 3);
  });

  test("that is the store's own is never copied", async () => {
    for (const positions of [BOTH, BOTH.slice(1)]) {
      const { answers, decoded } = await memoryOf(positions, (bytes) => bytes);
      assert.equal(new Set([...answers, ...decoded]).size, 1);
    }
    const bytes = openStore().get("/unchecked/c/0/0");
    const shard = await openShard(chainOf(openStore(), "unchecked"), bytes);
    for (const at of BOTH) assert.ok((await shard.decode(at)).data.buffer === bytes.buffer);
  });
});
