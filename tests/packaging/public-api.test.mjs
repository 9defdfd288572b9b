// The entries, exports and files of the installed package.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as api from "zarr-codecs";
import { inlineText } from "../../scripts/inline.mjs";

const PACKAGE = fileURLToPath(new URL("../node_modules/zarr-codecs/", import.meta.url));
const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const files = readdirSync(PACKAGE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(PACKAGE, join(entry.parentPath ?? entry.path, entry.name)));
const wasm = readFileSync(join(PACKAGE, "dist/zarr_codecs.wasm"));

/** Runs a module in a new Node process. Returns its output, parsed as JSON. */
function run(source, ...flags) {
  const args = ["--input-type=module", ...flags, "--eval", source];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }));
}

test("has these entries", () => {
  assert.deepEqual(Object.keys(manifest.exports), [
    ".",
    "./portable",
    "./crc32c",
    "./register",
    "./zarrita",
    "./verify",
    "./zarr_codecs.wasm",
    "./package.json",
  ]);
});

test("has these exports in the other entries", async () => {
  const entries = ["register", "zarrita", "crc32c", "verify"];
  const modules = await Promise.all(entries.map((entry) => import(`zarr-codecs/${entry}`)));
  assert.deepEqual(
    modules.map((module) => Object.keys(module)),
    [
      [],
      ["isZarrCodecError", "register"],
      [
        "ChecksumMismatchError",
        "ChunkLengthError",
        "Crc32c",
        "Crc32cCodec",
        "Crc32cDecoderStream",
        "Crc32cEncoderStream",
        "InvalidArgumentError",
        "InvalidMetadataError",
        "ZarrCodecError",
        "backend",
        "crc32c",
        "crc32cCombine",
        "decodeCrc32c",
        "encodeCrc32c",
        "init",
        "isZarrCodecError",
      ],
      ["isZarrCodecError", "mergeSummaries", "verifyStore"],
    ],
  );
});

test("has these exports", () => {
  assert.deepEqual(Object.keys(api).sort(), [
    "ArrayReader",
    "AsyncCodecChain",
    "ChecksumMismatchError",
    "ChunkLengthError",
    "CodecChain",
    "Crc32c",
    "Crc32cDecoderStream",
    "Crc32cEncoderStream",
    "ExternalCodecError",
    "InvalidArgumentError",
    "InvalidElementError",
    "InvalidMetadataError",
    "Shard",
    "ZarrCodecError",
    "backend",
    "crc32c",
    "crc32cCombine",
    "createCodecChain",
    "decode",
    "decodeCrc32c",
    "encode",
    "encodeCrc32c",
    "init",
    "initSync",
    "isZarrCodecError",
    "loadCodecChain",
    "openArray",
    "openShard",
    "repairFlippedBit",
    "withCodecs",
  ]);
});

describe("package.json", () => {
  test("has no dependencies at run time, and no installation scripts", () => {
    assert.deepEqual(manifest.dependencies ?? {}, {});
    for (const peer of Object.keys(manifest.peerDependencies ?? {})) {
      assert.equal(manifest.peerDependenciesMeta[peer].optional, true, peer);
    }
    for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
      assert.equal(manifest.scripts?.[script], undefined, script);
    }
  });
});

const isOfCommand = (file) => file.startsWith("dist/cli/");

describe("the files", () => {
  test("are only those that users need", () => {
    const expected =
      /^(package\.json|(README|CHANGELOG)\.md|LICENSE[\w-]*|dist\/(cli\/)?THIRD-PARTY-LICENSES|dist\/cli\/worker\.cjs|dist\/[\w/-]+\.(js|d\.ts|wasm|d\.wasm\.ts))$/;
    assert.deepEqual(
      files.filter((file) => !expected.test(file)),
      [],
    );
  });

  test("refer only to each other", () => {
    for (const file of files.filter((file) => /\.(js|d\.ts)$/.test(file) && !isOfCommand(file))) {
      const source = readFileSync(join(PACKAGE, file), "utf8");
      for (const [, specifier] of source.matchAll(
        /^(?:import|export)\b(?:[^'"`;()=]*\bfrom)? *["']([^"']+)["']/gm,
      )) {
        if (specifier === "zarrita") continue;
        const target = relative(PACKAGE, join(PACKAGE, file, "..", specifier));
        const named = file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target; // Declarations import .js files, too.
        assert.ok(specifier.startsWith(".") && files.includes(named), `${file}: ${specifier}`);
      }
      assert.doesNotMatch(source, /sourceMappingURL|^await /m, file);
    }
  });

  test("of the command import Node, the package by its name, and each other; its licences are there", () => {
    const command = files.filter((file) => isOfCommand(file) && file.endsWith(".js"));
    assert.ok(command.includes(manifest.bin["zarr-codecs"]));
    for (const file of command) {
      const source = readFileSync(join(PACKAGE, file), "utf8");
      for (const [, specifier] of source.matchAll(/\b(?:from|import\(?)"([^"]+)"/g)) {
        const isKnown = /^(node:[\w/]+|zarr-codecs(\/verify)?)$/.test(specifier);
        assert.ok(isKnown || files.includes(join(file, "..", specifier)), `${file}: ${specifier}`);
      }
    }
    const licenses = readFileSync(join(PACKAGE, "dist/cli/THIRD-PARTY-LICENSES"), "utf8");
    const named = ["yauzl", "aws4fetch", "@rgrove/parse-xml", "cli-progress"];
    for (const name of named) assert.match(licenses, new RegExp(`^${name}( \\d+\\.\\d+\\.\\d+ .*)?$`, "m"));
  });

  test("contain the licences of the crates in the modules, and none of what only builds them", () => {
    const licenses = readFileSync(join(PACKAGE, "dist/THIRD-PARTY-LICENSES"), "utf8");
    const crates = ["half", "miniz_oxide", "snap", "wasm-bindgen", "zrip-decode"];
    for (const name of crates)
      assert.match(licenses, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.*\\)$`, "m"));
    assert.match(licenses, /The Snappy-Rust Authors/);
    assert.doesNotMatch(licenses, /^syn \d/m);
  });

  test("contain the same module inlined, and as a file for hosts that compile it", async () => {
    const source = readFileSync(join(PACKAGE, "dist/core.js"), "utf8");
    assert.ok(source.includes(`"${inlineText(wasm)}"`));
  });

  test("contain no paths of the machine that built them", () => {
    // Rust's own paths begin with /rustc/<commit>, whatever the machine.
    const folders = /\/(?:root|home|Users|work|tmp|opt|usr|builds?|github)\/[ -~]*/;
    for (const file of files) {
      const text = readFileSync(join(PACKAGE, file), "latin1").replaceAll(/^#!\/usr\/bin\/env node$/gm, "");
      assert.equal(text.match(folders)?.[0], undefined, file);
      for (const known of [CHECKOUT.slice(0, -1), homedir()])
        assert.ok(!text.includes(known), `${file}: ${known}`);
    }
  });

  test("do not evaluate strings as code", () => {
    for (const file of files.filter((file) => file.endsWith(".js"))) {
      assert.doesNotMatch(readFileSync(join(PACKAGE, file), "utf8"), /\bnew Function\b|\beval\(/, file);
    }
    const flag = "--disallow-code-generation-from-strings";
    assert.equal(
      run('import { crc32c } from "zarr-codecs"; console.log(crc32c(Uint8Array.of(0)))', flag),
      0x527d5351,
    );
  });
});

describe("the module", () => {
  /** Counts compilations and instances, then imports the package. */
  const COUNT = `
    const counts = { compiled: 0, instances: 0 };
    const { Module, Instance, compile } = WebAssembly;
    const counted = (Class, name) => new Proxy(Class, {
      construct(...args) { counts[name] += 1; return Reflect.construct(...args); },
    });
    WebAssembly.Module = counted(Module, "compiled");
    WebAssembly.Instance = counted(Instance, "instances");
    WebAssembly.compile = (...args) => { counts.compiled += 1; return compile(...args); };
    const seen = [];
    const see = () => seen.push([counts.compiled, counts.instances]);
    const zarr = await import("zarr-codecs");
    see();
  `;
  const END = "console.log(JSON.stringify(seen));";
  const USE = "zarr.crc32c(Uint8Array.of(1)); see();";

  test("is compiled once, by the first call and not by imports", () => {
    assert.deepEqual(run(`${COUNT} ${USE} ${USE} zarr.backend(); see(); ${END}`), [
      [0, 0],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  test("is not compiled to reject arguments or options", () => {
    const refuse = "try { zarr.crc32c(1) } catch {} try { zarr.createCodecChain({}, 1) } catch {} see();";
    assert.deepEqual(run(`${COUNT} ${refuse} ${END}`), [
      [0, 0],
      [0, 0],
    ]);
  });

  test("is compiled once by init, however often it is called", () => {
    assert.deepEqual(run(`${COUNT} await zarr.init(); see(); await zarr.init(); see(); ${USE} ${END}`), [
      [0, 0],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    const both = run(`${COUNT} await Promise.all([zarr.init(), zarr.init()]); see(); ${USE} ${END}`);
    assert.deepEqual(both, [
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test("may be used while init compiles it", () => {
    const source = `${COUNT} const started = zarr.init(); ${USE} await started; see(); ${USE} ${END}`;
    assert.deepEqual(
      run(source).map(([, instances]) => instances),
      [0, 1, 1, 1],
    );
  });

  const READ = `
    import { readFileSync } from "node:fs";
    const raw = readFileSync(new URL(import.meta.resolve("zarr-codecs/zarr_codecs.wasm")));
    const module = new WebAssembly.Module(raw);
  `;

  test("may be compiled by a host that forbids compiling at run time", () => {
    const source = `${READ} ${COUNT} zarr.initSync(module); see(); ${USE} zarr.initSync(module); see(); ${END}`;
    assert.deepEqual(run(source), [
      [0, 0],
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  test("may be compiled once for all workers", () => {
    const source = `${READ}
      import { Worker } from "node:worker_threads";
      import { once } from "node:events";
      const code = \`
        import { parentPort, workerData } from "node:worker_threads";
        import { crc32c, initSync } from "zarr-codecs";
        WebAssembly.Module = new Proxy(WebAssembly.Module, { construct() { throw "must not be compiled"; } });
        initSync(workerData);
        parentPort.postMessage(crc32c(new TextEncoder().encode("123456789")));
      \`;
      const workers = [1, 2].map(() => new Worker(new URL("data:text/javascript," + encodeURIComponent(
        code.replace('"zarr-codecs"', JSON.stringify(import.meta.resolve("zarr-codecs")))
      )), { workerData: module }));
      const answers = await Promise.all(workers.map((worker) => once(worker, "message")));
      console.log(JSON.stringify(answers.flat()));`;
    assert.deepEqual(run(source), [0xe3069283, 0xe3069283]);
  });

  test("is rejected if it is another module, after which the package still works", () => {
    const others = [
      "1",
      "{}",
      "new ArrayBuffer(8)",
      '"zarr_codecs.wasm"',
      "new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))",
    ];
    for (const other of others) {
      const source = `
        import { crc32c, initSync } from "zarr-codecs";
        const seen = [];
        try { initSync(${other}) } catch (error) { seen.push(error.name, error.argument) }
        try { seen.push(crc32c(new TextEncoder().encode("123456789"))) } catch (error) { seen.push(String(error)) }
        console.log(JSON.stringify(seen));`;
      assert.deepEqual(run(source), ["InvalidArgumentError", "module", 0xe3069283], other);
    }
  });

  test("is the build that backend returns", () => {
    assert.equal(api.backend(), "simd");
  });
});
