// `node bench/shards/main.js`: shards of 64 MiB in 64 or 4096 inner chunks, read through zarrita with and without `withCodecs`.
//
// Fails where a floor does not hold. Options: --rounds 11, --no-floors.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import FileSystemStore from "@zarrita/storage/fs";
import { withCodecs } from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import * as zarrita from "zarrita";
import { ROOT } from "../../scripts/run.mjs";
import { describeHost } from "../host.js";
import { compare } from "../measure.js";
import { createFiles, SOME, writeFiles } from "./array.js";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "11" }, floors: { type: "boolean", default: true } },
  allowNegative: true,
});

/** The least ratio of zarrita's time to ours, for reading the whole array in memory, byte order big. */
const FLOOR = 1.2;

const WARM_UP = 2;
const FOLDER = join(ROOT, "target/bench/shards");

/** A store of bytes in memory. */
class MemoryStore extends Map {
  getRange(key, { offset, length, suffixLength }) {
    const bytes = this.get(key);
    return suffixLength === undefined
      ? bytes?.subarray(offset, offset + length)
      : bytes?.subarray(-suffixLength);
  }
}

/** Counts the requests for a shard and the bytes that they return. */
function counting(store) {
  const counts = { requests: 0, bytes: 0 };
  const count = async (reading) => {
    counts.requests += 1;
    const bytes = await reading;
    counts.bytes += bytes?.byteLength ?? 0;
    return bytes;
  };
  const counted = {
    get: (key, options) =>
      key.endsWith("zarr.json") ? store.get(key, options) : count(store.get(key, options)),
    getRange: (key, range, options) => count(store.getRange(key, range, options)),
  };
  return { counted, counts };
}

/** How an array is opened: ours first. Arrays keep the codecs that they were first read with. */
const READERS = {
  "withCodecs (verified)": { wrap: (store) => withCodecs(store), register: () => () => {} },
  "zarrita (unverified)": { wrap: (store) => store, register: () => () => {} },
  "zarrita, our codecs": { wrap: (store) => store, register: () => register(zarrita.registry) },
};

/** What is read of the array. */
const WORK = {
  whole: async (array) => (await zarrita.get(array)).data,
  "16 inner chunks, one after another": async (array) => {
    let last;
    for (const at of SOME) last = (await array.getChunk(at)).data;
    return last;
  },
};

async function run(store, { wrap, register }, work) {
  const unregister = register();
  try {
    return await work(await zarrita.open.v3(wrap(store), { kind: "array" }));
  } finally {
    unregister();
  }
}

/** Returns the samples of each reader, and what it requested. */
async function measure(store, work) {
  const readers = Object.values(READERS);
  const requested = [];
  const outcomes = [];
  for (const reader of readers) {
    const { counted, counts } = counting(store);
    outcomes.push(await run(counted, reader, work));
    requested.push(counts);
  }
  for (const outcome of outcomes) {
    if (outcome.some((value, i) => value !== outcomes[0][i])) throw new Error("not all read the same");
  }
  const samples = readers.map(() => []);
  for (let round = -WARM_UP; round < Number(values.rounds); round += 1) {
    for (const i of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
      const start = performance.now();
      await run(store, readers[i], work);
      if (round >= 0) samples[i].push((performance.now() - start) / 1000);
    }
  }
  return compare(samples).map((timing, i) => ({ ...timing, ...requested[i] }));
}

/** Serves a folder from another thread. */
async function serve(folder) {
  const worker = new Worker(new URL("server.js", import.meta.url), { workerData: folder });
  const port = await new Promise((resolve) => worker.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, close: () => worker.terminate() };
}

const rows = [];
let whole;
for (const endian of ["big", "little"]) {
  const files = createFiles(endian);
  const folder = join(FOLDER, endian);
  writeFiles(files, folder);
  const server = await serve(folder);
  const stores = {
    memory: new MemoryStore(files),
    files: new FileSystemStore(folder),
    HTTP: new zarrita.FetchStore(server.url, { useSuffixRequest: true }),
  };
  for (const [where, store] of Object.entries(stores)) {
    for (const [what, work] of Object.entries(WORK)) {
      const results = await measure(store, work);
      if (endian === "big" && where === "memory" && what === "whole") whole = results;
      rows.push({ what, where, endian, results });
    }
  }
  await server.close();
  const many = new MemoryStore(createFiles(endian, 4096));
  const results = await measure(many, WORK.whole);
  rows.push({ what: "whole, of 4096 inner chunks", where: "memory", endian, results });
}

const number = (value) => value.toPrecision(3);
const cell = ({ seconds, ratio, requests, bytes }) =>
  `${ratio ? number(ratio.median) : `${number(seconds.median * 1000)} ms`} | ${requests} | ${number(bytes / 2 ** 20)}`;
const names = Object.keys(READERS);
const columns = ["what", "store", "byte order", ...names.flatMap((name) => [name, "requests", "MiB"])];
console.log(`| ${columns.join(" | ")} |\n|${columns.map((_, i) => (i < 3 ? " --- |" : " --: |")).join("")}`);
for (const { what, where, endian, results } of rows) {
  console.log(`| ${what} | ${where} | ${endian} | ${results.map(cell).join(" | ")} |`);
}
console.log(`\n${describeHost(`Node ${process.version}`)}. First: ours. Others: their time / ours.`);

const problems = rows.flatMap(({ what, where, results: [ours, alone] }) =>
  ours.requests > alone.requests
    ? [`${what}, ${where}: ${ours.requests} requests, zarrita ${alone.requests}`]
    : [],
);
if (whole[1].ratio.median < FLOOR)
  problems.push(`whole, memory: ${whole[1].ratio.median}, expected ${FLOOR}`);
for (const problem of values.floors ? problems : []) {
  console.error(problem);
  process.exitCode = 1;
}
