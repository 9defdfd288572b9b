// Hostile hosts and callers, as functions that run in Node and in a page: each throws where the package fails. After each, the
// next call must be right.

import * as zarr from "zarr-codecs";

const { createCodecChain, crc32c, isZarrCodecError, loadCodecChain, repairFlippedBit } = zarr;

class Failure extends Error {}

function expect(condition, what) {
  if (!condition) throw new Failure(what);
}

const metadata = (length, checksums = 1) => ({
  dataType: "uint16",
  shape: [length],
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, ...Array(checksums).fill("crc32c")],
});

const numbers = (length) => Uint16Array.from({ length }, (_, i) => i * 7);

/** Asserts that a chunk and its checksum are right: 1 and 2, and the CRC-32C of a bit-by-bit loop. */
export function expectWorks() {
  const encoded = createCodecChain(metadata(2)).encode(Uint16Array.of(1, 2));
  let crc = ~0;
  for (const byte of [0, 1, 0, 2]) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  expect(new DataView(encoded.buffer).getUint32(4, true) === ~crc >>> 0, "the checksum is right");
  expect(String(createCodecChain(metadata(2)).decode(encoded).data) === "1,2", "the chunk is right");
}

/** Returns what `f` returns, or the error of this package that it throws. */
function outcomeOf(f) {
  try {
    return f();
  } catch (error) {
    if (isZarrCodecError(error)) return error;
    throw error;
  }
}

/**
 * Memory that another thread writes during calls. `startWriter(buffer)` starts the thread and returns a function that ends it.
 */
export async function sharedMemoryThatChanges({ startWriter, milliseconds }) {
  for (const length of [5, 1000, 300_000]) {
    const chain = createCodecChain(metadata(length));
    const encoded = chain.encode(numbers(length));
    const shared = new Uint8Array(new SharedArrayBuffer(encoded.length));
    const out = new Uint16Array(new SharedArrayBuffer(2 * length));
    shared.set(encoded);
    const stop = await startWriter(shared.buffer);
    const codes = new Set();
    const end = Date.now() + milliseconds;
    let calls = 0;
    while (Date.now() < end || calls < 20) {
      for (const call of [
        () => chain.decode(shared),
        () => chain.decode(shared, { copy: true }),
        () => chain.decode(shared, { out }),
        () => chain.encode(new Uint16Array(shared.buffer, 0, length)),
        () => crc32c(shared),
        () => zarr.decode(shared, { ...metadata(length), dataType: "int16" }, { inPlace: true }),
      ]) {
        const outcome = outcomeOf(call);
        codes.add(outcome?.code);
        if (outcome?.diagnosis?.code === "flipped_bit") outcomeOf(() => repairFlippedBit(shared, outcome));
        calls += 1;
      }
    }
    await stop();
    expect(codes.has("checksum_mismatch"), `no damage was seen in ${calls} calls`);
    for (const code of codes) expect([undefined, "checksum_mismatch"].includes(code), `the error ${code}`);
    expectWorks();
  }
}

/** Members that scripts add to the prototypes of everything. */
export async function pollutedPrototypes() {
  const added = {
    ...{ verify: false, out: 1, copy: true, inPlace: true, strided: 1, float16: 2, invalidBool: 3 },
    ...{ missingEndian: 4, chunkShape: 5, endian: "little", configuration: 6, must_understand: false },
    ...{
      shape: 7,
      stride: 8,
      data: 9,
      next: {},
      permutation: [],
      diagnosis: { code: "flipped_bit" },
      cause: 10,
    },
    ...{ 0: "polluted", name: 11, code: "invalid_metadata", get: undefined, operation: 12 },
  };
  const chain = createCodecChain(metadata(3));
  const right = chain.encode(numbers(3));
  const wrong = right.slice();
  wrong[1] ^= 1;
  const twice = wrong.slice();
  twice[3] ^= 64;
  try {
    for (const [name, value] of Object.entries(added)) {
      for (const prototype of [Object.prototype, Array.prototype, Function.prototype]) {
        if (Object.hasOwn(prototype, name)) continue;
        Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
        try {
          const fresh = createCodecChain(metadata(3), {});
          expect(String(fresh.decode(right, {}).data) === "0,7,14", `${name}: decodes`);
          expect(String(chain.encode(numbers(3), {})) === String(right), `${name}: encodes`);
          const error = outcomeOf(() => chain.decode(wrong, {}));
          expect(error.code === "checksum_mismatch", `${name}: notices damage`);
          expect(String(repairFlippedBit(wrong, error)) === String(right), `${name}: repairs`);
          const other = outcomeOf(() => fresh.decode(twice));
          expect(other.diagnosis === undefined, `${name}: no diagnosis, got ${other.diagnosis?.code}`);
          const without = { dataType: "int16", shape: [1], codecs: ["bytes"] };
          const invalid = outcomeOf(() => createCodecChain(without));
          expect(invalid.path === "codecs[0].configuration.endian", `${name}: not taken for metadata`);
        } finally {
          delete prototype[name];
        }
      }
    }
  } finally {
    for (const name of Object.keys(added)) delete Object.prototype[name];
  }
  expectWorks();
}

/** Calls with every amount of stack that is left. */
export async function littleStack() {
  const chain = createCodecChain(metadata(3));
  const long = createCodecChain(metadata(200_000));
  const encoded = chain.encode(numbers(3));
  const longEncoded = long.encode(numbers(200_000));
  const damaged = encoded.slice();
  damaged[0] ^= 3;
  const calls = [
    () => expect(String(chain.decode(encoded).data) === "0,7,14", "decodes"),
    () => expect(chain.encode(numbers(3)).length === 10, "encodes"),
    () => expect(long.decode(longEncoded).data[9] === 63, "decodes a long chunk"),
    () => expect(outcomeOf(() => chain.decode(damaged)).code === "checksum_mismatch", "notices damage"),
    () =>
      expect(outcomeOf(() => chain.decode(damaged.subarray(1))).code === "chunk_length", "notices lengths"),
    () => expect(createCodecChain(metadata(5)).encodedByteLength === 14, "resolves"),
    () => expect(crc32c(encoded) === crc32c(encoded.slice()), "computes checksums"),
  ];
  for (const call of calls) {
    /** Recurses until the stack is full, then calls at each depth on the way back. */
    const depths = { completed: 0, overflowed: 0 };
    const descend = () => {
      try {
        descend();
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
      if (depths.completed >= 20) return;
      try {
        call();
        depths.completed += 1;
      } catch (error) {
        // The host's error, which may be of any class, or this package's about what it caused; never a wrong result.
        if (error instanceof Failure) throw error;
        depths.overflowed += 1;
      }
    };
    descend();
    expect(depths.completed === 20 && depths.overflowed > 0, `depths: ${JSON.stringify(depths)}`);
    expectWorks();
  }
}

/** Getters, proxies and iterators of the caller that call the package while it reads them. */
export async function reentrancy() {
  const chain = createCodecChain(metadata(3));
  const right = chain.encode(numbers(3));
  let nested = 0;
  const nest = (value) => {
    nested += 1;
    expectWorks();
    chain.decode(right);
    return value;
  };
  const nesting = (object) =>
    new Proxy(object, {
      get: (target, name, receiver) => nest(Reflect.get(target, name, receiver)),
      has: (target, name) => nest(Reflect.has(target, name)),
      ownKeys: (target) => nest(Reflect.ownKeys(target)),
      getOwnPropertyDescriptor: (target, name) => nest(Reflect.getOwnPropertyDescriptor(target, name)),
    });
  const getters = (object) =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [name, { enumerable: true, get: () => nest(value) }]),
      ),
    );
  for (const wrap of [nesting, getters]) {
    const made = createCodecChain(wrap(metadata(3)), wrap({ verify: true }));
    const { data } = made.decode(right, wrap({ copy: true }));
    expect(String(data) === "0,7,14", "decodes");
    expect(
      String(made.encode(wrap({ data: numbers(3), shape: [3], stride: [1] }))) === String(right),
      "encodes",
    );
    const loaded = await loadCodecChain(wrap(metadata(3)), wrap({ codecs: new Map() }));
    expect(String((await loaded.decode(right)).data) === "0,7,14", "decodes with a loaded chain");
  }
  expect(nested > 20, `${nested} nested calls`);
  expectWorks();
}

/** Metadata of 10 MB, in every place. */
export async function hugeMetadata() {
  const text = "x".repeat(10_000_000);
  const list = Array(1_000_000).fill("crc32c");
  const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000));
  const bytes = { name: "bytes", configuration: { endian: "big" } };
  const cases = {
    "data type": { ...metadata(3), dataType: text },
    "codec name": { ...metadata(3), codecs: [text] },
    "codec list": { ...metadata(3), codecs: [bytes, ...list] },
    configuration: { ...metadata(3), codecs: [{ name: "bytes", configuration: { endian: text } }] },
    "member name": { ...metadata(3), codecs: [{ name: "bytes", configuration: { [text]: 1 } }] },
    shape: { ...metadata(3), shape: Array(1_000_000).fill(1) },
    depth: { ...metadata(3), codecs: [{ name: "bytes", configuration: deep }] },
    "deep list": { ...metadata(3), codecs: deep },
  };
  for (const [what, value] of Object.entries(cases)) {
    const error = outcomeOf(() => createCodecChain(value));
    expect(error.code === "invalid_metadata", `${what}: ${error.code}`);
    expect(error.message.length <= 300, `${what}: a message of ${error.message.length} characters`);
    expectWorks();
  }
}

/** Streams that are cancelled or aborted in the middle, at once and later. */
export async function abortedStreams() {
  for (const Stream of [zarr.Crc32cEncoderStream, zarr.Crc32cDecoderStream]) {
    for (const end of ["cancel", "abort", "error"]) {
      let pulled = 0;
      const source = new ReadableStream({
        pull(controller) {
          pulled += 1;
          if (end === "error" && pulled === 3) controller.error(new Error("the source failed"));
          else controller.enqueue(new Uint8Array(100_000).fill(pulled));
        },
      });
      const abort = new AbortController();
      const reader = source.pipeThrough(new Stream(), { signal: abort.signal }).getReader();
      await reader.read();
      let failure;
      if (end === "cancel") await reader.cancel();
      if (end === "abort") abort.abort(new Error("aborted"));
      try {
        for (let reads = 0; reads < 10 && !(await reader.read()).done; reads++);
      } catch (error) {
        failure = error.message;
      }
      const expected = { cancel: undefined, abort: "aborted", error: "the source failed" }[end];
      expect(failure === expected, `${end}: ${failure}`);
      expectWorks();
    }
  }
}

/** Errors and arrays of another realm: `evaluate(code)` runs a script there. */
export async function otherRealms({ evaluate }) {
  const chain = createCodecChain(metadata(3));
  const right = chain.encode(numbers(3));
  const array = evaluate(`new Uint8Array([${right}])`);
  expect(!(array instanceof Uint8Array), "another realm");
  expect(String(chain.decode(array).data) === "0,7,14", "decodes");
  expect(String(chain.encode(evaluate("new Uint16Array([0, 7, 14])"))) === String(right), "encodes");
  const out = evaluate("new Uint16Array(3)");
  chain.decode(right, { out });
  expect(String(out) === "0,7,14", "decodes into out");
  const there = evaluate(`(${JSON.stringify({ metadata: metadata(3), options: { copy: true } })})`);
  expect(String(createCodecChain(there.metadata).decode(right, there.options).data) === "0,7,14", "metadata");
  for (const value of [
    "{}",
    "[]",
    "new Map()",
    "null",
    "() => 1",
    "new ArrayBuffer(3)",
    "new Proxy({}, {})",
  ]) {
    const error = outcomeOf(() => chain.decode(evaluate(`(${value})`)));
    expect(isZarrCodecError(error), value);
  }
  array[2] ^= 4;
  const error = outcomeOf(() => chain.decode(array));
  expect(String(repairFlippedBit(array, error)) === String(right), "repairs");
  expectWorks();
}

/** A store whose chunks are not as long as the metadata say, or not bytes, read through zarrita. */
export async function lyingStore({ zarrita, register }) {
  const document = {
    ...{ zarr_format: 3, node_type: "array", shape: [6], data_type: "uint16", fill_value: 1, attributes: {} },
    chunk_grid: { name: "regular", configuration: { chunk_shape: [3] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: metadata(3).codecs.map((codec) => (typeof codec === "string" ? { name: codec } : codec)),
  };
  const right = createCodecChain(metadata(3)).encode(numbers(3));
  const chunks = {
    "truncated by a byte": right.slice(0, -1),
    "shorter than a checksum": right.slice(0, 3),
    empty: new Uint8Array(0),
    "followed by a byte": Uint8Array.of(...right, 0),
    "a megabyte": new Uint8Array(1_000_000),
    "of another chunk": right.slice().fill(7),
  };
  const unregister = register(zarrita.registry);
  try {
    for (const [what, chunk] of Object.entries(chunks)) {
      const store = {
        get: async (key) => {
          if (key === "/zarr.json") return new TextEncoder().encode(JSON.stringify(document));
          return key === "/c/0" ? chunk : key === "/c/1" ? right.slice() : undefined;
        },
      };
      const array = await zarrita.open.v3(zarrita.root(store), { kind: "array" });
      const thrown = await array.getChunk([0]).then(
        () => undefined,
        (error) => error.cause ?? error,
      );
      expect(isZarrCodecError(thrown), `${what}: ${thrown}`);
      expect(["chunk_length", "checksum_mismatch"].includes(thrown.code), `${what}: ${thrown.code}`);
      expect(String((await array.getChunk([1])).data) === "0,7,14", `${what}: the next chunk`);
    }
  } finally {
    unregister();
  }
  expectWorks();
}
