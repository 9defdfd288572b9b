// Loading the module, in a new Node process for each test, because each process loads it once.

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
      try { initSync(module) } catch ({ code, argument }) { return [code, argument] }
    });
    console.log(JSON.stringify([...seen, crc32c(new TextEncoder().encode("123456789"))]));`;
  const refused = ["invalid_argument", "module"];
  assert.deepEqual(run(source), [refused, refused, refused, 0xe3069283]);
});

test("a start that was aborted is repeated by the next call", () => {
  const source = `
    import { decode } from "zarr-codecs";
    const { set } = WebAssembly.Table.prototype;
    WebAssembly.Table.prototype.set = () => {
      WebAssembly.Table.prototype.set = set;
      throw new RangeError("Maximum call stack size exceeded"); // As if the stack overflowed there.
    };
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

test("a store whose code could not be loaded loads it again", () => {
  const hooks = `let isOffline = true;
    export function resolve(specifier, context, next) {
      if (!isOffline || !specifier.endsWith("/stores.js")) return next(specifier, context);
      isOffline = false;
      throw new Error("offline");
    }`;
  const source = `
    import { register } from "node:module";
    import { withShards } from "zarr-codecs/register";
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
    const store = withShards(new Map([["/a", Uint8Array.of(7)]]));
    const read = () => store.get("/a").then(([byte]) => byte, ({ message }) => message);
    console.log(JSON.stringify([await read(), await read()]));`;
  assert.deepEqual(run(source), ["offline", 7]);
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
