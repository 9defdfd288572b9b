// The fast path for chunks that need no computation, compared with Rust.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";

test("little-endian data is decoded synchronously, without the compiled module, and as by Rust", async () => {
  const source = `
    import { register } from "zarr-codecs/zarrita";
    let compiled = 0;
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: (...args) => (compiled++, Reflect.construct(...args)) });
    const registry = new Map();
    register(registry);
    const bytes = new Uint8Array(64).map((_, i) => i * 37);
    const seen = {};
    for (const dataType of ${JSON.stringify(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"])}) {
      const shape = [2, 32 / Number(/\\d+/.exec(dataType)) * 8];
      const configuration = { endian: "little" };
      const codecs = [{ name: "bytes", configuration }, { name: "zstd", configuration: {} }];
      const codec = (await registry.get("bytes")()).fromConfig(configuration, { dataType, shape, codecs });
      const chunk = codec.decode(bytes);
      const encoded = (await registry.get("endian")()).fromConfig(configuration, { dataType, shape }).encode(chunk);
      seen[dataType] = [chunk.data?.constructor.name, chunk.shape, chunk.stride, String(chunk.data), encoded.byteLength];
    }
    const before = compiled;
    const { createCodecChain } = await import("zarr-codecs");
    for (const [dataType, [name, shape, stride, text, length]] of Object.entries(seen)) {
      const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
      const chunk = createCodecChain({ dataType, shape, codecs }).decode(bytes);
      seen[dataType] = JSON.stringify([chunk.data.constructor.name, chunk.shape, chunk.stride, String(chunk.data), 64])
        === JSON.stringify([name, shape, stride, text, length]);
    }
    console.log(JSON.stringify({ before, after: compiled, seen }));`;
  const args = ["--input-type=module", "--eval", source];
  const { before, after, seen } = JSON.parse(
    execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }),
  );
  assert.deepEqual([before, after], [0, 1]);
  assert.deepEqual(
    [Object.keys(seen).length, Object.values(seen).every((same) => same === true)],
    [10, true],
    JSON.stringify(seen),
  );
});

const registry = new Map();
register(registry);
const little = { name: "bytes", configuration: { endian: "little" } };

/** Creates the codec `bytes` as zarrita does. */
async function codecOf(metadata) {
  const entry = await registry.get("bytes")();
  return entry.fromConfig(metadata.codecs[0].configuration, metadata);
}

/** Returns what a function returns, or the name and message of what it throws. */
async function outcome(f) {
  try {
    return await f();
  } catch ({ name, message }) {
    return { name, message };
  }
}

test("chunks at aligned offsets are views, and others are copied", async () => {
  const codec = await codecOf({ dataType: "int16", shape: [2], codecs: [little] });
  const bytes = Uint8Array.of(9, 1, 0, 2, 0, 3, 0, 4);
  const aligned = codec.decode(bytes.subarray(2, 6)).data;
  assert.deepEqual([...aligned], [512, 768]);
  assert.equal(aligned.buffer, bytes.buffer);
  const copied = codec.decode(bytes.subarray(1, 5)).data;
  assert.deepEqual([...copied], [1, 2]);
  assert.notEqual(copied.buffer, bytes.buffer);
});

test("what is no array of the chunk is rejected by Rust", async () => {
  const metadata = { dataType: "int16", shape: [2], codecs: [little] };
  const codec = await codecOf(metadata);
  const chain = createCodecChain(metadata);
  const longer = new Int16Array(4);
  for (const data of [
    longer,
    longer.subarray(0, 1),
    new Int32Array(2),
    new Uint8Array(4),
    [1, 2],
    {},
    null,
    undefined,
    1,
  ]) {
    assert.deepEqual(
      await outcome(() => codec.encode({ data, shape: [2], stride: [1] })),
      await outcome(() => chain.encode(data)),
      String(data),
    );
  }
});

test("metadata that is not trivially valid is read by Rust", async () => {
  const bytes = (configuration) => ({ name: "bytes", configuration });
  for (const [shape, codec, dataType = "int16"] of [
    [[2], little],
    [[1, 2, 1], little],
    [[2], { ...little, must_understand: false }],
    [[2], { ...little, misspelt: 1 }],
    [[2, 0], little],
    [[-1, -2], little],
    [[0.5, 4], little],
    [["2"], little],
    [[2], little, "toString"],
    [[2], little, ["int16"]],
    [[2], little, { name: "int16" }],
    [[2], bytes(null)],
    [[2], bytes({})],
    [[2], bytes({ endian: "little", unknown: 1 })],
    [[2], bytes({ misspelt: "little" })],
    [[2], bytes({ endian: "big" })],
  ]) {
    const metadata = { dataType, shape, codecs: [codec] };
    for (const encoded of [Uint8Array.of(1, 0, 2, 0), new Uint8Array()]) {
      const decode = async (decoder) => {
        const { data, shape, stride } = await decoder.decode(encoded);
        return { data: [...data], shape, stride };
      };
      assert.deepEqual(
        await outcome(async () => decode(await codecOf(metadata))),
        await outcome(() => decode(createCodecChain(metadata))),
        JSON.stringify(metadata),
      );
    }
  }
});
