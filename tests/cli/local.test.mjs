// Folders with links, disks that are not reliable, zip files, and that nothing is ever written into a store.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { find } from "../../scripts/setup/steps.mjs";
import {
  CHECKED,
  COMMAND,
  filesOf,
  manyChunks,
  parseReport,
  readArrays,
  run,
  short,
  temporary,
  verify,
  writeFiles,
} from "./helpers.mjs";

const isLinux = process.platform === "linux";

const SMALL = [
  ["zarr.json", Buffer.from(JSON.stringify(manyChunks(40)))],
  ...Array.from({ length: 40 }, (_, i) => [`c/${i}`, CHECKED]),
];

/** Every path below a folder with what changes when it is written to, or its folder. */
function stateOf(folder) {
  return readdirSync(folder, { recursive: true })
    .sort()
    .map((path) => {
      const { mtimeMs, ctimeMs, size, mode } = statSync(join(folder, path));
      return `${path} ${mtimeMs} ${ctimeMs} ${size} ${mode}`;
    });
}

/** Runs the command on a store with a chunk that is too short and one that is longer than the first buffer. */
function expectTwoDamaged(t, run) {
  const store = writeFiles(join(temporary(t), "store"), SMALL);
  writeFileSync(join(store, "c/5"), CHECKED.subarray(1));
  writeFileSync(join(store, "c/7"), Buffer.alloc(3_000_000));
  const { stdout, stderr } = run([COMMAND, "verify", store, "--workers", "2", "--jsonl", "-"]);
  const { results, summary } = parseReport(stdout);
  const damaged = results.map(short).sort();
  assert.deepEqual(damaged, ["c/5 damaged none chunk_length", "c/7 damaged none chunk_length"], stderr);
  assert.equal(summary.states.sound, 38);
}

test("values that are longer than the first buffer", (t) => {
  expectTwoDamaged(t, (args) => spawnSync(process.execPath, args, { encoding: "utf8" }));
});

test("hosts that do not compile WebAssembly", (t) => {
  expectTwoDamaged(t, (args) => spawnSync(process.execPath, ["--jitless", ...args], { encoding: "utf8" }));
});

// Memory of WebAssembly reserves 8 GiB and more, which then fails for the module, for the buffer, or for both.
test("limited address space", { skip: !isLinux }, (t) => {
  for (const gigabytes of [18, 22, 26, 30]) {
    const script = `ulimit -v ${gigabytes}000000; exec "$0" "$@"`;
    expectTwoDamaged(t, (args) =>
      spawnSync("sh", ["-c", script, process.execPath, ...args], { encoding: "utf8" }),
    );
  }
});

test("nothing is written into the store", async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, "store"), SMALL);
  writeFileSync(join(store, "c/5"), CHECKED.subarray(1));
  const before = stateOf(store);
  for (const args of [
    ["--all"],
    ["--workers", "3", "--junit", join(folder, "junit.xml")],
    ["--resume", join(folder, "report.jsonl")],
  ]) {
    const { status } = await verify(store, args, { cwd: store });
    assert.equal(status, 1);
  }
  await run(["inspect", store], { cwd: store });
  assert.deepEqual(stateOf(store), before);
});

test("symbolic links: loops end, and arrays behind links are verified", {
  skip: !isLinux && "links",
}, async (t) => {
  const folder = temporary(t);
  writeFiles(join(folder, "elsewhere"), SMALL);
  const store = writeFiles(join(folder, "store"), filesOf([]));
  symlinkSync("../elsewhere", join(store, "linked"));
  symlinkSync(".", join(store, "self"));
  symlinkSync("..", join(store, "up"));
  symlinkSync("nowhere", join(store, "broken"));
  mkdirSync(join(store, "a/b"), { recursive: true });
  symlinkSync("../../a", join(store, "a/b/a"));
  const { status, results, summary } = await verify(store, ["--workers", "1"]);
  assert.deepEqual(results.map(short), []);
  assert.deepEqual([status, summary.proofs.checksum], [0, 40]);
});

test("a flipped bit in each shard of a folder is damage, also when read again among other reads", async (t) => {
  const store = join(temporary(t), "cells.ome.zarr");
  cpSync(fileURLToPath(new URL("../../www/data/cells.ome.zarr", import.meta.url)), store, {
    recursive: true,
  });
  const shards = readdirSync(store, { recursive: true }).filter((path) =>
    /^0\/c\/\d\/\d\/\d\/\d$/.test(path),
  );
  assert.equal(shards.length, 12);
  for (const path of shards) {
    const bytes = readFileSync(join(store, path));
    bytes[100] ^= 16;
    writeFileSync(join(store, path), bytes);
  }
  const { status, results, summary } = await verify(store, ["--workers", "1"]);
  assert.deepEqual([status, summary.states.damaged, summary.transient], [1, 12, 0]);
  assert.ok(results.every(({ state, inner }) => state === "damaged" && inner.length === 4));
});

/** Reads of c/11 return another first byte, so many times. */
const UNRELIABLE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int left = -1;
ssize_t read(int file, void *buffer, size_t length) {
  static ssize_t (*real)(int, void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "read");
  ssize_t count = real(file, buffer, length);
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t end = readlink(link, path, sizeof path - 1);
  if (left < 0) left = atoi(getenv("WRONG_READS"));
  if (count > 0 && end > 5 && !strncmp(path + end - 5, "/c/11", 5) && left > 0) {
    left--;
    *(char *)buffer ^= 1;
  }
  return count;
}`;

test("a disk that returns other bytes at the second read", {
  skip: !(isLinux && find("cc")) && "needs cc",
}, async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, "store"), SMALL);
  const library = join(folder, "unreliable.so");
  writeFileSync(join(folder, "unreliable.c"), UNRELIABLE);
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, join(folder, "unreliable.c"), "-ldl"]);
  const env = (reads) => ({ env: { LD_PRELOAD: library, WRONG_READS: reads } });
  const once = await verify(store, ["--workers", "1"], env("1"));
  assert.deepEqual([once.status, once.summary.transient], [0, 1]);
  assert.deepEqual(once.results.map(short), ["c/11 sound checksum checksum_mismatch"]);
  assert.match(once.stderr, /SOUND, but 1 read went wrong at first/);
  const always = await verify(store, ["--workers", "1"], env("1000"));
  assert.equal(always.status, 1);
  assert.deepEqual(always.results.map(short), ["c/11 damaged none checksum_mismatch"]);
});

test("zip files: the CRC-32 of entries proves chunks of any codec, stored and deflated", async (t) => {
  const folder = temporary(t);
  const arrays = readArrays("chains", "zarr-python").filter(({ name }) =>
    ["zstd-3", "blosc-lz4-shuffle-float32"].includes(name),
  );
  const files = Object.fromEntries(filesOf(arrays));
  const chunks = arrays.flatMap((array) => array.chunks).length;
  for (const level of [0, 6]) {
    const path = join(folder, `level-${level}.ozx`);
    const bytes = Buffer.from(zipSync(files, { level }));
    writeFileSync(path, bytes);
    const sound = await verify(path);
    assert.deepEqual(
      [sound.status, sound.summary.proofs.checksum, sound.summary.units],
      [0, chunks, chunks],
      `level ${level}`,
    );
    // Changes the last byte of a chunk, in front of the next local header.
    const key = `${arrays[0].name}/${arrays[0].chunks[0].key}`;
    const data = bytes.indexOf(key) + key.length;
    bytes[bytes.indexOf("PK\x03\x04", data, "latin1") - 1] ^= 1;
    writeFileSync(path, bytes);
    const damaged = await verify(path, ["--workers", "1"]);
    assert.equal(damaged.status, 1);
    assert.deepEqual(
      damaged.results.map(({ key, state }) => `${key} ${state}`),
      [`${key} damaged`],
    );
  }
  writeFileSync(join(folder, "cut.zip"), Buffer.from(zipSync(files)).subarray(0, -30));
  const cut = await run(["verify", join(folder, "cut.zip")]);
  assert.equal(cut.status, 2);
  assert.match(cut.stderr, /is not a zip file that can be read/);
});

test("zip files: metadata that cannot be inflated are damaged, and all other arrays are verified", async (t) => {
  const [lost, other] = readArrays("chains", "zarr-python");
  const bytes = Buffer.from(zipSync(Object.fromEntries(filesOf([lost, other])), { level: 6 }));
  const key = `${lost.name}/zarr.json`;
  const data = bytes.indexOf(key) + key.length;
  bytes.fill(0xff, data, bytes.indexOf("PK\x03\x04", data, "latin1"));
  const path = join(temporary(t), "store.zip");
  writeFileSync(path, bytes);
  const { status, results, summary } = await verify(path);
  assert.equal(status, 1);
  assert.deepEqual(
    results.map(({ key, state, error }) => [key, state, error.code]),
    [[key, "damaged", "external_codec"]],
  );
  assert.equal(summary.states.sound, other.chunks.length);
  const { stdout } = await run(["inspect", path]);
  assert.match(stdout, new RegExp(`${key} cannot be read: .* cannot be inflated`));
  assert.match(stdout, new RegExp(`^${other.name}$`, "m"));
});

test("JUnit: a failure for each damaged unit, in well-formed XML", async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, 'a "<store>" & more'), SMALL);
  writeFileSync(join(store, "c/5"), CHECKED.subarray(1));
  const junit = join(folder, "junit.xml");
  const { status } = await run(["verify", store, "--junit", junit, "--quiet"]);
  assert.equal(status, 1);
  const program =
    "import sys, xml.etree.ElementTree as x; s = x.parse(sys.argv[1]).getroot(); print(s.attrib['failures'], [f.attrib['type'] for f in s.iter('failure')], [c.attrib['name'] for c in s.iter('testcase')])";
  const { stdout, stderr } = spawnSync("python3", ["-c", program, junit], { encoding: "utf8" });
  assert.equal(stdout.trim(), "2 ['damaged', 'chunk_length'] ['all chunks', 'c/5']", stderr);
});

test("inspect shows chains and what each codec notices", async (t) => {
  const [array] = readArrays("shards", "zarr-python");
  const store = writeFiles(temporary(t), filesOf([array]));
  const { status, stdout } = await run(["inspect", store, array.name]);
  assert.equal(status, 0);
  assert.match(stdout, /uint16 \[4, 4, 6\]/);
  assert.match(stdout, /sharding_indexed .*: notices every change of its index/);
  assert.match(stdout, /inner: bytes \(endian little\): notices a wrong length/);
  const strings = { ...array.metadata, data_type: "string", codecs: [{ name: "vlen-utf8" }] };
  writeFileSync(join(store, array.name, "zarr.json"), JSON.stringify(strings));
  assert.match(
    (await run(["inspect", store])).stdout,
    /unknown {3}data type string, so chunks are verified only/,
  );
  const wrong = { ...array.metadata, codecs: [{ name: "bytes", configuration: { endian: "middle" } }] };
  writeFileSync(join(store, array.name, "zarr.json"), JSON.stringify(wrong));
  assert.match((await run(["inspect", store])).stdout, /invalid {3}codecs\[0\]\.configuration\.endian: exp/);
  const none = await run(["inspect", store, "other"]);
  assert.deepEqual([none.status, /found no other\/zarr\.json/.test(none.stderr)], [2, true]);
});

test("inspect reads grids whose chunks differ", async (t) => {
  const [array] = readArrays("chains", "zarr-python-rectilinear");
  const store = writeFiles(temporary(t), filesOf([array]));
  const { status, stdout } = await run(["inspect", store, array.name]);
  assert.equal(status, 0);
  assert.match(stdout, /chunks {4}rectilinear, the first \[2, 4\], 9 of them/);
  assert.match(stdout, /the first 32 bytes decoded, 36 bytes encoded/);
  const chunk_grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[2], 4] } };
  writeFileSync(join(store, array.name, "zarr.json"), JSON.stringify({ ...array.metadata, chunk_grid }));
  assert.match(
    (await run(["inspect", store])).stdout,
    /chunks {4}rectilinear\n.*\n {2}invalid {3}chunk_grid/,
  );
});

test("inspect shows the shape of chunks of an array without elements", async (t) => {
  const [array] = readArrays("chains", "zarr-python-rectilinear");
  const chunk_grid = { name: "regular", configuration: { chunk_shape: [2, 4] } };
  const metadata = { ...array.metadata, shape: [0, 8], chunk_grid };
  const store = writeFiles(temporary(t), filesOf([{ ...array, metadata, chunks: [] }]));
  const { status, stdout } = await run(["inspect", store, array.name]);
  assert.equal(status, 0);
  assert.match(stdout, /chunks {4}\[2, 4\], 0 of them/);
});
