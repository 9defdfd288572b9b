// The option guard of register(), for codecs that are set after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCodecChain } from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import { registry as zarritas } from "zarrita";
import { assertRejects } from "../js/chain-helpers.mjs";

const configuration = { level: 1 };
const metadata = {
  dataType: "uint8",
  shape: [4],
  codecs: [{ name: "bytes" }, { name: "zstd", configuration }],
};
const factory = () => zarritas.get("zstd")();

/** Decodes a chunk of 5 bytes where 4 are expected, with the codec of a registry, and returns its length. */
async function decode(registry) {
  const chain = await loadCodecChain({ ...metadata, shape: [5] }, { codecs: zarritas });
  const Codec = await registry.get("zstd")();
  const codec = Codec.fromConfig(configuration, metadata);
  return (await codec.decode(await chain.encode(new Uint8Array(5)))).length;
}

/** Registers twice, sets a codec, ends both registrations. */
async function setBetween(registry, registers, order) {
  const endings = registers.map((register) => register(registry, { guard: true }));
  assert.equal(registry.set("zstd", factory), registry);
  await assertRejects(decode(registry), ["ChunkLengthError"], "both");
  endings[order[0]]();
  endings[order[0]]();
  await assertRejects(decode(registry), ["ChunkLengthError"], "one");
  registry.set("zstd", factory);
  await assertRejects(decode(registry), ["ChunkLengthError"], "set once more");
  endings[order[1]]();
  assert.equal(await decode(registry), 5);
}

for (const order of [
  [0, 1],
  [1, 0],
]) {
  test(`codecs that are set are checked until all registrations have ended: ${order}`, async () => {
    for (const entries of [[], [["zstd", factory]]]) {
      const registry = new Map(entries);
      await setBetween(registry, [register, register], order);
      assert.deepEqual([...registry], [["zstd", factory]]);
      assert.ok(!Object.hasOwn(registry, "set"));
    }
  });

  test(`two copies of this package do not watch each other: ${order}`, async () => {
    const { register: again } = await import(`${import.meta.resolve("zarr-codecs/zarrita")}?another-copy`);
    assert.notEqual(again, register);
    await setBetween(new Map(), [register, again], order);
  });
}

test("a registry's own set is restored", () => {
  const map = new Map([["zstd", factory]]);
  const registry = {
    get: (name) => map.get(name),
    set: (name, value) => map.set(name, value),
    delete: (name) => map.delete(name),
    keys: () => map.keys(),
  };
  const before = Object.getOwnPropertyDescriptors(registry);
  const unregister = register(registry, { guard: true });
  assert.notEqual(registry.set, before.set.value);
  assert.deepEqual(Object.keys(registry), Object.keys(before));
  unregister();
  assert.deepEqual(Object.getOwnPropertyDescriptors(registry), before);
});

test("a set that others put in place of ours is kept", () => {
  const registry = new Map();
  const unregister = register(registry, { guard: true });
  assert.deepEqual(Object.keys(registry), []);
  const theirs = (...entry) => Map.prototype.set.apply(registry, entry);
  registry.set = theirs;
  unregister();
  assert.equal(registry.set, theirs);
});

test("what is set need not be a function, nor the registry be extensible", () => {
  const registry = Object.freeze(new Map());
  const unregister = register(registry, { guard: true });
  registry.set("text", "no function").set("nothing", undefined);
  unregister();
  assert.deepEqual(
    [...registry],
    [
      ["text", "no function"],
      ["nothing", undefined],
    ],
  );
  const open = new Map();
  register(open, { guard: true });
  assert.equal(open.set("text", "no function").set("nothing", undefined), open);
});
