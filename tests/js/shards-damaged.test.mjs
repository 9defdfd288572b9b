// Every damage of a shard that its index or the checksums of inner chunks can reveal.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodecChain, loadCodecChain } from "zarr-codecs";
import { assertEach, assertRejects } from "./chain-helpers.mjs";
import { damagedChunks } from "./chains.mjs";
import { readVectors } from "./helpers.mjs";
import { SHARD_DAMAGE_COUNT } from "./shards.mjs";

const read = (file) => readVectors(`shards/${file}`);
const files = new Map();
const readOnce = (file) => files.get(file) ?? files.set(file, read(file)).get(file);
const damaged = [...damagedChunks(read("damaged.json"), readOnce)];

test("damaged shards are complete", () => {
  assert.equal(damaged.length, SHARD_DAMAGE_COUNT);
});

test("damaged shards are errors that name the inner chunk, or that of an entry of the index", async () => {
  await assertEach(damaged, async ({ where, metadata, sound, damaged, expected, inner }) => {
    const chain = createCodecChain(metadata);
    chain.decode(sound);
    const error = await assertRejects((async () => chain.decode(damaged))(), expected, where);
    if (inner === undefined) return;
    const name = `chunk (${inner.join(", ")})`;
    if (expected.includes("InvalidElementError")) {
      assert.equal(error.chunk, undefined, where);
      assert.match(error.message, /^shard index, bytes \d+ to \d+ of the file: /, where);
      assert.ok(error.message.includes(`inner ${name} `), `${where}: ${error.message}`);
      return;
    }
    assert.deepEqual(error.chunk, inner, where);
    assert.ok(error.message.startsWith(name), `${where}: ${error.message}`);
  });
});

test("entries are validated without verifying checksums, too", async () => {
  const entries = damaged.filter(({ expected }) => expected.includes("InvalidElementError"));
  await assertEach(entries, async ({ where, metadata, damaged, expected }) => {
    const chain = await loadCodecChain(metadata, { verify: false });
    await assertRejects(chain.decode(damaged), expected, where);
  });
});
