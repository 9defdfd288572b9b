// Builds the package into dist/. `npm run build` does all of it; `wasm` and `js` name one half.

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
import { join } from "node:path";
import { ensurePackages, ensureTools, ROOT, run } from "./run.mjs";

const GENERATED = join(ROOT, "js/backend/generated");
/** The file whose date tells whether the others are up to date. */
const LAST_OUTPUT = join(GENERATED, "wasm.js");
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

/** Rust to WebAssembly, its glue, and the module in hexadecimal: everything in js/backend/generated/. */
function buildWasm() {
  ensureTools("wasm-bindgen");
  // The memory is fixed: 64 KiB of stack, the arena, the window and the tables; it cannot grow.
  const memory = ["-zstack-size=65536", "--no-growable-memory"].map((arg) => `-Clink-arg=${arg}`);
  // Panic messages name source files; those of this machine's folders are nobody's business.
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry/src");
  const remap = JSON.stringify([`--remap-path-prefix=${sources}=/crates`]);
  run("cargo", [
    "rustc",
    ...["--config", `target.${TARGET}.rustflags=${remap}`],
    ...["--release", "--locked", "--target", TARGET, "--package", "zarr-codecs-module"],
    ...["--", ...memory],
  ]);
  const compiled = join(ROOT, `target/${TARGET}/release/zarr_codecs_module.wasm`);
  if (existsSync(LAST_OUTPUT) && statSync(LAST_OUTPUT).mtimeMs > statSync(compiled).mtimeMs) return;
  rmSync(GENERATED, { recursive: true, force: true });
  run("wasm-bindgen", [
    compiled,
    ...["--out-name", "rust", "--target", "web", "--omit-default-module-path", "--out-dir", GENERATED],
    "--experimental-reset-state-function",
    ...["--remove-name-section", "--remove-producers-section"],
  ]);
  const module = join(GENERATED, "rust_bg.wasm");
  run("wasm-opt", ["-Os", "--strip-target-features", ...FEATURES, module, "-o", module]);
  // Not base64, whose characters do not begin where bytes do: compressed, it is a fifth longer than this.
  const hex = readFileSync(module).toString("hex");
  writeFileSync(join(GENERATED, "wasm.d.ts"), "export declare const WASM_HEX: string;\n");
  writeFileSync(LAST_OUTPUT, `export const WASM_HEX =\n  "${hex}";\n`);
}

/** TypeScript to dist/, with the generated files beside it. */
function buildJs() {
  rmSync(DIST, { recursive: true, force: true });
  run("tsc", ["--project", "tsconfig.json"]);
  const generated = join(DIST, "backend/generated");
  mkdirSync(generated, { recursive: true });
  for (const file of ["rust.js", "rust.d.ts", "wasm.js", "wasm.d.ts"]) {
    cpSync(join(GENERATED, file), join(generated, file));
  }
  cpSync(join(GENERATED, "rust_bg.wasm"), join(DIST, "zarr_codecs.wasm"));
}

export function build(part) {
  ensurePackages();
  if (part !== "js") buildWasm();
  if (part !== "wasm") buildJs();
}

if (realpathSync(process.argv[1]) === import.meta.filename) build(process.argv[2]);
