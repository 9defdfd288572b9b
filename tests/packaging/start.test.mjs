// Loading the module, in new Node processes, because each process loads it once.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** Runs a module. Returns its output, parsed as JSON. */
function run(source) {
  const args = ["--no-warnings", "--input-type=module", "--eval", source];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }));
}

/** Defines a function that creates a module, which exports a function by some names and may import another. */
const MODULE = `
  const section = (id, bytes) => [id, bytes.length, ...bytes];
  const name = (text) => [text.length, ...Buffer.from(text)];
  const moduleOf = (names, imports) => new WebAssembly.Module(Uint8Array.of(
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 0, 0]),
    ...(imports ? section(2, [1, ...name("a"), ...name("b"), 0, 0]) : []),
    ...section(3, [1, 0]),
    ...section(7, [names.length, ...names.flatMap((text) => [...name(text), 0, imports ? 1 : 0])]),
    ...section(10, [1, 2, 0, 0x0b]),
  ));`;

test("another module is rejected, after which the package still works", () => {
  const source = `
    import { crc32c, initSync } from "zarr-codecs";
    ${MODULE}
    const wrong = [
      moduleOf(["decodeWindow"]),
      moduleOf(["decodeWindow", "encodedWindow", "__wbindgen_start"], true),
      { [Symbol.toStringTag]: "WebAssembly.Module" },
    ];
    const seen = wrong.map((module) => {
      try { initSync(module) } catch ({ code, message, cause }) { return [code, message, cause.message] }
    });
    console.log(JSON.stringify([...seen, crc32c(new TextEncoder().encode("123456789"))]));`;
  const [lacking, importing, disguised, crc] = run(source);
  const message = "module: expected that of zarr-codecs/zarr_codecs.wasm, got a WebAssembly.Module";
  assert.deepEqual(lacking, ["invalid_argument", message, "it lacks exports"]);
  for (const [code, text, cause] of [importing, disguised]) {
    assert.deepEqual([code, text, cause.length > 0], ["invalid_argument", message, true]);
  }
  assert.equal(crc, 0xe3069283);
});

/** Aborts the next start, as if the stack overflowed there. */
const ABORT_START = `
  const { set } = WebAssembly.Table.prototype;
  WebAssembly.Table.prototype.set = () => {
    WebAssembly.Table.prototype.set = set;
    throw new RangeError("Maximum call stack size exceeded");
  };`;

test("a start that was aborted is repeated by the next call", () => {
  const source = `
    import { decode } from "zarr-codecs";
    ${ABORT_START}
    const errors = [1, 2].map(() => {
      try { decode(new Uint8Array(8), { dataType: "int32", shape: [], codecs: [
        { name: "bytes", configuration: { endian: "big" } }, "crc32c"] })
      } catch (error) { return { name: error.name, ...error } }
    });
    console.log(JSON.stringify(errors));`;
  assert.deepEqual(run(source), [
    { name: "RangeError" },
    {
      name: "ChecksumMismatchError",
      code: "checksum_mismatch",
      stored: 0,
      computed: 0x48674bc7,
      byteLength: 4,
      diagnosis: { code: "zeros", message: "all bytes of the chunk are zero" },
    },
  ]);
});

test("a start from a compiled module that was aborted is repeated by the next call", () => {
  const source = `
    import { readFileSync } from "node:fs";
    import { createCodecChain, initSync } from "zarr-codecs";
    const module = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve("zarr-codecs/zarr_codecs.wasm"))));
    ${ABORT_START}
    const seen = [];
    try { initSync(module) } catch (error) { seen.push(error.name) }
    const encoded = Uint8Array.of(1, 2);
    const { data } = createCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes"] }).decode(encoded);
    console.log(JSON.stringify([...seen, [...data], data.buffer === encoded.buffer]));`;
  assert.deepEqual(run(source), ["RangeError", [1, 2], true]);
});

test("a call that was aborted is followed by one in a new instance of the same module", () => {
  const source = `
    const counts = { Module: 0, Instance: 0 };
    for (const name of Object.keys(counts)) {
      WebAssembly[name] = new Proxy(WebAssembly[name], {
        construct(...args) { counts[name] += 1; return Reflect.construct(...args); },
      });
    }
    const { createCodecChain } = await import("zarr-codecs");
    const codecs = [{ name: "bytes", configuration: { endian: "big" } }];
    const chain = createCodecChain({ dataType: "uint16", shape: [200_000], codecs }); // Longer than the window.
    const encoded = new Uint8Array(400_000).fill(1, 1, 2);
    const seen = [];
    const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
    const { set } = typedArray;
    typedArray.set = () => { throw new RangeError("Maximum call stack size exceeded") }; // As if the stack overflowed there.
    try { chain.decode(encoded) } catch (error) { seen.push(error.name) }
    typedArray.set = set;
    for (let i = 0; i < 2; i++) seen.push([chain.decode(encoded).data[0], { ...counts }]);
    console.log(JSON.stringify(seen));`;
  const after = [1, { Module: 1, Instance: 2 }];
  assert.deepEqual(run(source), ["RangeError", after, after]);
});

test("zarr-codecs/crc32c loads its own module at the first call, or by init", () => {
  const sources = {
    "": "crc32c(text)",
    "await init();": "new Crc32c().update(text).digest()",
    "backend();": "crc32cCombine(crc32c(text.subarray(0, 4)), crc32c(text.subarray(4)), 5)",
  };
  for (const [before, value] of Object.entries(sources)) {
    const source = `
      import { backend, Crc32c, crc32c, crc32cCombine, init } from "zarr-codecs/crc32c";
      const text = new TextEncoder().encode("123456789");
      ${before}
      console.log(JSON.stringify([${value}, backend()]));`;
    assert.deepEqual(run(source), [0xe3069283, "simd"]);
  }
});

test("hosts without Buffer and SharedArrayBuffer, such as browsers, are supported", () => {
  for (const buffer of ["undefined", "{}"]) {
    const source = `
      delete globalThis.SharedArrayBuffer;
      globalThis.Buffer = ${buffer};
      const { crc32c, createCodecChain } = await import("zarr-codecs");
      const codecs = [{ name: "bytes", configuration: { endian: "big" } }];
      const chain = createCodecChain({ dataType: "uint16", shape: [200_000], codecs }); // Longer than the window.
      const { data } = chain.decode(new Uint8Array(400_000).fill(1, 399_999));
      const text = new TextEncoder().encode("123456789");
      console.log(JSON.stringify([data.length, data.at(-1), crc32c(text), crc32c(text.buffer)]));`;
    assert.deepEqual(run(source), [200_000, 1, 0xe3069283, 0xe3069283]);
  }
});

test("the TransformStream of the host is not loaded before a stream is created", () => {
  const source = `
    const { get } = Object.getOwnPropertyDescriptor(globalThis, "TransformStream");
    let loaded = false;
    Object.defineProperty(globalThis, "TransformStream", { get() { loaded = true; return get.call(this) } });
    const { crc32c, Crc32cEncoderStream } = await import("zarr-codecs");
    crc32c(new Uint8Array(1));
    const before = loaded;
    new Crc32cEncoderStream();
    console.log(JSON.stringify([before, loaded]));`;
  assert.deepEqual(run(source), [false, true]);
});
