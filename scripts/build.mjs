// Builds the package into dist/: all of it, or one half (`wasm` or `js`).

import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { buildCli } from "./build-cli.mjs";
import { inlineText } from "./inline.mjs";
import { licensesOf } from "./licenses.mjs";
import { ensurePackages, ensureTools, output, ROOT, run } from "./run.mjs";
import { silencePanics } from "./silence-panics.mjs";

const JS = join(ROOT, "js");
const GENERATED = join(JS, "wasm/generated");
const FACTS = join(JS, "generated/facts.ts");
const LICENSES = "THIRD-PARTY-LICENSES";
const DIST = join(ROOT, "dist");
const TARGET = "wasm32-unknown-unknown";
const DECODERS = join(GENERATED, "decoders");

/** The WebAssembly features that the module may use; wasm-opt rejects others. */
const FEATURES = [
  "simd",
  "reference-types",
  "multivalue",
  "bulk-memory",
  "sign-ext",
  "nontrapping-float-to-int",
  "mutable-globals",
].map((feature) => `--enable-${feature}`);

/** The memory of the module has a fixed size: 64 KiB of stack, the arena, the window and the tables. */
const FIXED = ["-zstack-size=65536", "--stack-first", "--no-growable-memory"];
/** That of the decoders grows with chunks. Their tables are on the stack while they are made. */
const GROWING = ["-zstack-size=131072", "--stack-first"];

/**
 * Compiles a module, with flags for Cargo and for the compiler.
 *
 * @param name of the variant
 * @param crate its name without that of the package
 * @returns the path of the module, which is only written if it differs from the one that is there
 */
function compile(name, { crate = "module", linker = FIXED, cargo = [], rustc = [] } = {}) {
  // Panic messages contain paths of source files: strips local ones.
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry/src");
  const rustflags = JSON.stringify([`--remap-path-prefix=${sources}=/crates`, ...rustc]);
  const args = [
    "rustc",
    "--release",
    "--locked",
    "--target",
    TARGET,
    "--config",
    `target.${TARGET}.rustflags=${rustflags}`,
    "--package",
    `zarr-codecs-${crate}`,
    "--crate-type",
    "cdylib",
    ...cargo,
    "--",
    ...linker.map((arg) => `-Clink-arg=${arg}`),
  ];
  // Flags in the environment would silently override these.
  run("cargo", args, { env: { RUSTFLAGS: undefined, CARGO_ENCODED_RUSTFLAGS: undefined } });
  const compiled = readFileSync(join(ROOT, `target/${TARGET}/release/zarr_codecs_${crate}.wasm`));
  const module = join(ROOT, `target/modules/${name}.wasm`);
  mkdirSync(dirname(module), { recursive: true });
  if (!existsSync(module) || !readFileSync(module).equals(compiled)) writeFileSync(module, compiled);
  return module;
}

/** Returns whether an output is newer than the module that it is built from, and than this script. */
function isNewer(output, module) {
  const date = (path) => statSync(path).mtimeMs;
  return existsSync(output) && date(output) > Math.max(date(module), date(import.meta.filename));
}

/**
 * Replaces the hashes that wasm-bindgen puts into the names of imports by numbers. Hashes do not compress: on both sides
 * they would take 0.5 kB of what users download.
 */
function numberImports(folder) {
  const [glue, module] = ["rust.js", "rust_bg.wasm"].map((file) => join(folder, file));
  const source = readFileSync(glue, "utf8");
  const numbers = new Map(
    [...new Set(source.match(HASH))].map((hash, i) => [hash, `${i}`.padStart(hash.length, "0")]),
  );
  const numbered = (text) => text.replace(HASH, (hash) => numbers.get(hash) ?? hash);
  writeFileSync(glue, numbered(source));
  // Of the same length, so that a text replacement leaves the format intact.
  writeFileSync(module, numbered(readFileSync(module, "latin1")), "latin1");
}

const HASH = /(?<=__wb\w+_)[0-9a-f]{16}/g;

/** Runs wasm-bindgen on a module: writes the bound module, whose panics are silent, and its glue to a folder. */
async function bindgen(module, folder) {
  run("wasm-bindgen", [
    module,
    "--out-name",
    "rust",
    "--target",
    "web",
    "--omit-default-module-path",
    "--out-dir",
    folder,
    "--experimental-reset-state-function",
    "--remove-producers-section",
  ]);
  await silencePanics(join(folder, "rust_bg.wasm"));
  numberImports(folder);
  // Removes the export of the other initialization, which fetches a file, so that bundlers drop it.
  const glue = join(folder, "rust.js");
  writeFileSync(
    glue,
    readFileSync(glue, "utf8").replace(/export \{ initSync, .* \};/, "export { initSync };"),
  );
}

/** Compiles Rust to WebAssembly. Writes the module, its glue, and the module as text to a folder. */
async function buildWasm(folder, name, cargo) {
  const lastOutput = join(folder, "wasm.js");
  const compiled = compile(name, { cargo });
  if (isNewer(lastOutput, compiled)) return;
  rmSync(folder, { recursive: true, force: true });
  await bindgen(compiled, folder);
  optimize(join(folder, "rust_bg.wasm"), "-Os");
  writeText(join(folder, "rust_bg.wasm"), lastOutput);
}

/** Compiles the decoders, which have no glue. Writes the module, and the module as text. */
async function buildDecoders() {
  const [module, lastOutput] = ["decoders.wasm", "wasm.js"].map((file) => join(DECODERS, file));
  const compiled = compile("decoders", { crate: "decoders", linker: GROWING });
  if (isNewer(lastOutput, compiled)) return;
  mkdirSync(DECODERS, { recursive: true });
  cpSync(compiled, module);
  await silencePanics(module);
  optimize(module, "-O3"); // 5 % less time for zstd than -Os, and no larger.
  writeText(module, lastOutput);
}

/** Optimizes a module in place. */
function optimize(module, level) {
  // Addresses below 1024 are the end of the stack, so adding a small constant to an address never wraps around, and wasm-opt
  // may fold it into the offsets of loads and stores: 10 % less time for the checksum of 256 bytes.
  // Functions of similar names are similar: next to each other they compress better, by 1 %.
  // Longer functions with one caller stay functions: engines compile them when they are called, most of them never.
  run("wasm-opt", [
    level,
    "--low-memory-unused",
    "--reorder-functions-by-name",
    "--strip-target-features",
    "--one-caller-inline-max-function-size",
    "200",
    ...FEATURES,
    module,
    "-o",
    module,
  ]);
}

/** Writes a module as the text of a script, with its declaration. */
function writeText(module, script) {
  writeFileSync(script.replace(/\.js$/, ".d.ts"), "export declare const WASM_TEXT: string;\n");
  writeFileSync(script, `export const WASM_TEXT =\n  "${inlineText(readFileSync(module))}";\n`);
}

/** Generates js/generated/facts.ts: the facts of Rust's tables that TypeScript needs. */
function buildFacts() {
  const facts = output("cargo", ["run", "--quiet", "--locked", "--package", "zarr-codecs-facts"]);
  mkdirSync(dirname(FACTS), { recursive: true });
  writeFileSync(FACTS, facts);
}

/** Writes the licences of the crates in the modules. */
function buildLicenses() {
  writeFileSync(
    join(GENERATED, LICENSES),
    licensesOf(["zarr-codecs-module", "zarr-codecs-decoders"], TARGET),
  );
}

/** The features that the portable build may use before they are lowered. */
const LOWERED = ["bulk-memory", "sign-ext", "nontrapping-float-to-int", "mutable-globals"];

/** How Rust is compiled without SIMD instructions. */
const PORTABLE = {
  rustc: ["-Ctarget-cpu=mvp", "-Ctarget-feature=-simd128,-reference-types,-multivalue"],
};

/** Compiles Rust without SIMD instructions, and translates it to JavaScript: js/wasm/generated/portable/. */
async function buildPortable() {
  const folder = join(GENERATED, "portable");
  const lastOutput = join(folder, "webassembly.js");
  const compiled = compile("portable", PORTABLE);
  if (isNewer(lastOutput, compiled)) return;
  rmSync(folder, { recursive: true, force: true });
  const plain = join(ROOT, "target/modules/portable-plain.wasm");
  removeReferenceTypes(compiled, plain);
  await bindgen(plain, folder);
  const module = join(folder, "rust_bg.wasm");
  const translated = translate(module);
  rmSync(module);
  const glue = join(folder, "rust.js");
  writeFileSync(glue, `import { WebAssembly } from "./webassembly.js";\n${readFileSync(glue, "utf8")}`);
  writeFileSync(
    join(folder, "webassembly.d.ts"),
    'export declare const WebAssembly: Pick<typeof globalThis.WebAssembly, "Module" | "Instance">;\n',
  );
  // wasm2js has translated the module to a function `instantiate`; the glue needs it as a host's `WebAssembly`. (To recreate
  // the instance, the glue calls `__wbindgen_start`, which a module without reference types does not export.)
  const host = `export const WebAssembly = {
  Module: class {},
  Instance: class {
    constructor(module, imports) { this.exports = { __wbindgen_start() {}, ...instantiate(imports) }; }
  },
};
`;
  writeFileSync(lastOutput, translated + host);
}

/** Compiles the decoders without SIMD instructions, and translates them to JavaScript: a function `instantiate(imports)`. */
async function buildPortableDecoders() {
  const lastOutput = join(DECODERS, "portable.js");
  const compiled = compile("decoders-portable", { crate: "decoders", linker: GROWING, ...PORTABLE });
  if (isNewer(lastOutput, compiled)) return;
  const module = join(ROOT, "target/modules/decoders-portable-plain.wasm");
  cpSync(compiled, module);
  await silencePanics(module);
  removeReferenceTypes(module, module);
  writeFileSync(lastOutput, `${translate(module)}export { instantiate };\n`);
  writeFileSync(
    join(DECODERS, "portable.d.ts"),
    "export declare const instantiate: (imports: object) => unknown;\n",
  );
}

/** Removes the declaration of reference types by the standard library: wasm-bindgen would use them, and wasm2js cannot. */
function removeReferenceTypes(module, target) {
  const features = [...LOWERED, "reference-types", "multivalue"].map((feature) => `--enable-${feature}`);
  run("wasm-opt", ["-O0", "-g", ...features, "--strip-target-features", module, "-o", target]);
}

/** Lowers a module to the first version of WebAssembly, and returns its translation to JavaScript. */
function translate(module) {
  run("wasm-opt", [
    "-Oz",
    ...LOWERED.map((feature) => `--enable-${feature}`),
    "--llvm-memory-copy-fill-lowering",
    "--signext-lowering",
    "--llvm-nontrapping-fptoint-lowering",
    module,
    "-o",
    module,
  ]);
  const translated = join(ROOT, "target/modules/translated.js");
  run("wasm2js", ["-Oz", "--emscripten", module, "-o", translated]);
  return readFileSync(translated, "utf8");
}

/** The files of the package that are also bundled for other hosts. */
const FILES = ["index", "core", "lazy", "zarrita-codecs", "decoders", "register", "zarrita", "verify"];
/** CRC-32C alone: a file of its own, with its own module. */
const CRC32C = "crc32c";
/** Rust as JavaScript, which is large and generated. */
const TRANSLATED = ["wasm/generated/portable/webassembly.js", "wasm/generated/decoders/portable.js"];
/** What loads it. */
const PORTABLE_LOADERS = ["wasm/loaders/portable", "decoders/loaders/portable"];
/** The files that all bundles share. */
const SHARED = [
  "errors.js",
  ...PORTABLE_LOADERS.map((file) => `${file}.js`),
  ...TRANSLATED,
  "zarr_codecs.wasm",
  "zarr_decoders.wasm",
];

/**
 * Bundles modules of js/ into files of the same names in a folder of dist/. The files import each other and the shared ones;
 * all other imports are inlined. `condition` selects the loader (`#loader` in package.json).
 */
async function bundle(files, { condition, folder = "" } = {}) {
  const { build } = await import("esbuild");
  const outdir = join(DIST, folder);
  const external = (file) => ({ path: file.replace(/^(?!\.)/, "./"), external: true });
  const resolve = ({ path, resolveDir }) => {
    const module = relative(JS, join(resolveDir, path));
    if (files.includes(module.replace(/\.js$/, ""))) return external(module);
    if (SHARED.includes(module)) {
      return external(relative(join(outdir, dirname(files[0])), join(DIST, module)));
    }
  };
  await build({
    absWorkingDir: JS,
    entryPoints: files.map((file) => `./${file}.ts`),
    outdir,
    outbase: JS,
    bundle: true,
    format: "esm",
    conditions: condition ? [condition] : [],
    external: ["zarrita"],
    sourcemap: process.env.COVERAGE ? "inline" : false,
    logLevel: "warning",
    plugins: [{ name: "files", setup: ({ onResolve }) => onResolve({ filter: /^\.\.?\// }, resolve) }],
  });
}

/** Builds dist/: declarations of each module, and code in few files, which load faster. */
async function buildJs() {
  rmSync(DIST, { recursive: true, force: true });
  const { transform } = await import("esbuild");
  run("tsc", ["--project", "tsconfig.json"]);
  await bundle(["errors"]);
  await bundle(FILES);
  await bundle([CRC32C], { condition: "crc32c" });
  await bundle([...FILES, CRC32C], { condition: "workerd", folder: "workerd" });
  await bundle(["index", "core", "lazy", "decoders"], { condition: "portable", folder: "portable" });
  writeFileSync(join(DIST, "portable/index.d.ts"), 'export * from "../index.js";\n');
  for (const loader of PORTABLE_LOADERS) await bundle([loader]);
  const generated = join(DIST, "wasm/generated");
  for (const file of ["rust.d.ts", "wasm.d.ts"]) {
    cpSync(join(GENERATED, file), join(generated, file));
  }
  for (const file of ["rust.d.ts", "webassembly.d.ts"]) {
    cpSync(join(GENERATED, "portable", file), join(generated, "portable", file));
  }
  for (const file of TRANSLATED) {
    const { code } = await transform(readFileSync(join(JS, file)), { minify: true });
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    writeFileSync(join(DIST, file), code);
  }
  cpSync(join(GENERATED, "rust_bg.wasm"), join(DIST, "zarr_codecs.wasm"));
  cpSync(join(DECODERS, "decoders.wasm"), join(DIST, "zarr_decoders.wasm"));
  cpSync(join(GENERATED, LICENSES), join(DIST, LICENSES));
  for (const file of ["zarr_codecs", "zarr_decoders"]) {
    cpSync(join(JS, `${file}.d.wasm.ts`), join(DIST, `${file}.d.wasm.ts`));
  }
  await buildCli();
}

/** Builds the package, or the part `wasm` or `js`. */
export async function build(part) {
  ensurePackages();
  if (part !== "js") {
    ensureTools("wasm-bindgen");
    buildFacts();
    await buildWasm(GENERATED, "chain");
    await buildWasm(join(GENERATED, "crc32c"), "crc32c", ["--no-default-features"]);
    await buildDecoders();
    await buildPortable();
    await buildPortableDecoders();
    buildLicenses();
  }
  if (part !== "wasm") await buildJs();
}

if (realpathSync(process.argv[1]) === import.meta.filename) {
  const { positionals } = parseArgs({ allowPositionals: true });
  await build(...positionals);
}
