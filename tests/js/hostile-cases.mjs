// Hostile callers, as functions that run in Node and in a page: each throws where the package fails. After each, the next call
// must be right.

import { crc32c, createCodecChain, loadCodecChain } from "zarr-codecs";
import { expect, expectWorks, Failure, metadata, numbers, outcomeOf } from "./hostile-helpers.mjs";

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
