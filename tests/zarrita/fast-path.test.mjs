// The fast path for chunks that need no computation, compared with Rust.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { register } from "zarr-codecs/register";

test("little-endian data is decoded synchronously, without the compiled module, and as by Rust", async () => {
  const source = `
    import { register } from "zarr-codecs/register";
    let compiled = 0;
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: (...args) => (compiled++, Reflect.construct(...args)) });
    const registry = new Map();
    register(registry);
    const bytes = new Uint8Array(64).map((_, i) => i * 37);
    const seen = {};
    for (const dataType of ${JSON.stringify(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"])}) {
      const shape = [2, 32 / Number(/\\d+/.exec(dataType)) * 8];
      const codec = (await registry.get("bytes")()).fromConfig({ endian: "little" }, { dataType, shape, codecs: [{ name: "bytes" }] });
      const chunk = codec.decode(bytes);
      const encoded = codec.encode(chunk);
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

test("metadata that is not trivially valid is read by Rust", async () => {
  const registry = new Map();
  register(registry);
  const configuration = { endian: "little" };
  const little = { name: "bytes", configuration };
  const outcome = async (decode) => {
    try {
      const { data, shape, stride } = await decode();
      return { data: [...data], shape, stride };
    } catch ({ name, message }) {
      return { name, message };
    }
  };
  const bytes = Uint8Array.of(1, 0, 2, 0);
  for (const [shape, codec] of [
    [[2], little],
    [[1, 2, 1], little],
    [[2], { ...little, must_understand: false }],
    [[2], { ...little, misspelt: 1 }],
    [[2, 0], little],
    [[-1, -2], little],
    [[0.5, 4], little],
    [["2"], little],
  ]) {
    const metadata = { dataType: "int16", shape, codecs: [codec] };
    const entry = await registry.get("bytes")();
    assert.deepEqual(
      await outcome(() => entry.fromConfig(configuration, metadata).decode(bytes)),
      await outcome(() => createCodecChain(metadata).decode(bytes)),
      JSON.stringify(metadata),
    );
  }
});
