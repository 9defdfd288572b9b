// Stores of three implementations, damaged at known places: the report has exactly those places.

import assert from "node:assert/strict";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { filesOf, readArrays, run, short, temporary, verify, writeFiles } from "./helpers.mjs";

const WRITERS = ["zarr-python", "tensorstore", "zarrs"];

/** Arrays that all three wrote, by what protects their chunks. */
const CHAINS = {
  checksum: "transpose-120-int16-little-crc32c",
  zstd: "zstd-3",
  gzip: "gzip-9",
  blosc: "blosc-lz4-shuffle-float32",
};
const SHARDS = "index-end-little-crc32c";

function openArrays(writer) {
  const chains = readArrays("chains", writer).filter(({ name }) => Object.values(CHAINS).includes(name));
  const shards = readArrays("shards", writer).filter(({ name }) => name === SHARDS);
  assert.equal(chains.length + shards.length, 5, writer);
  return [...chains, ...shards];
}

function flip(files, key, byte) {
  const copy = Buffer.from(files.get(key));
  copy[byte < 0 ? copy.length + byte : byte] ^= 4;
  files.set(key, copy);
}

for (const writer of WRITERS) {
  test(`${writer}: every chunk is sound, with the proof that its codecs allow`, async (t) => {
    const folder = writeFiles(temporary(t), filesOf(openArrays(writer)));
    const { status, results, summary } = await verify(folder, ["--all"]);
    assert.deepEqual([status, summary.verdict, summary.complete], [0, "sound", true]);
    const proofs = Object.fromEntries(results.map(({ array, proof }) => [array, proof]));
    assert.deepEqual(proofs, {
      [CHAINS.checksum]: "checksum",
      [CHAINS.zstd]: "decoded",
      [CHAINS.gzip]: "checksum",
      [CHAINS.blosc]: "decoded",
      [SHARDS]: "length",
    });
  });

  test(`${writer}: damage is reported where it is, and nowhere else`, async (t) => {
    const arrays = openArrays(writer);
    const files = filesOf(arrays);
    const keyOf = (name) => `${name}/${arrays.find((array) => array.name === name).chunks[0].key}`;
    const [checksum, zstd, gzip, blosc, shard] = [...Object.values(CHAINS), SHARDS].map(keyOf);
    flip(files, checksum, 7);
    flip(files, gzip, -6); // Its CRC-32.
    files.set(zstd, files.get(zstd).subarray(0, -3));
    files.set(blosc, files.get(blosc).subarray(0, files.get(blosc).length / 2));
    flip(files, shard, -1); // The checksum of its index.
    files.set("lost/c/0", Buffer.from("x"));
    const folder = writeFiles(temporary(t), files);
    const { status, results, summary, stderr } = await verify(folder);
    const expected = [
      `${checksum} damaged none checksum_mismatch`,
      `${gzip} damaged none checksum_mismatch`,
      `${zstd} damaged none external_codec`,
      `${blosc} damaged none external_codec`,
      `${shard} damaged none checksum_mismatch`,
      "lost/c/0 stray none",
    ];
    assert.deepEqual(results.map(short).sort(), expected.sort());
    assert.deepEqual([status, summary.verdict, summary.states.damaged], [1, "damaged", 5]);
    assert.match(stderr, /DAMAGED: 5 units/);
    assert.match(stderr, new RegExp(`DAMAGED {4}${checksum}`));
  });
}

test("metadata that are wrong, and files that are cut off or gone", async (t) => {
  const arrays = openArrays("zarr-python");
  const folder = writeFiles(temporary(t), filesOf(arrays));
  const [{ name: cut, chunks }] = arrays;
  const gone = arrays.at(-1);
  truncateSync(join(folder, cut, chunks[0].key), 10);
  rmSync(join(folder, gone.name, gone.chunks[0].key));
  writeFileSync(join(folder, arrays[1].name, "zarr.json"), '{"zarr_format": 3, "node_type": "arr');
  const { status, results } = await verify(folder, ["--missing", "fail"]);
  const found = results.filter(({ key }) => !key.startsWith(`${arrays[1].name}/c`)).map(short);
  assert.ok(found.includes(`${cut}/${chunks[0].key} damaged none chunk_length`), `${found}`);
  assert.ok(found.includes(`${gone.name}/${gone.chunks[0].key} missing none`), `${found}`);
  assert.ok(found.includes(`${arrays[1].name}/zarr.json damaged none invalid_metadata`), `${found}`);
  assert.equal(status, 1);
});

test("--require rejects what is proven too little", async (t) => {
  const folder = writeFiles(temporary(t), filesOf(openArrays("zarr-python")));
  const checksum = await verify(folder, ["--require", "checksum"]);
  assert.deepEqual([checksum.status, checksum.summary.verdict], [1, "insufficient"]);
  assert.deepEqual(
    new Set(checksum.results.map(({ array }) => array)),
    new Set([CHAINS.zstd, CHAINS.blosc, SHARDS]),
  );
  assert.equal((await verify(folder, ["--require", "length"])).status, 0);
});

test("times of any length", async (t) => {
  const folder = writeFiles(temporary(t), filesOf(openArrays("zarr-python")));
  for (const time of ["30d", "1.5h2ms", "0.5ms"]) {
    const { status } = await verify(folder, ["--timeout", time, "--max-duration", "30d"]);
    assert.equal(status, 0, time);
  }
});

test("what cannot be verified ends with status 2, and says why", async (t) => {
  const folder = temporary(t);
  const cases = [
    [[join(folder, "none")], /no such folder/],
    [[folder], /no zarr\.json/],
    [[], /expected a store/],
    [[folder, "--require", "all"], /--require: expected checksum, decoded, length, present, got all/],
    [[folder, "--frobnicate"], /Unknown option '--frobnicate'/],
    [["ftp://example.org/x"], /got ftp:\/\//],
    [[folder, "--jsonl", join(folder, "report.jsonl")], /outside of the store/],
    [[folder, "--part", "3/3"], /--part: expected a part from 0 to 2, got 3/],
    [[folder, "--max-duration", "soon"], /--max-duration: expected a time/],
    [[folder, "--max-duration", "0"], /--max-duration: expected a time above 0/],
    [[folder, "--timeout", "0s"], /--timeout: expected a time above 0/],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = await run(["verify", ...args]);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});
