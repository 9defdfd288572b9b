// Streams, realms and stores that misbehave: as `hostile-cases.mjs`.

import * as zarr from "zarr-codecs";
import { expect, expectWorks, metadata, numbers, outcomeOf } from "./hostile-helpers.mjs";

const { createCodecChain, isZarrCodecError, repairFlippedBit } = zarr;

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
    zarr_format: 3,
    node_type: "array",
    shape: [6],
    data_type: "uint16",
    fill_value: 1,
    attributes: {},
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
