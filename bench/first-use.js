// What a program pays before its first chunk: whole Node processes, from start to end.

import { execFileSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { compare } from "./measure.js";

export const FIRST_USE = {
  name: "first-use",
  title: "A fresh Node process: import and first `decode`",
  inTime: true,
  /** Results, where these are not as many as sizes. */
  steps: 1,
};

/** The scripts in first-use/, by what they do. */
const SCRIPTS = {
  "zarr-codecs": "zarr-codecs.js",
  "an empty script": "empty.js",
  "import of zarrita": "zarrita.js",
  "import of hash-wasm, and its first checksum": "hash-wasm.js",
};

function seconds(script) {
  const path = fileURLToPath(new URL(`first-use/${script}`, import.meta.url));
  const start = performance.now();
  execFileSync(process.execPath, [path], { stdio: "ignore" });
  return (performance.now() - start) / 1000;
}

/** Runs each script once per round; yields undefined after each, and a result in the end, as `runSuite` does. */
export function* runFirstUse(rounds) {
  const samples = Object.keys(SCRIPTS).map(() => []);
  const scripts = Object.values(SCRIPTS).map((script, i) => ({ script, samples: samples[i] }));
  for (const { script } of scripts) seconds(script); // The files are in the system's cache from here on.
  for (let round = 0; round < rounds; round += 1) {
    for (const { script, samples } of round % 2 === 0 ? scripts : scripts.toReversed()) {
      samples.push(seconds(script));
    }
    yield;
  }
  const implementations = compare(samples).map((timing, i) => ({ name: Object.keys(SCRIPTS)[i], ...timing }));
  yield { name: FIRST_USE.name, size: 0, implementations };
}
