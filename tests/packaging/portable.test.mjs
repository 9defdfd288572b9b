// Hosts that do not compile the module fall back to the portable build, or throw an error that says how to load it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import * as api from "zarr-codecs";
import * as portable from "zarr-codecs/portable";
import { withChecksum } from "../js/helpers.mjs";

test("the portable build has the same exports, and the same errors", () => {
  assert.deepEqual(Object.keys(portable), Object.keys(api));
  const errors = (entry) => Object.fromEntries(Object.entries(entry).filter(([name]) => /Error$/.test(name)));
  assert.deepEqual(errors(portable), errors(api));
});

test("the builds run beside each other", () => {
  assert.deepEqual([api.backend(), portable.backend()], ["simd", "portable"]);
  const metadata = { dataType: "uint8", shape: [9], codecs: ["bytes", "crc32c"] };
  const encoded = portable.createCodecChain(metadata).encode(new TextEncoder().encode("123456789"));
  assert.deepEqual([...encoded.slice(9)], [0x83, 0x92, 0x06, 0xe3]); // RFC 3720
  encoded[0] ^= 1;
  const thrown = [api, portable].map(({ decode }) => {
    try {
      return decode(encoded, metadata);
    } catch (error) {
      return error;
    }
  });
  assert.ok(thrown[1] instanceof api.ChecksumMismatchError && portable.isZarrCodecError(thrown[0]));
  assert.deepEqual({ ...thrown[1] }, { ...thrown[0] });
  assert.equal(thrown[1].message, thrown[0].message);
});

test("the portable build rejects values that are not modules, and needs none", () => {
  assert.throws(() => portable.initSync({}), { code: "invalid_argument", argument: "module" });
  assert.equal(portable.backend(), "portable");
});

const BAN = ["--import", "data:text/javascript,WebAssembly.Module=WebAssembly.compile=function(){throw 1}"];
/** Hosts that do not compile the module, the flags with which Node imitates them, and what compiling throws. */
const HOSTS = {
  "no WebAssembly": [["--jitless"], /^ReferenceError: /],
  "no SIMD instructions": [process.arch === "x64" ? ["--no-enable-sse4-1"] : undefined, /^CompileError: /],
  "a ban on compiling": [BAN, /^1$/],
  "a ban that is reported on instantiation, as in WebKit": [
    ["--import", "data:text/javascript,WebAssembly.Instance=function(){throw new EvalError}"],
    /^EvalError$/,
  ],
};

/** Runs a module in a new Node process. Returns its output, parsed as JSON. */
function run(flags, source) {
  const args = ["--no-warnings", "--input-type=module", ...flags, "--eval", source];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }));
}

for (const [host, [flags, reason]] of Object.entries(HOSTS)) {
  describe(`on a host with ${host}`, { skip: flags === undefined }, () => {
    const TEXT = 'const text = new TextEncoder().encode("123456789");';

    test("the first call throws an error that says what to do, and works after that", () => {
      const source = `
        import { backend, crc32c, init, InvalidArgumentError } from "zarr-codecs";
        ${TEXT}
        const seen = [];
        try { crc32c(text) } catch (error) {
          seen.push(error instanceof InvalidArgumentError, error.argument, error.message, error.cause !== undefined);
        }
        await Promise.all([init(), init()]);
        seen.push(backend(), crc32c(text));
        console.log(JSON.stringify(seen));`;
      const [isOurs, argument, message, ...others] = run(flags, source);
      assert.deepEqual([isOurs, argument], [true, "WebAssembly"]);
      const start =
        'this host does not compile WebAssembly (await init() first, or import "zarr-codecs/portable"): ';
      assert.equal(message.slice(0, start.length), start);
      assert.match(message.slice(start.length), reason);
      assert.deepEqual(others, [true, "portable", 0xe3069283]);
    });

    test("streams wait for the portable build", () => {
      const source = `
        import { Crc32cEncoderStream } from "zarr-codecs";
        const stream = new Crc32cEncoderStream();
        const writer = stream.writable.getWriter();
        const seen = [];
        ${TEXT}
        writer.write(text).then(() => writer.close());
        for await (const bytes of stream.readable) seen.push(...bytes);
        console.log(JSON.stringify(seen));`;
      assert.deepEqual(run(flags, source), [...withChecksum(new TextEncoder().encode("123456789"))]);
    });

    test("zarr-codecs/portable works without waiting", () => {
      const source = `
        import { backend, crc32c } from "zarr-codecs/portable";
        ${TEXT}
        console.log(JSON.stringify([crc32c(text), backend()]));`;
      assert.deepEqual(run(flags, source), [0xe3069283, "portable"]);
    });

    test("the codecs for zarrita and numcodecs load the portable build", () => {
      const source = `
        import "zarr-codecs/register";
        import { get, open } from "zarrita";
        import { Crc32cCodec, init } from "zarr-codecs/crc32c";
        const metadata = {
          zarr_format: 3, node_type: "array", shape: [2], data_type: "int16", fill_value: 0, attributes: {},
          chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
          chunk_key_encoding: { name: "default" },
          codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
        };
        const json = new TextEncoder().encode(JSON.stringify(metadata));
        await init();
        const encoded = Crc32cCodec.fromConfig({ id: "crc32c" }).encode(Uint8Array.of(1, 2));
        const store = new Map([["/zarr.json", json], ["/c/0", encoded], ["/c/1", new Uint8Array(6)]]);
        const array = await open(store, { kind: "array" });
        const right = await get(array, [{ start: 0, stop: 1, step: 1 }]);
        const wrong = await get(array).then(() => "not verified", (error) => error.cause.code);
        console.log(JSON.stringify([[...encoded], [...right.data], wrong]));`;
      assert.deepEqual(run(flags, source), [
        [...withChecksum(Uint8Array.of(1, 2))],
        [0x0102],
        "checksum_mismatch",
      ]);
    });
  });
}

test("a portable build that could not be loaded is loaded by the next init", () => {
  const source = `
    import { backend, init } from "zarr-codecs";
    const { ArrayBuffer } = globalThis;
    globalThis.ArrayBuffer = function () { throw new RangeError("Array buffer allocation failed") };
    const seen = await init().catch(({ code, message, cause }) => [code, message, cause.name]);
    globalThis.ArrayBuffer = ArrayBuffer;
    await init();
    console.log(JSON.stringify([...seen, backend()]));`;
  assert.deepEqual(run(BAN, source), [
    "invalid_argument",
    "this host does not compile WebAssembly (1), nor could the portable build be loaded: RangeError: Array buffer allocation failed",
    "RangeError",
    "portable",
  ]);
});
