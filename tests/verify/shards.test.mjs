// Shards in shards, shards that change or vanish while they are read, and checksums that a store has of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crc32 } from "node:zlib";
import { crc32c } from "@aws-crypto/crc32c";
import { createCodecChain } from "zarr-codecs";
import { arrayMetadata } from "./helpers.mjs";
import { ListedStore, placeOf, placesOf, READERS, toBytes, verified } from "./store-helpers.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

const sharding = (chunkShape, codecs, members) => [
  {
    name: "sharding_indexed",
    configuration: { chunk_shape: [chunkShape], codecs, index_codecs: [LITTLE, "crc32c"], ...members },
  },
];

const OUTER = "/c/0";

/** A store of one shard of uint8. */
function storeOf(codecs, elements) {
  const chunk_grid = { name: "regular", configuration: { chunk_shape: [elements.length] } };
  const metadata = arrayMetadata({ shape: [elements.length], chunk_grid, codecs });
  const chain = createCodecChain({ dataType: "uint8", shape: [elements.length], codecs, fillValue: 0 });
  return new ListedStore([
    ["/zarr.json", toBytes(metadata)],
    [OUTER, chain.encode(Uint8Array.from(elements))],
  ]);
}

/** Changes the shard. */
const change = (store, by) => store.set(OUTER, by(Uint8Array.from(Map.prototype.get.call(store, OUTER))));

/** The same store, in which requests for the shard are answered by `answer(asked, bytes)`, the first one with 1. */
function changing(store, answer) {
  let asked = 0;
  const read = (key, bytes) => (key === OUTER ? answer(++asked, bytes) : bytes);
  return {
    get: async (key) => read(key, store.get(key)),
    getRange: async (key, range) => read(key, store.getRange(key, range)),
    list: () => store.list(),
  };
}

const COVERED = ["bytes", "crc32c"];
const nested = (members) => sharding(4, sharding(2, COVERED, members), members);
const ELEMENTS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Two inner shards of two chunks of 6 bytes each with an index of 36, and their index of 36. */
const INNER = 2 * 6 + 36;

describe("shards in shards", () => {
  for (const [how, reading] of Object.entries(READERS)) {
    test(`damage is where it is: ${how}`, async () => {
      for (const [at, place] of [
        [0, "c/0 [0,0] damaged checksum_mismatch"],
        [11, "c/0 [0,1] damaged checksum_mismatch"],
        [INNER + 7, "c/0 [1,1] damaged checksum_mismatch"],
        [INNER - 1, "c/0 [0] damaged checksum_mismatch"],
        [2 * INNER + 35, "c/0 damaged checksum_mismatch"],
      ]) {
        const store = storeOf(nested(), ELEMENTS);
        change(store, (bytes) => bytes.with(at, bytes[at] ^ 1));
        const { results, summary } = await verified(reading(store));
        assert.deepEqual(results.map(placeOf), [place]);
        assert.deepEqual([summary.units, summary.proofs.none], [1, 1]);
      }
      const { results, summary } = await verified(reading(storeOf(nested(), ELEMENTS)), { all: true });
      assert.deepEqual(
        results.map(({ state, proof, byteLength }) => [state, proof, byteLength]),
        [["sound", "checksum", 2 * INNER + 36]],
      );
      assert.equal(summary.chunks, 4);
    });
  }

  test("an inner shard that is damaged names its range", async () => {
    const store = storeOf(nested(), ELEMENTS);
    change(store, (bytes) => bytes.with(2 * INNER - 1, bytes[2 * INNER - 1] ^ 1));
    const { results } = await verified(store);
    const [{ error, ...result }] = results;
    const range = { offset: INNER, length: INNER };
    assert.deepEqual(result, {
      array: "",
      key: "c/0",
      chunk: [0],
      inner: [1],
      state: "damaged",
      proof: "none",
      range,
    });
    assert.equal(error.code, "checksum_mismatch");
  });

  test("chunks that are missing are named once, at their level", async () => {
    const store = storeOf(nested(), [1, 2, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(await placesOf(store, { missing: "warn" }), ["c/0 [0,1] missing", "c/0 [1] missing"]);
    assert.deepEqual(await placesOf(storeOf(nested(), Array(8).fill(0)), { missing: "allow" }), []);
  });

  test("chunks that are missing are not named beyond the array", async () => {
    const square = (chunk_shape, codecs) => sharding(undefined, codecs, { chunk_shape });
    const codecs = square([4, 4], square([2, 2], COVERED));
    const chain = createCodecChain({ dataType: "uint8", shape: [4, 8], codecs, fillValue: 0 });
    const chunk_grid = { name: "regular", configuration: { chunk_shape: [4, 8] } };
    const missingOf = async (shape, ...elements) => {
      const data = new Uint8Array(32);
      for (const [row, column] of elements) data[row * 8 + column] = 1;
      const store = new ListedStore([
        ["/zarr.json", toBytes(arrayMetadata({ shape, chunk_grid, codecs }))],
        ["/c/0/0", chain.encode(data)],
      ]);
      return (await placesOf(store, { missing: "warn" })).map((place) => place.split(" ")[1]);
    };
    // Of inner chunks of 2 x 2: those before column 6.
    assert.deepEqual(await missingOf([4, 6], [0, 0], [0, 4]), [
      "[0,0,0,1]",
      "[0,0,1,0]",
      "[0,0,1,1]",
      "[0,1,1,0]",
    ]);
    assert.deepEqual(await missingOf([2, 8], [0, 0], [0, 6]), ["[0,0,0,1]", "[0,1,0,0]"]);
    // Of inner shards of 4 x 4: those before column 4.
    assert.deepEqual(await missingOf([4, 5], [0, 0], [0, 2], [2, 0], [2, 2]), ["[0,1]"]);
    assert.deepEqual(await missingOf([4, 4], [0, 0], [0, 2], [2, 0], [2, 2]), []);
  });

  test("a shard that is cut off before its index ends is damaged, one with an index at the start too", async () => {
    for (const cut of [1, 20, 37]) {
      for (const members of [{}, { index_location: "start" }]) {
        for (const codecs of [nested(members), sharding(2, COVERED, members)]) {
          const store = storeOf(codecs, ELEMENTS);
          change(store, (bytes) => bytes.subarray(0, -cut));
          const { results, summary } = await verified(store);
          assert.ok(results.length > 0, JSON.stringify([cut, codecs]));
          assert.ok(results.every(({ state }) => state === "damaged"));
          assert.equal(summary.states.damaged, 1);
        }
      }
    }
  });

  test("an index at the end that another file has, with the same checksum, does not fit", async () => {
    // The shard is cut in the middle, and its index stands at its end: inner chunks are where the index is.
    for (const codecs of [nested(), sharding(2, COVERED)]) {
      const store = storeOf(codecs, ELEMENTS);
      change(store, (bytes) => {
        const index = 16 * (codecs[0].configuration.chunk_shape[0] === 4 ? 2 : 4) + 4;
        return Uint8Array.of(...bytes.subarray(0, 10), ...bytes.subarray(-index));
      });
      const [{ error }] = (await verified(store)).results;
      assert.deepEqual(error.range, { suffixLength: codecs[0].configuration.chunk_shape[0] === 4 ? 36 : 68 });
      // A server that rejects ranges which begin beyond the end.
      const strict = (of) => ({
        get: (key) => of.get(key),
        getRange(key, range) {
          if (range.offset < of.get(key).length || range.suffixLength) return of.getRange(key, range);
          throw Object.assign(new Error("not satisfiable"), { status: 416 });
        },
      });
      for (const reading of [...Object.values(READERS), strict]) {
        assert.deepEqual(await placesOf(reading(store)), ["c/0 damaged invalid_element"]);
      }
    }
  });
});

test("a shard without inner chunks is sound, and proves what its index does", async () => {
  for (const codecs of [sharding(2, COVERED), nested(), nested({ index_location: "start" })]) {
    const store = storeOf(codecs, Array(8).fill(0));
    for (const reading of Object.values(READERS)) {
      const { results, summary } = await verified(reading(store), { all: "inner" });
      assert.deepEqual(
        results.map(({ key, inner, state, proof }) => [key, inner, state, proof]),
        [["c/0", undefined, "sound", "checksum"]],
      );
      assert.equal(summary.chunks, 0);
    }
  }
});

describe("a shard that changes while it is read", () => {
  const gone = () => undefined;
  const failing = () => {
    throw Object.assign(new Error("no"), { status: 500 });
  };
  const CHANGES = [
    ["vanishes after its index", sharding(2, COVERED), 2, gone, /^c\/0 missing$/],
    ["vanishes before its inner indexes", nested(), 3, gone, /^c\/0 missing$/],
    ["cannot be read after its index", sharding(2, COVERED), 2, failing, /^c\/0 unreadable unreadable$/],
    ["cannot be read after an inner index", nested(), 4, failing, /^c\/0 unreadable unreadable$/],
  ];
  for (const [what, codecs, from, answer, expected] of CHANGES) {
    test(what, async () => {
      const store = changing(storeOf(codecs, ELEMENTS), (asked, bytes) => (asked < from ? bytes : answer()));
      const { results, summary } = await verified(store, { retries: 0, missing: "warn" });
      assert.ok(results.length > 0);
      for (const result of results) assert.match(placeOf(result), expected);
      assert.deepEqual([summary.states.sound, summary.proofs.none], [0, 1]);
    });
  }

  test("is unreadable where damage cannot be read again", async () => {
    const store = storeOf(sharding(2, COVERED), ELEMENTS);
    change(store, (bytes) => bytes.with(0, 9));
    const reading = changing(store, (asked, bytes) => (asked < 3 ? bytes : failing()));
    assert.deepEqual(await placesOf(reading, { retries: 0 }), ["c/0 unreadable unreadable"]);
  });

  test("and was wrong at first is one transient unit, with the proof of what is right", async () => {
    for (const [from, inner] of [
      [1, undefined],
      [2, [0]],
    ]) {
      const store = storeOf(sharding(2, COVERED), ELEMENTS);
      const reading = changing(store, (asked, bytes) => (asked === from ? bytes.with(0, 99) : bytes));
      const { results, summary } = await verified(reading, { require: "checksum" });
      const [{ error, range, ...result }, ...others] = results;
      assert.deepEqual(others, []);
      assert.deepEqual(result, {
        array: "",
        key: "c/0",
        chunk: [0],
        ...(inner && { inner }),
        state: "sound",
        proof: "none",
        transient: true,
      });
      assert.equal(error.code, "checksum_mismatch");
      assert.deepEqual([summary.verdict, summary.transient, summary.insufficient], ["sound", 1, 0]);
      assert.deepEqual([summary.states.sound, summary.proofs.checksum], [1, 1]);
    }
  });
});

test("a shard that proves too little, and was wrong at first, is a result beside that", async () => {
  const store = storeOf(sharding(2, ["bytes"]), ELEMENTS);
  const reading = changing(store, (asked, bytes) => (asked === 1 ? bytes.with(0, 99) : bytes));
  const { results, summary } = await verified(reading, { require: "checksum" });
  assert.deepEqual(results.map(placeOf), [
    "c/0 sound transient insufficient",
    "c/0 sound checksum_mismatch transient",
  ]);
  assert.deepEqual([summary.insufficient, summary.transient, summary.units], [1, 1, 1]);
});

describe("a checksum that the store has of a shard", () => {
  const codecs = sharding(2, ["bytes"], { index_codecs: [LITTLE] });
  const sums = { crc32c: (bytes) => crc32c(bytes), crc32: (bytes) => crc32(bytes) };

  const withSums = (store, checksumOf) => ({
    isReused: store.isReused,
    get: (key) => store.get(key),
    ...(store.getRange && { getRange: (key, range) => store.getRange(key, range) }),
    checksumOf,
  });

  for (const [name, sum] of Object.entries(sums)) {
    for (const [how, reading] of Object.entries(READERS)) {
      test(`${name} is compared with all bytes: ${how}`, async () => {
        const store = storeOf(codecs, ELEMENTS);
        const right = sum(Map.prototype.get.call(store, OUTER));
        const proofOf = async (checksumOf) => {
          const { results, summary } = await verified(withSums(reading(store), checksumOf), { all: true });
          assert.equal(summary.units, 1);
          return results.map(({ state, proof, error }) => `${state} ${error?.message ?? proof}`);
        };
        assert.deepEqual(await proofOf(() => ({ [name]: right })), ["sound checksum"]);
        // As a signed integer.
        assert.deepEqual(await proofOf(async () => ({ [name]: right | 0 })), ["sound checksum"]);
        assert.deepEqual(await proofOf(() => ({})), ["sound length"]);
        assert.deepEqual(await proofOf(() => undefined), ["sound length"]);
        const hex = `0x${right.toString(16).padStart(8, "0")}`;
        assert.deepEqual(await proofOf(() => ({ [name]: 1 })), [
          `damaged the value is not what was stored: ${name} of the store 0x00000001, computed ${hex}`,
        ]);
      });
    }
  }

  test("is not asked for where the codecs prove as much", async () => {
    const store = storeOf(sharding(2, COVERED), ELEMENTS);
    store.checksumOf = () => assert.fail("asked");
    assert.equal((await verified(store)).summary.proofs.checksum, 1);
  });

  test("proves nothing of inner chunks that are missing", async () => {
    const store = storeOf(codecs, [1, 2, 0, 0]);
    store.checksumOf = (key) => ({ crc32c: crc32c(Map.prototype.get.call(store, key)) });
    const { results } = await verified(store, { all: "inner", missing: "warn" });
    assert.deepEqual(results.map(({ state, proof }) => `${state} ${proof}`).sort(), [
      "missing none",
      "sound checksum",
    ]);
  });

  test("is compared again with a shard that is read again, where the store reads no ranges", async () => {
    const store = storeOf(codecs, ELEMENTS);
    const right = crc32c(store.get(OUTER));
    const once = ({ get }) => ({ get, checksumOf: () => ({ crc32c: right }) });
    const wrongOnce = (asked, bytes) => (asked === 1 ? bytes.with(0, 99) : bytes);
    const { summary } = await verified(once(changing(store, wrongOnce)));
    assert.deepEqual([summary.states.sound, summary.proofs.checksum], [1, 1]);
  });
});

test("a shard that was wrong once is read again, also where the store reads no ranges", async () => {
  const store = storeOf(sharding(2, COVERED), ELEMENTS);
  const { get } = changing(store, (asked, bytes) => (asked === 1 ? bytes.with(0, 99) : bytes));
  assert.deepEqual(await placesOf({ get }), ["c/0 [0] sound checksum_mismatch transient"]);
});
