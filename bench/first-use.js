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

const SCRIPTS = {
  "zarr-codecs": `
    import { createCodecChain } from "zarr-codecs";
    const codecs = [{ name: "bytes", configuration: { endian: "big" } }];
    createCodecChain({ dataType: "uint16", shape: [2], codecs }).decode(new Uint8Array(4));`,
  "an empty script": "",
  "import of zarrita": `import "zarrita";`,
  "import of hash-wasm, and its first checksum": `
    import { createCRC32 } from "hash-wasm";
    (await createCRC32(0x82f63b78)).init().update(new Uint8Array(4)).digest("binary");`,
};

/** Where the scripts find their packages. */
const FOLDER = fileURLToPath(new URL(".", import.meta.url));

function seconds(script) {
  const start = performance.now();
  execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: FOLDER, stdio: "ignore" });
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
