// Errors about a chunk of a shard in a shard: where it is in the file, in fields and in the message.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ChecksumMismatchError, ChunkLengthError, createCodecChain } from "zarr-codecs";

const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }];
const sharding = (length, codecs) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: [length], codecs, index_codecs },
});

test("errors in nested shards have the place in the file", () => {
  const codecs = [sharding(2, [sharding(1, ["bytes", "crc32c"])])];
  const chain = createCodecChain({ dataType: "uint8", shape: [4], codecs, fillValue: 0 });
  const shard = chain.encode(Uint8Array.of(1, 2, 3, 4));
  const inner = 2 * 5 + 32;
  shard[inner + 5] ^= 0xff; // The last chunk.
  let error;
  try {
    chain.decode(shard);
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof ChecksumMismatchError);
  assert.deepEqual(error.range, { offset: inner + 5, length: 5 });
  assert.deepEqual(error.chunk, [1]);
  const place = `chunk (1), inner chunk (1), bytes ${inner + 5} to ${inner + 9} of the file: chunk is corrupt`;
  assert.ok(error.message.startsWith(place), error.message);
  assert.ok(error.stack.includes(error.message), error.stack);
  // As of any error: the text is not enumerable, the fields are.
  const keys = Object.keys(error);
  assert.ok(keys.includes("range") && keys.includes("chunk"));
  assert.ok(!keys.includes("message") && !keys.includes("stack"));
  assert.ok(!keys.includes("key"), "the file has no key");
  // They can be changed, for example by those that add a place themselves.
  for (const name of ["message", "stack", "range"]) {
    const { configurable, writable } = Object.getOwnPropertyDescriptor(error, name);
    assert.ok(configurable && writable, name);
  }
});

test("the length of a shard in a shard is compared with that of its own index", () => {
  const codecs = [sharding(2, [sharding(1, ["bytes"])])];
  const chain = createCodecChain({ dataType: "uint8", shape: [6], codecs, fillValue: 0 });
  // Two inner chunks in each, but three shards in the shard: indexes of 32 and 48 bytes.
  const index = new BigUint64Array(6).fill(2n ** 64n - 1n);
  index.set([0n, 40n]);
  const shard = new Uint8Array(40 + 48);
  shard.set(new Uint8Array(index.buffer), 40);
  assert.equal(chain.decode(shard.fill(0xff, 8, 40)).data.length, 6);
  index.set([0n, 10n]);
  shard.set(new Uint8Array(index.buffer), 40);
  assert.throws(() => chain.decode(shard), { constructor: ChunkLengthError, expected: 32, actual: 10 });
});
