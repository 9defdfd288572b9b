// `npm run check`: formatting, lints and types, in Rust and TypeScript. Changes nothing; `npm run format` does.

import { build } from "./build.mjs";
import { ensurePackages, ensureTools, run } from "./run.mjs";

ensurePackages();
run("npx", ["biome", "ci"]);
ensureTools("wasm-bindgen");
run("cargo", ["fmt", "--check"]);
const deny = ["--", "--deny", "warnings"];
run("cargo", ["clippy", "--locked", "--all-targets", ...deny]);
run("cargo", [
  ...["clippy", "--locked", "--target", "wasm32-unknown-unknown", "--features", "fixed-memory", "--tests"],
  ...deny,
]);
run("cargo", ["doc", "--locked", "--no-deps"], { env: { RUSTDOCFLAGS: "--deny warnings" } });
build();
