// The effect of register() on a registry, and errors about its arguments.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, InvalidArgumentError } from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import { assertThrows, withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, readChunk, registered } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c" };
const NAMES = ["bytes", "endian", "crc32c"];

const checked = arrayMetadata({ codecs: [little, crc32c] });
const wrong = withChecksum([1, 0, 2, 0, 3, 0, 0, 0], 0x12345678);

/** Returns all permutations of an array. */
function permutations(things) {
  if (things.length === 0) return [[]];
  return things.flatMap((first) =>
    permutations(things.filter((thing) => thing !== first)).map((rest) => [first, ...rest]),
  );
}

/** Returns which registration is in effect: the one that reports a wrong checksum. */
async function inEffect(zarrita, reports) {
  reports.length = 0;
  assert.deepEqual(await readChunk(zarrita, checked, wrong), [1, 2, 3, 0]);
  assert.equal(reports.length, 1);
  return reports[0];
}

describe("register", () => {
  test("replaces the codecs, and unregister restores them", () => {
    for (const { registry } of Object.values(VERSIONS)) {
      const before = [...registry];
      const unregister = register(registry);
      for (const name of NAMES) assert.notEqual(registry.get(name), new Map(before).get(name), name);
      unregister();
      assert.deepEqual([...registry], before);
      unregister();
      assert.deepEqual([...registry], before);
    }
  });

  test("unregister keeps codecs that others registered meanwhile", () => {
    const registry = new Map();
    const unregister = register(registry);
    const theirs = async () => ({});
    registry.set("bytes", theirs);
    unregister();
    assert.deepEqual([...registry], [["bytes", theirs]]);
  });

  for (const count of [2, 3]) {
    for (const order of permutations([...Array(count).keys()])) {
      test(`${count} registrations end in the order ${order}`, async () => {
        for (const zarrita of Object.values(VERSIONS)) {
          const before = [...zarrita.registry];
          const reports = [];
          const unregister = Array.from({ length: count }, (_, i) =>
            register(zarrita.registry, { verify: () => reports.push(i) }),
          );
          const alive = new Set(unregister.keys());
          for (const ending of order) {
            assert.equal(await inEffect(zarrita, reports), Math.max(...alive));
            unregister[ending]();
            alive.delete(ending);
          }
          assert.deepEqual([...zarrita.registry], before);
        }
      });
    }
  }

  test("codecs that others registered meanwhile remain after all registrations have ended", () => {
    const original = async () => ({ original: true });
    const theirs = async () => ({ theirs: true });
    for (const place of [1, 2, 3]) {
      for (const order of permutations([0, 1, 2])) {
        const registry = new Map([["crc32c", original]]);
        const unregister = [];
        for (let i = 0; i < 3; i++) {
          unregister.push(register(registry));
          if (i + 1 === place) registry.set("crc32c", theirs);
        }
        for (const i of order) {
          unregister[i]();
          if (place === 3) assert.equal(registry.get("crc32c"), theirs);
        }
        assert.deepEqual([...registry], [["crc32c", theirs]], `${place}, ${order}`);
      }
    }
  });

  test("registering our factory again after it was unregistered returns the original codec", async () => {
    const original = async () => "original";
    const registry = new Map([["crc32c", original]]);
    const unregister = register(registry);
    const ours = registry.get("crc32c");
    registry.set("crc32c", async () => "theirs");
    unregister();
    assert.equal(await registry.get("crc32c")(), "theirs");
    registry.set("crc32c", ours); // As another copy of this package does when it is unregistered last.
    assert.equal(await registry.get("crc32c")(), "original");
  });

  test("registering 10000 times, each before the last registration ends, keeps no layers", async () => {
    const registry = new Map();
    let unregister = register(registry);
    for (let i = 0; i < 10_000; i++) {
      const old = unregister;
      unregister = register(registry);
      old();
    }
    const codec = (await registry.get("bytes")()).fromConfig(
      { endian: "big" },
      { data_type: "bool", shape: [2] },
    );
    assert.deepEqual((await codec.decode(Uint8Array.of(1, 0))).data, Uint8Array.of(1, 0));
    unregister();
    assert.deepEqual([...registry], []);
  });

  test("can be done twice", async () => {
    for (const zarrita of Object.values(VERSIONS)) {
      const metadata = arrayMetadata({ dataType: "bool", codecs: [big] });
      const read = () => readChunk(zarrita, metadata, [1, 0, 1, 0]);
      const twice = () => registered(zarrita, read);
      assert.deepEqual(await registered(zarrita, twice), [true, false, true, false]);
    }
  });

  test("works with an empty registry, where bool decodes to Uint8Array", async () => {
    const registry = new Map();
    register(registry);
    const entry = await registry.get("endian")();
    const codec = entry.fromConfig({ endian: "big" }, { data_type: "bool", shape: [2] });
    assert.deepEqual((await codec.decode(Uint8Array.of(1, 0))).data, Uint8Array.of(1, 0));
  });

  test("asks the earlier codec for its array of little-endian bytes", async () => {
    const decode = (bytes) => ({ data: String(bytes), shape: [2], stride: [1] });
    const earlier = { fromConfig: ({ endian }) => ({ decode: (bytes) => ({ endian, ...decode(bytes) }) }) };
    const registry = new Map([["bytes", async () => earlier]]);
    register(registry);
    const metadata = { dataType: "float16", shape: [2], codecs: [big] };
    const codec = (await registry.get("bytes")()).fromConfig(big.configuration, metadata);
    const chunk = await codec.decode(Uint8Array.of(1, 2, 3, 4));
    assert.deepEqual(chunk, { endian: "little", data: "2,1,4,3", shape: [2], stride: [1] });
  });

  test("rejects invalid arguments", () => {
    for (const registry of [undefined, null, 1, {}, [], new WeakSet()]) {
      assertThrows(() => register(registry), InvalidArgumentError, {
        argument: "registry",
        message: /^registry: expected zarrita's registry, got /,
      });
    }
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assertThrows(() => register(proxy), InvalidArgumentError, {
      argument: "registry",
      message: "registry could not be read",
    });
    assertThrows(() => register(new Map(), { verify: "never" }), InvalidArgumentError, {
      argument: "options.verify",
    });
    assertThrows(() => register(new Map(), { verify: null }), InvalidArgumentError, {
      argument: "options.verify",
      message: 'options.verify: expected true, false, "warn" or a function, got null',
    });
    assertThrows(() => register(new Map(), { strict: true }), InvalidArgumentError, {
      argument: "options.strict",
    });
    assertThrows(() => register(new Map(), 1), InvalidArgumentError, { argument: "options" });
  });
});

test("codecs compute the encoded length of a shard's index", async (t) => {
  const { registry } = VERSIONS["0.7"];
  t.after(register(registry));
  const meta = { dataType: "uint64", shape: [3, 2], codecs: [] };
  for (const configuration of [{ endian: "little" }, { endian: "big" }]) {
    const codec = (await registry.get("bytes")()).fromConfig(configuration, meta);
    assert.equal(codec.computeEncodedSize(48), 48);
  }
  const codec = (await registry.get("crc32c")()).fromConfig(undefined, meta);
  assert.equal(codec.computeEncodedSize(codec.computeEncodedSize(48)), 56);
});

test("codecs and what creates them tell their kind", async () => {
  const registry = new Map();
  register(registry);
  for (const [name, kind] of [
    ["bytes", "array_to_bytes"],
    ["endian", "array_to_bytes"],
    ["crc32c", "bytes_to_bytes"],
    ["numcodecs.adler32", "bytes_to_bytes"],
  ]) {
    const entry = await registry.get(name)();
    const codec = entry.fromConfig(undefined, { dataType: "uint8", shape: [2], codecs: [] });
    assert.deepEqual([entry.kind, codec.kind], [kind, kind], name);
  }
});

test("importing zarr-codecs/register registers in the copy of zarrita that it resolves to", async () => {
  const { registry } = VERSIONS["0.7"];
  const before = [...registry];
  await import("zarr-codecs/register");
  for (const name of NAMES) assert.notEqual(registry.get(name), new Map(before).get(name), name);
  await assert.rejects(
    readChunk(VERSIONS["0.7"], checked, wrong),
    ({ cause }) => cause instanceof ChecksumMismatchError,
  );
  const ours = [...registry];
  register(registry, { verify: false })(); // Of the same copy of the package: leaves the first registration.
  assert.deepEqual([...registry], ours);
  for (const [name, codec] of before) registry.set(name, codec);
  for (const [name] of ours) if (!new Map(before).has(name)) registry.delete(name);
});
