// Builds the package into dist/. `npm run build` does all of it; `wasm` and `js` name one half.

import {
  appendFileSync,
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
import { ensurePackages, ensureTools, output, ROOT, run } from "./run.mjs";

const JS = join(ROOT, "js");
const GENERATED = join(JS, "wasm/generated");
const FACTS = join(JS, "generated/facts.ts");
const DIST = join(ROOT, "dist");
const TARGET = "wasm32-unknown-unknown";

/** What the compiled module may use; wasm-opt accepts nothing else. */
const FEATURES = [
  "simd",
  "reference-types",
  "multivalue",
  "bulk-memory",
  "sign-ext",
  "nontrapping-float-to-int",
  "mutable-globals",
].map((feature) => `--enable-${feature}`);

/** Compiles the module into the folder `target`, with flags for Cargo and for the compiler. */
function compile(target, { cargo = [], rustc = [] } = {}) {
  // The memory is fixed: 64 KiB of stack, the arena, the window and the tables; it cannot grow.
  const memory = ["-zstack-size=65536", "--stack-first", "--no-growable-memory"].map(
    (arg) => `-Clink-arg=${arg}`,
  );
  // Panic messages name source files; those of this machine's folders are nobody's business.
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry/src");
  const rustflags = JSON.stringify([`--remap-path-prefix=${sources}=/crates`, ...rustc]);
  const args = [
    ...["rustc", "--release", "--locked", "--target", TARGET, "--target-dir", target],
    ...["--config", `target.${TARGET}.rustflags=${rustflags}`],
    ...["--package", "zarr-codecs-module", ...cargo, "--", ...memory],
  ];
  // Flags in the environment would take the place of those here, without a word.
  run("cargo", args, { env: { RUSTFLAGS: undefined, CARGO_ENCODED_RUSTFLAGS: undefined } });
}

/** The compiled module in the folder `target`. */
const compiledIn = (target) => join(target, `${TARGET}/release/zarr_codecs_module.wasm`);

/** Whether an output is newer than the module it is made of, and than this script. */
function isNewer(output, module) {
  const date = (path) => statSync(path).mtimeMs;
  return existsSync(output) && date(output) > Math.max(date(module), date(import.meta.filename));
}

/**
 * Numbers the imports of a module where wasm-bindgen has put hashes into their names. Hashes do not compress: in the names on
 * both sides they would take 0.8 kB of what users download.
 */
function numberImports(folder) {
  const [glue, module] = ["rust.js", "rust_bg.wasm"].map((file) => join(folder, file));
  const source = readFileSync(glue, "utf8");
  const numbers = new Map([...new Set(source.match(HASH))].map((hash, i) => [hash, `${i}`.padStart(hash.length, "0")]));
  const numbered = (text) => text.replace(HASH, (hash) => numbers.get(hash) ?? hash);
  writeFileSync(glue, numbered(source));
  // Of the same length, so that a text replacement leaves the format intact.
  writeFileSync(module, numbered(readFileSync(module, "latin1")), "latin1");
}

const HASH = /(?<=__wb\w+_)[0-9a-f]{16}/g;

/** Writes a module and its glue into a folder. */
function bindgen(module, folder) {
  run("wasm-bindgen", [
    module,
    ...["--out-name", "rust", "--target", "web", "--omit-default-module-path", "--out-dir", folder],
    "--experimental-reset-state-function",
    ...["--remove-name-section", "--remove-producers-section"],
  ]);
  numberImports(folder);
  // Its other initialization fetches a file; not exported, it is left out by bundlers. The functions as one object spare
  // the loaders a namespace object, which bundlers would build with a loop over inherited members too.
  const glue = join(folder, "rust.js");
  const source = readFileSync(glue, "utf8").replace(/export \{ initSync, .* \};/, "export { initSync };");
  const names = Array.from(source.matchAll(/^export function (\w+)/gm), ([, name]) => name);
  writeFileSync(glue, `${source}\nexport const functions = { ${names.join(", ")} };\n`);
  const types = `${names.map((name) => `${name}: typeof ${name}`).join("; ")}`;
  appendFileSync(join(folder, "rust.d.ts"), `\nexport declare const functions: { ${types} };\n`);
}

/** Rust to WebAssembly, its glue, and the module in hexadecimal, all in a folder. */
function buildWasm(folder, target, cargo) {
  const lastOutput = join(folder, "wasm.js");
  compile(target, { cargo });
  if (isNewer(lastOutput, compiledIn(target))) return;
  rmSync(folder, { recursive: true, force: true });
  bindgen(compiledIn(target), folder);
  const module = join(folder, "rust_bg.wasm");
  // Only the last KiB of the stack is at addresses below 1024. So no address that a small number is added to wraps around,
  // and loads and stores can do the addition: a tenth less time for the checksum of 256 bytes.
  const options = ["-Os", "--low-memory-unused", "--strip-target-features", ...FEATURES];
  run("wasm-opt", [...options, module, "-o", module]);
  // Not base64, whose characters do not begin where bytes do: compressed, it is a fifth longer than this.
  const hex = readFileSync(module).toString("hex");
  writeFileSync(join(folder, "wasm.d.ts"), "export declare const WASM_HEX: string;\n");
  writeFileSync(lastOutput, `export const WASM_HEX =\n  "${hex}";\n`);
}

/** What TypeScript needs to know of Rust's tables: js/generated/facts.ts. */
function buildFacts() {
  const facts = output("cargo", ["run", "--quiet", "--locked", "--package", "zarr-codecs-facts"]);
  mkdirSync(dirname(FACTS), { recursive: true });
  writeFileSync(FACTS, facts);
}

/** What the build that wasm2js translates may use; other features are lowered before. */
const LOWERED = ["bulk-memory", "sign-ext", "nontrapping-float-to-int", "mutable-globals"];

/** The same Rust without SIMD instructions, to JavaScript, and its glue: js/wasm/generated/portable/. */
function buildPortable() {
  const folder = join(GENERATED, "portable");
  const lastOutput = join(folder, "webassembly.js");
  const target = join(ROOT, "target/portable");
  const flags = ["-Ctarget-cpu=mvp", "-Ctarget-feature=-simd128,-reference-types,-multivalue"];
  compile(target, { rustc: flags });
  const compiled = compiledIn(target);
  if (isNewer(lastOutput, compiled)) return;
  rmSync(folder, { recursive: true, force: true });
  // The standard library says that it uses reference types, which wasm-bindgen then relies on and wasm2js cannot do.
  const plain = join(target, "zarr_codecs.wasm");
  const features = [...LOWERED, "reference-types", "multivalue"].map((feature) => `--enable-${feature}`);
  run("wasm-opt", ["-O0", ...features, "--strip-target-features", compiled, "-o", plain]);
  bindgen(plain, folder);
  const module = join(folder, "rust_bg.wasm");
  run("wasm-opt", [
    ...["-Oz", ...LOWERED.map((feature) => `--enable-${feature}`)],
    ...["--llvm-memory-copy-fill-lowering", "--signext-lowering", "--llvm-nontrapping-fptoint-lowering"],
    ...[module, "-o", module],
  ]);
  const translated = join(target, "zarr_codecs.js");
  run("wasm2js", ["-Oz", "--emscripten", module, "-o", translated]);
  rmSync(module);
  const glue = join(folder, "rust.js");
  writeFileSync(glue, `import { WebAssembly } from "./webassembly.js";\n${readFileSync(glue, "utf8")}`);
  writeFileSync(
    join(folder, "webassembly.d.ts"),
    'export declare const WebAssembly: Pick<typeof globalThis.WebAssembly, "Module" | "Instance">;\n',
  );
  // wasm2js has made a function of the module, `instantiate`. For the glue that is a host which has compiled it. (To
  // begin anew the glue calls `__wbindgen_start`, which a module without reference types does not have.)
  const host = `export const WebAssembly = {
  Module: class {},
  Instance: class {
    constructor(module, imports) { this.exports = { __wbindgen_start() {}, ...instantiate(imports) }; }
  },
};
`;
  writeFileSync(lastOutput, readFileSync(translated, "utf8") + host);
}

/** The files of the package that call Rust, each of which is also bundled for other hosts. */
const FILES = ["index", "core", "numcodecs", "zarrita-codecs", "translation", "register", "zarrita"];
/** CRC-32C alone: a file without the others, where a host compiles a module of its own. */
const CRC32C = "crc32c";
/** Rust as JavaScript: large, written by a program, of no use to a reader. */
const TRANSLATED = "wasm/generated/portable/webassembly.js";
/** Those that all bundles share. */
const SHARED = ["errors.js", "wasm/loaders/portable.js", TRANSLATED, "zarr_codecs.wasm"];

/**
 * Bundles modules of js/ into files of the same names, in a folder of dist/. They import each other; whatever else they
 * import goes into each. `condition` selects the loader of Rust's functions (`#loader` in package.json).
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
    logLevel: "warning",
    plugins: [{ name: "files", setup: ({ onResolve }) => onResolve({ filter: /^\.\.?\// }, resolve) }],
  });
}

/** TypeScript to dist/: types for each module, and code in few files, which load faster. */
async function buildJs() {
  rmSync(DIST, { recursive: true, force: true });
  const { transform } = await import("esbuild");
  run("tsc", ["--project", "tsconfig.json"]);
  await bundle(["errors"]);
  await bundle(FILES);
  await bundle([CRC32C], { condition: "crc32c" });
  await bundle([...FILES, CRC32C], { condition: "workerd", folder: "workerd" });
  await bundle(["index", "core"], { condition: "portable", folder: "portable" });
  writeFileSync(join(DIST, "portable/index.d.ts"), 'export * from "../index.js";\n');
  await bundle(["wasm/loaders/portable"]);
  const generated = join(DIST, "wasm/generated");
  for (const file of ["rust.d.ts", "wasm.d.ts"]) {
    cpSync(join(GENERATED, file), join(generated, file));
  }
  for (const file of ["rust.d.ts", "webassembly.d.ts"]) {
    cpSync(join(GENERATED, "portable", file), join(generated, "portable", file));
  }
  const { code } = await transform(readFileSync(join(JS, TRANSLATED)), { minify: true });
  writeFileSync(join(DIST, TRANSLATED), code);
  cpSync(join(GENERATED, "rust_bg.wasm"), join(DIST, "zarr_codecs.wasm"));
  cpSync(join(JS, "zarr_codecs.d.wasm.ts"), join(DIST, "zarr_codecs.d.wasm.ts"));
}

export async function build(part) {
  ensurePackages();
  if (part !== "js") {
    ensureTools("wasm-bindgen");
    buildFacts();
    buildWasm(GENERATED, join(ROOT, "target"));
    buildWasm(join(GENERATED, "crc32c"), join(ROOT, "target/crc32c"), ["--no-default-features"]);
    buildPortable();
  }
  if (part !== "wasm") await buildJs();
}

if (realpathSync(process.argv[1]) === import.meta.filename) {
  const { positionals } = parseArgs({ allowPositionals: true });
  await build(...positionals);
}
