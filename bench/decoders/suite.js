// The cases, and how they are measured, in any JavaScript host.

import Blosc from "numcodecs/blosc";
import GZip from "numcodecs/gzip";
import LZ4 from "numcodecs/lz4";
import Zstd from "numcodecs/zstd";
import { loadCodecChain } from "zarr-codecs";
import { quartiles } from "../measure.js";
import { KINDS } from "./samples.js";

const KIB = 1024;
export const SIZES = [64 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB];

const blosc = (cname, shuffle) => ({
  group: `blosc-${cname}`,
  codec: "blosc",
  Codec: Blosc,
  configuration: (typesize) => ({ cname, clevel: 5, shuffle, blocksize: 0, typesize, elementsize: typesize }),
});

/** The ways in which chunks are encoded, by name; a group has a mean of its own. */
export const CASES = {
  ...Object.fromEntries(
    [0, 1, 9, 19].map((level) => [
      `zstd, level ${level}`,
      { group: "zstd", codec: "zstd", Codec: Zstd, configuration: () => ({ level }) },
    ]),
  ),
  "blosc, lz4, shuffle": blosc("lz4", 1),
  "blosc, lz4, bitshuffle": blosc("lz4", 2),
  "blosc, lz4hc, shuffle": { ...blosc("lz4hc", 1), group: "blosc-lz4" },
  "blosc, zstd, shuffle": blosc("zstd", 1),
  "blosc, zstd, bitshuffle": blosc("zstd", 2),
  "blosc, blosclz, shuffle": blosc("blosclz", 1),
  "blosc, zlib, shuffle": blosc("zlib", 1),
  lz4: { group: "lz4", codec: "lz4", Codec: LZ4, configuration: () => ({ acceleration: 1 }) },
  "gzip, level 5": { group: "gzip", codec: "gzip", Codec: GZip, configuration: () => ({ level: 5 }) },
};

/** What must hold of the groups: the geometric mean of all ratios, and each of them. */
export const FLOORS = {
  zstd: { mean: 1.3, each: 0.85 },
  "blosc-lz4": { mean: 3 },
  "blosc-zstd": { mean: 2 },
  lz4: { mean: 3 },
};

const chainOf = (codec, length) =>
  loadCodecChain({ dataType: "uint8", shape: [length], codecs: ["bytes", codec] });

/** The decoders of the host, which chains take where there are any. */
const { process, DecompressionStream } = globalThis;
const getBuiltinModule = process?.getBuiltinModule;

/** Creates a chain on a host without decoders of its own. */
async function builtInChain(codec, length) {
  if (process) process.getBuiltinModule = undefined;
  globalThis.DecompressionStream = undefined;
  try {
    return await chainOf(codec, length);
  } finally {
    if (process) process.getBuiltinModule = getBuiltinModule;
    globalThis.DecompressionStream = DecompressionStream;
  }
}

/** Whether chains take a decoder of the host. */
function isOfHost(codec) {
  if (codec === "zstd") return getBuiltinModule?.("node:zlib").zstdDecompress !== undefined;
  return codec === "gzip";
}

/** How long each function runs before it is timed, and how long a sample takes at least. */
const [WARM_UP, SAMPLE] = [250, 2];

async function time(run, calls) {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) await run();
  return (performance.now() - start) / calls;
}

/** Times functions in turns. Returns the milliseconds of their calls, an array of samples for each. */
async function timeInRounds(runs, rounds) {
  const counts = [];
  for (const run of runs) {
    const end = performance.now() + WARM_UP;
    let milliseconds = Number.POSITIVE_INFINITY;
    while (performance.now() < end) milliseconds = Math.min(milliseconds, await time(run, 3));
    counts.push(Math.max(1, Math.ceil(SAMPLE / Math.max(milliseconds, 0.005))));
  }
  const samples = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, run] of runs.entries()) samples[i].push(await time(run, counts[i]));
  }
  return samples;
}

const isSame = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Measures the cases. Yields `{ name, group, kind, size, compression, gigabytes, ratio, fastest, host }`. */
export async function* runDecoders({ names = Object.keys(CASES), sizes = SIZES, rounds = 11 }) {
  for (const size of sizes) {
    for (const [kind, { typeSize, make }] of Object.entries(KINDS)) {
      const data = make(size);
      for (const name of names) {
        const { group, codec, Codec, configuration } = CASES[name];
        const numcodecs = Codec.fromConfig(configuration(typeSize));
        const encoded = (await numcodecs.encode(data)).slice();
        const ours = await builtInChain(codec, size);
        const runs = [async () => (await ours.decode(encoded)).data, async () => numcodecs.decode(encoded)];
        if (isOfHost(codec)) {
          const host = await chainOf(codec, size);
          runs.push(async () => (await host.decode(encoded)).data);
        }
        for (const run of runs)
          if (!isSame(await run(), data)) throw new Error(`${name}, ${kind}: other bytes`);
        const [own, ...others] = await timeInRounds(runs, rounds);
        const [ratio, host] = others.map(
          (samples) => quartiles(samples.map((sample, i) => sample / own[i])).median,
        );
        // Of the fastest rounds: what remains where other programs disturb most of them.
        const fastest = Math.min(...others[0]) / Math.min(...own);
        const gigabytes = size / quartiles(own).median / 1e6;
        const compression = size / encoded.length;
        yield { name, group, kind, size, compression, gigabytes, ratio, fastest, host };
      }
    }
  }
}

/** Returns the geometric mean and the least of numbers. */
export function summary(numbers) {
  const mean = Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
  return { mean, least: Math.min(...numbers) };
}
