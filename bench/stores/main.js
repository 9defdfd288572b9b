// `npm run bench:stores`: arrays of 64 MiB, read by clients with `withCodecs(store)` and without, in turns, in processor time.
//
// Fails where a floor does not hold, or where more is requested than by the client alone.
// Options: --rounds 15, --only TEXT (part of a case's name), --no-floors.

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadOmeZarrFromStore } from "@vivjs/loaders";
import FileSystemStore from "@zarrita/storage/fs";
import { withCodecs } from "zarr-codecs";
import * as zarrita from "zarrita";
import { ROOT } from "../../scripts/run.mjs";
import { describeHost } from "../host.js";
import { compare } from "../measure.js";
import { ARRAYS, createFiles, imageOf, SOME, writeFiles } from "./arrays.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "15" },
    only: { type: "string", default: "" },
    floors: { type: "boolean", default: true },
  },
  allowNegative: true,
});

const WARM_UP = 3;
const FOLDER = join(ROOT, "target/bench/stores");

/** A store of bytes in memory. */
class MemoryStore extends Map {
  /** Moves all files to new memory: what was verified there once is not verified again. */
  renew() {
    for (const [key, bytes] of this) this.set(key, bytes.slice());
  }

  getRange(key, { offset, length, suffixLength }) {
    const bytes = this.get(key);
    return suffixLength === undefined
      ? bytes?.subarray(offset, offset + length)
      : bytes?.subarray(-suffixLength);
  }
}

/** Starts a server of a folder. */
async function serve(folder) {
  const server = fork(new URL("server.js", import.meta.url), [folder]);
  const [port] = await once(server, "message");
  return { url: `http://127.0.0.1:${port}`, close: () => server.disconnect() };
}

/** Where files are read from. */
const STORES = {
  memory: async (files) => ({ store: new MemoryStore(files), close() {} }),
  files: async (_, folder) => ({ store: new FileSystemStore(folder), close() {} }),
  HTTP: async (_, folder) => {
    const { url, close } = await serve(folder);
    return { store: new zarrita.FetchStore(url, { useSuffixRequest: true }), close };
  },
};

/** Each opens an array, and returns a function that reads it: arrays in the order of the elements. */
const CLIENTS = {
  async zarrita(store) {
    const array = await zarrita.open.v3(store, { kind: "array" });
    return async () => [(await zarrita.get(array)).data];
  },
  async "zarrita, 16 chunks one after another"(store) {
    const array = await zarrita.open.v3(store, { kind: "array" });
    return async () => {
      const chunks = [];
      for (const at of SOME) chunks.push((await array.getChunk(at)).data);
      return chunks;
    };
  },
  async viv(store) {
    const { data } = await loadOmeZarrFromStore(store);
    const plane = async (z) => (await data[0].getRaster({ selection: { t: 0, c: 0, z } })).data;
    return () => Promise.all(Array.from({ length: 64 }, (_, z) => plane(z)));
  },
};

/** Each with the least ratio of the client's own time to the time with `withCodecs`. */
const CASES = [
  { client: "zarrita", where: "memory", array: "little endian", floor: 0.95 },
  { client: "zarrita", where: "memory", array: "little endian, crc32c", floor: 0.85 },
  { client: "viv", where: "memory", array: "little endian, crc32c", floor: 0.8 },
  { client: "zarrita", where: "memory", array: "big endian, crc32c", floor: 1.5 },
  { client: "zarrita", where: "memory", array: "zstd", floor: 0.95 },
  { client: "zarrita", where: "memory", array: "4096 inner chunks, little endian, crc32c", floor: 0.75 },
  { client: "zarrita", where: "HTTP", array: "4096 inner chunks, little endian, crc32c", floor: 2.1 },
  { client: "zarrita", where: "HTTP", array: "little endian, crc32c", floor: 0.9 },
  { client: "zarrita", where: "memory", array: "64 inner chunks, little endian, crc32c" },
  { client: "zarrita", where: "memory", array: "64 inner chunks, big endian, crc32c", floor: 1.2 },
  { client: "zarrita", where: "files", array: "64 inner chunks, big endian, crc32c" },
  { client: "zarrita", where: "HTTP", array: "64 inner chunks, big endian, crc32c" },
  {
    client: "zarrita, 16 chunks one after another",
    where: "HTTP",
    array: "64 inner chunks, big endian, crc32c",
  },
];

/** Counts the requests for chunks and the bytes that they return. */
function counting(store) {
  const counts = { requests: 0, bytes: 0 };
  const count = async (reading) => {
    const bytes = await reading;
    if (bytes) counts.requests += 1;
    counts.bytes += bytes?.byteLength ?? 0;
    return bytes;
  };
  const counted = {
    get: (key, options) => (/\/z[^/]*$/.test(key) ? store.get(key, options) : count(store.get(key, options))),
    getRange: (key, range, options) => count(store.getRange(key, range, options)),
  };
  return { counted, counts };
}

/** Ours first. */
const WRAP = [(store) => withCodecs(store, { codecs: zarrita.registry }), (store) => store];

/** The processor time of reading an array, and of collecting what that leaves: else the next one would pay for it. */
async function seconds(read) {
  collect();
  const start = process.cpuUsage();
  await read();
  collect();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Twice, because memory is given back on another thread, and the second collection waits until that is done. */
function collect() {
  globalThis.gc();
  globalThis.gc();
}

/** Returns the samples with `withCodecs` and without, and what was requested. */
async function measure(store, client) {
  const counts = [];
  const outcomes = [];
  const readers = [];
  for (const wrap of WRAP) {
    const counter = counting(store);
    outcomes.push(await (await client(wrap(counter.counted)))());
    counts.push(counter.counts);
    readers.push(await client(wrap(store)));
  }
  const [ours, alone] = outcomes;
  const isEqual = ours.every((data, i) => data.every((value, j) => value === alone[i][j]));
  if (!isEqual) throw new Error("not both read the same");
  const samples = WRAP.map(() => []);
  for (let round = -WARM_UP; round < Number(values.rounds); round += 1) {
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
      store.renew?.();
      const sample = await seconds(readers[i]);
      if (round >= 0) samples[i].push(sample);
    }
  }
  return compare(samples).map((timing, i) => ({ ...timing, ...counts[i] }));
}

const problems = [];
const number = (value) => value.toPrecision(3);
console.log("| client | store | array | alone | with `withCodecs` | ratio | floor | requests |");
console.log("| --- | --- | --- | --: | --: | --: | --: | --: |");
for (const { client, where, array, floor } of CASES) {
  const name = [client, where, array].join(", ");
  if (!name.includes(values.only)) continue;
  const plain = await createFiles(ARRAYS[array]);
  const files = client === "viv" ? imageOf(plain) : plain;
  const folder = join(FOLDER, array.replaceAll(/\W+/g, "-"));
  writeFiles(plain, folder);
  const { store, close } = await STORES[where](files, folder);
  const [ours, alone] = await measure(store, CLIENTS[client]);
  close();
  const { median, q1, q3 } = alone.ratio;
  const milliseconds = ({ seconds: { median: time } }) => `${number(time * 1000)} ms`;
  const ratio = `${number(median)} (${number(q1)} to ${number(q3)})`;
  const requests = `${ours.requests} (${alone.requests})`;
  const cells = [client, where, array, milliseconds(alone), milliseconds(ours), ratio, floor ?? "", requests];
  console.log(`| ${cells.join(" | ")} |`);
  if (median < floor) problems.push(`${name}: ${number(median)}, expected ${floor}`);
  if (ours.requests > alone.requests)
    problems.push(`${name}: ${ours.requests} requests, alone ${alone.requests}`);
}
console.log(`\n${describeHost(`Node ${process.version}`)}. Processor time, the client's alone / ours.`);
for (const problem of values.floors ? problems : []) {
  console.error(problem);
  process.exitCode = 1;
}
