// What a viewer waits for: an array of 64 chunks read through zarrita, with its own codecs and with ours.

import { createCodecChain } from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import * as zarrita from "zarrita";
import { compare } from "./measure.js";
import { floats } from "./samples.js";
import { OURS } from "./shared.js";

const CHUNKS = 64;
const CHUNK_SIZES = [16 << 10, 64 << 10, 256 << 10];
/** Reads per sample, and samples that are not counted before: until then the code has been compiled for good. */
const READS = 5;
const WARM_UP = 10;

export const THROUGH_ZARRITA = {
  name: "zarrita-get",
  title: `\`zarrita.get\` of ${CHUNKS} chunks, \`[bytes big, crc32c]\`, in memory`,
  steps: CHUNK_SIZES.length,
};

/** Registers codecs for a while; gives the function that restores zarrita's. */
const REGISTER = {
  [OURS]: () => register(zarrita.registry),
  "zarrita (unverified)": () => () => {},
};

/** A store with one array of `CHUNKS` chunks of float32. */
function createStore(chunkSize) {
  const codecs = [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }];
  const shape = [chunkSize / 4];
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [CHUNKS * shape[0]],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs,
  };
  const chunk = createCodecChain({ dataType: "float32", shape, codecs }).encode(
    floats(Float32Array, chunkSize),
  );
  return new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
    ...Array.from({ length: CHUNKS }, (_, i) => [`/c/${i}`, chunk]),
  ]);
}

/** Opened anew, as an array keeps the codecs that it was first read with. */
async function read(store) {
  return zarrita.get(await zarrita.open.v3(store, { kind: "array" }));
}

async function seconds(store, registerCodecs) {
  const restore = registerCodecs();
  await read(store); // Codecs are loaded from here on, and the memory of the last round is known.
  const start = performance.now();
  for (let i = 0; i < READS; i += 1) await read(store);
  const elapsed = performance.now() - start;
  restore();
  return elapsed / 1000 / READS;
}

async function expectAgreement(store) {
  const outcomes = [];
  for (const registerCodecs of Object.values(REGISTER)) {
    const restore = registerCodecs();
    outcomes.push((await read(store)).data);
    restore();
  }
  const [ours, others] = outcomes;
  if (ours.some((value, i) => value !== others[i])) throw new Error("zarrita reads something else with ours");
}

/** Reads with either set of codecs in each round; yields undefined after each, and a result per size, as `runSuite` does. */
export async function* runThroughZarrita(rounds) {
  const names = Object.keys(REGISTER);
  for (const chunkSize of CHUNK_SIZES) {
    const store = createStore(chunkSize);
    await expectAgreement(store);
    const samples = names.map(() => []);
    for (let round = -WARM_UP; round < rounds; round += 1) {
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const sample = await seconds(store, REGISTER[names[i]]);
        if (round >= 0) samples[i].push(sample);
      }
      if (round >= 0) yield;
    }
    const implementations = compare(samples).map((timing, i) => ({ name: names[i], ...timing }));
    yield { name: THROUGH_ZARRITA.name, size: CHUNKS * chunkSize, implementations };
  }
}
