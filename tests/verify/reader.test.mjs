// Single chunks of an array, as the page reads them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32c } from "@aws-crypto/crc32c";
import { MemoryStore } from "../zarrita/stores.mjs";
import { flip, metadataOf, verify, WRITTEN, withBytes } from "./helpers.mjs";

const { chunkLayout, ChunkReader } = verify;
const [written] = WRITTEN;

/** The same elements, in chunks of the same shape, without and with shards. */
const [PLAIN, SHARDED] = ["/int16-plain", "/int16-sharded"];
const layout = chunkLayout(metadataOf(written, SHARDED));
const POSITIONS = Array.from({ length: layout.chunks }, (_, i) => verify.unravel(i, layout.grid));

/** What a chunk without a shard is in the shard: big-endian, with a checksum. */
function expectedAt(position) {
  const bytes = Uint8Array.from(written.get(`${PLAIN}/c/${position.join("/")}`));
  const payload = new Uint8Array(Int16Array.from(new Int16Array(bytes.buffer), swapped).buffer);
  return Uint8Array.of(...payload, ...new Uint8Array(Uint32Array.of(crc32c(payload)).buffer));
}

const swapped = (element) => ((element & 0xff) << 8) | ((element >> 8) & 0xff);

/** A store that counts its requests. */
function counting(store, members = {}) {
  const requests = [];
  const noted = (read) => (key, range) => {
    requests.push(key);
    return read.call(store, key, range);
  };
  return { requests, get: noted(store.get), getRange: noted(store.getRange), ...members };
}

test("inner chunks are those that are stored without shards", async () => {
  assert.deepEqual(layout.grid, [3, 2]);
  for (const members of [{}, { getRange: undefined }]) {
    const store = counting(written, members);
    const reader = new ChunkReader(store, SHARDED, layout);
    for (const position of POSITIONS) {
      const { key, range, offset, bytes } = await reader.read(layout.locate(position));
      assert.equal(key, `${SHARDED}/c/${Math.floor(position[0] / 2)}/0`);
      assert.deepEqual(bytes, expectedAt(position));
      assert.deepEqual(range, { offset, length: 16 });
      assert.deepEqual(written.get(key).subarray(offset, offset + 16), bytes);
    }
    // An index is read once for each of two shards.
    assert.equal(store.requests.length, 2 + POSITIONS.length);
  }
});

test("chunks without shards are whole values", async () => {
  const plain = chunkLayout(metadataOf(written, PLAIN));
  const reader = new ChunkReader(written, PLAIN, plain);
  for (const position of POSITIONS) {
    const key = `${PLAIN}/c/${position.join("/")}`;
    assert.deepEqual(await reader.read(plain.locate(position)), { key, offset: 0, bytes: written.get(key) });
  }
  assert.equal(await reader.read({ key: "c/9/9", chunk: [9, 9] }), undefined);
});

test("an inner chunk of a shard that is missing, and one that is missing itself, are undefined", async () => {
  const store = new MemoryStore(written);
  store.delete(`${SHARDED}/c/0/0`);
  const reader = new ChunkReader(store, SHARDED, layout);
  assert.equal(await reader.read(layout.locate([0, 0])), undefined);
  // Beyond the array: its shard has two rows of inner chunks.
  assert.equal(await reader.read({ key: "c/1/0", chunk: [1, 0], inner: [1, 1] }), undefined);
});

test("an inner chunk of a shard that vanishes after its index was read is undefined", async () => {
  const store = new MemoryStore(written);
  const reader = new ChunkReader(store, SHARDED, layout);
  assert.ok(await reader.read(layout.locate([0, 0])));
  store.delete(`${SHARDED}/c/0/0`);
  assert.equal(await reader.read(layout.locate([0, 0])), undefined);
});

test("a damaged index is read again for the next chunk, and an inner chunk that is cut off names its range", async () => {
  const key = `${SHARDED}/c/0/0`;
  const damaged = withBytes(written, { [key]: flip(130, 1) });
  const reader = new ChunkReader(damaged, SHARDED, layout);
  await assert.rejects(reader.read(layout.locate([0, 0])), { code: "checksum_mismatch" });
  damaged.set(key, written.get(key));
  assert.deepEqual((await reader.read(layout.locate([0, 0]))).bytes, expectedAt([0, 0]));
  const { offset } = await reader.read(layout.locate([1, 1]));
  damaged.set(key, written.get(key).subarray(0, offset + 7));
  await assert.rejects(reader.read(layout.locate([1, 1])), {
    ...{ code: "chunk_length", expected: 16, actual: 7, range: { offset, length: 16 } },
  });
});

test("a grid that is not regular has no such layout", () => {
  const chunk_grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[4, 1], 6] } };
  assert.throws(() => chunkLayout({ ...metadataOf(written, PLAIN), chunk_grid }), {
    ...{ code: "invalid_metadata", path: "chunk_grid.name" },
    message: 'chunk_grid.name: expected "regular", got "rectilinear"',
  });
});
