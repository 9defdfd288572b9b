// Runs for long and watches the memory: `npm run test:all -- endurance`, a tenth of it. Started with --expose-gc.

import assert from "node:assert/strict";
import { freemem } from "node:os";
import { parseArgs } from "node:util";

// Records the module's memory when the package instantiates it.
let memory;
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(...args) {
    const instance = Reflect.construct(...args);
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    return instance;
  },
});

const { ChecksumMismatchError, crc32cCombine, crc32c, createCodecChain, openShard } = await import(
  "zarr-codecs"
);

const MIB = 2 ** 20;
const SAMPLES = 20;
/** How much more memory may be in use in the last quarter of a run than in the second: noise of the collector and the host. */
const TOLERANCE = { heap: 0.5 * MIB, rss: 16 * MIB, wasm: 0 };

const { scale } = parseArgs({ options: { scale: { type: "string", default: "1" } } }).values;

function sample() {
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss, wasm: memory?.buffer.byteLength ?? 0 };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Calls `f` often, and checks that no memory grows. */
async function run(name, times, f) {
  const count = Math.max(SAMPLES, Math.round((times * Number(scale)) / SAMPLES) * SAMPLES);
  const samples = [];
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    await f(i);
    if ((i + 1) % (count / SAMPLES) === 0) samples.push(sample());
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const quarter = SAMPLES / 4;
  const columns = Object.entries(TOLERANCE).map(([kind, tolerance]) => {
    const of = (from) => median(samples.slice(from, from + quarter).map((sample) => sample[kind]));
    const [before, after] = [of(quarter), of(3 * quarter)];
    assert.ok(
      after - before <= tolerance,
      `${name}: ${kind} grew from ${before} to ${after} bytes: ${samples.map((sample) => sample[kind])}`,
    );
    return `${kind} ${(before / MIB).toFixed(2)} -> ${(after / MIB).toFixed(2)} MiB`;
  });
  console.log(`${count} ${name}, ${seconds} s: ${columns.join(", ")}`);
}

/** Calls `f` in batches, because awaiting each call would take longer than the calls. */
const batches = (name, times, size, f) =>
  run(`times ${size} ${name}`, times / size, () => {
    for (let i = 0; i < size; i++) f(i);
  });

const metadata = (length, more = {}) => ({
  dataType: "float32",
  shape: [length],
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, "crc32c"],
  ...more,
});
const chain = createCodecChain(metadata(64));
const encoded = chain.encode(new Float32Array(64).fill(1.5));
const damaged = encoded.slice();
damaged[7] ^= 32;
damaged[9] ^= 64;

function expectMismatch(f) {
  assert.throws(f, ChecksumMismatchError);
}

await batches("small decodes", 10_000_000, 1000, () => chain.decode(encoded));
await batches("small encodes", 1_000_000, 1000, () => chain.encode(new Float32Array(64)));
await batches("failing decodes", 10_000, 10, () => expectMismatch(() => chain.decode(damaged)));
await batches("chains", 100_000, 100, (i) => createCodecChain(metadata(1 + i)));
await batches("rejected metadata", 100_000, 100, (i) => {
  assert.throws(() => createCodecChain(metadata(0, { attributes: i })));
});
{
  const long = createCodecChain(metadata(1_000_000));
  const chunk = long.encode(new Float32Array(1_000_000));
  await run("decodes of 4 MB", 2000, () => long.decode(chunk));
  chunk[5] ^= 1;
  await run("failing decodes of 4 MB, with a flipped bit", 2000, () =>
    expectMismatch(() => long.decode(chunk)),
  );
}

{
  const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }, "crc32c"];
  const configuration = { chunk_shape: [16, 16], codecs: metadata(1).codecs, index_codecs };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const chain = createCodecChain(metadata(1, { shape: [256, 256], codecs, fillValue: 0 }));
  const array = Float32Array.from({ length: 256 * 256 }, (_, i) => (i & 16 ? 0 : i)); // Every other inner chunk is missing.
  const shard = chain.encode(array);
  const source = async ({ offset = shard.length, length, suffixLength = 0 }) => {
    const start = offset - suffixLength;
    return shard.slice(start, start + (length ?? suffixLength));
  };
  await run("shards, opened, decoded in part and whole, and encoded", 10_000, async (i) => {
    const opened = await openShard(chain, source);
    const places = [i % 16, (i + 5) % 16].map((row) => [row, 2 * (i % 8)]);
    const chunks = await Promise.all(places.map((place) => opened.decode(place)));
    assert.ok(chunks.every(({ data }, n) => data[1] === array[places[n][0] * 4096 + places[n][1] * 16 + 1]));
    assert.equal(await opened.decode([0, 1]), undefined);
    const whole = chain.decode(shard);
    assert.equal(chain.encode(whole).length, shard.length);
  });
  const wrong = shard.slice();
  wrong[7] ^= 32;
  await run("failing shards", 10_000, async () => {
    expectMismatch(() => chain.decode(wrong));
    const opened = await openShard(chain, wrong);
    await assert.rejects(opened.decode([0, 0]), ChecksumMismatchError);
  });
}

/** Decodes a chunk of single bytes that is too long for most integers: right, and with its last byte changed. */
async function large(length) {
  const name = `a chunk of ${(length / 2 ** 30).toFixed(3)} GiB`;
  if (freemem() < 1.2 * length) {
    console.log(`${name}: skipped, ${(freemem() / 2 ** 30).toFixed(1)} GiB are free`);
    return;
  }
  const start = performance.now();
  const payload = length - 4;
  const bytes = new Uint8Array(length);
  bytes[payload - 1] = 77;
  // The checksum of the zeros from that of a MiB, by another way than that of decoding.
  let zeros = 0;
  for (let done = 0, piece = new Uint8Array(MIB), crc = crc32c(piece); done < payload - 1; ) {
    const size = Math.min(MIB, payload - 1 - done);
    zeros = crc32cCombine(zeros, size === MIB ? crc : crc32c(piece.subarray(0, size)), size);
    done += size;
  }
  new DataView(bytes.buffer).setUint32(payload, crc32c(Uint8Array.of(77), zeros), true);
  const chain = createCodecChain({ dataType: "uint8", shape: [payload], codecs: ["bytes", "crc32c"] });
  const { data } = chain.decode(bytes);
  assert.deepEqual([data.length, data[payload - 1]], [payload, 77]);
  bytes[payload - 1] ^= 2;
  expectMismatch(() => chain.decode(bytes));
  assert.ok(memory.buffer.byteLength <= MIB);
  console.log(`${name}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

for (const length of [2 ** 30, 2 ** 31, 2 ** 32 - 2 ** 16]) {
  if (Number(scale) >= 1 || length === 2 ** 30) await large(length);
}
