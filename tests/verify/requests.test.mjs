// Which requests shards take, and how much is read at once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { crc32c } from "@aws-crypto/crc32c";
import { arrayMetadata } from "./helpers.mjs";
import { toBytes, verified } from "./store-helpers.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

const sharding = (chunkShape, codecs = ["bytes"]) => [
  {
    name: "sharding_indexed",
    configuration: { chunk_shape: [chunkShape], codecs, index_codecs: [LITTLE, "crc32c"] },
  },
];

const regular = (length) => ({ name: "regular", configuration: { chunk_shape: [length] } });

describe("inner chunks", () => {
  /** Verifies a shard of inner chunks of one length at these offsets. Returns the ranges that are read, after the index. */
  async function rangesOf(length, offsets) {
    const index = new Uint8Array(
      new BigUint64Array(offsets.flatMap((at) => [BigInt(at), BigInt(length)])).buffer,
    );
    const end = Math.max(...offsets) + length;
    const shard = new Uint8Array(end + index.length + 4);
    shard.set(index, end);
    shard.set(new Uint8Array(Uint32Array.of(crc32c(index)).buffer), end + index.length);
    const all = length * offsets.length;
    const metadata = arrayMetadata({ shape: [all], chunk_grid: regular(all), codecs: sharding(length) });
    const ranges = [];
    const store = {
      get: (key) => (key === "/zarr.json" ? toBytes(metadata) : undefined),
      getRange(_, { offset = shard.length, length = 0, suffixLength = 0 }) {
        ranges.push(suffixLength ? { suffixLength } : [offset, offset + length]);
        return suffixLength ? shard.subarray(-suffixLength) : shard.subarray(offset, offset + length);
      },
    };
    const { results, summary } = await verified(store);
    assert.deepEqual(results, []);
    assert.equal(summary.chunks, offsets.length);
    const tail = index.length + 4;
    assert.deepEqual(ranges.shift(), { suffixLength: tail });
    assert.equal(summary.bytes, all + tail);
    // The last request goes to the end of the shard, which has to be there.
    assert.equal(ranges.at(-1)[1], shard.length);
    ranges.at(-1)[1] -= tail;
    return ranges;
  }

  test("that are at most 32 KiB apart are read together", async () => {
    const gap = 2 ** 15;
    assert.deepEqual(await rangesOf(100, [0, 100, 200 + gap, 301 + 2 * gap]), [
      [0, 300 + gap],
      [301 + 2 * gap, 401 + 2 * gap],
    ]);
  });

  test("are read by requests of at most 4 MiB", async () => {
    const MiB = 2 ** 20;
    const offsets = [0, 1, 2, 3, 4, 5].map((i) => i * MiB);
    assert.deepEqual(await rangesOf(MiB, offsets), [
      [0, 4 * MiB],
      [4 * MiB, 6 * MiB],
    ]);
  });

  test("are read in the order of their bytes, whatever their order in the index", async () => {
    assert.deepEqual(await rangesOf(100, [300, 100000, 0, 100, 200]), [
      [0, 400],
      [100000, 100100],
    ]);
  });
});

describe("as many units are read at once", () => {
  const MiB = 2 ** 20;

  /** Verifies an array whose chunks are missing. Returns how many of them were requested at the same time. */
  async function atOnce(members, options) {
    const metadata = toBytes(
      arrayMetadata({ shape: [64 * members.length], ...members, chunk_grid: regular(members.length) }),
    );
    let [now, most] = [0, 0];
    const request = async () => {
      now += 1;
      most = Math.max(most, now);
      await turn();
      now -= 1;
    };
    const store = { get: (key) => (key === "/zarr.json" ? metadata : request()), getRange: request };
    const { summary } = await verified(store, { concurrency: 40, codecs: undefined, ...options });
    assert.equal(summary.states.missing, 64);
    return most;
  }

  const cases = [
    ["as `concurrency` says", { length: 1024 }, 40],
    ["chunks as fit into 128 MiB", { length: 32 * MiB }, 4],
    [
      "chunks as fit into 128 MiB with their decoded bytes",
      { length: 16 * MiB, codecs: ["bytes", "gzip"] },
      2,
    ],
    ["chunks of unknown length as if they were 4 MiB long", { length: 1, codecs: ["jpegxl"] }, 32],
    ["shards as read at most 4 MiB and one inner chunk", { length: 24 * MiB, codecs: sharding(12 * MiB) }, 7],
    ["shards as their indexes fit", { length: MiB, codecs: sharding(1) }, 1],
    ["shards as indexes of all levels fit", { length: 2 ** 19, codecs: sharding(2 ** 18, sharding(1)) }, 5],
    ["chunks as there are: one that is larger than that too", { length: 200 * MiB }, 1],
  ];
  for (const [what, members, expected] of cases) {
    test(what, async () => assert.equal(await atOnce(members), expected));
  }
});
