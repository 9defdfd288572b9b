// `npm run check`: checks formatting, lints, types and documentation, in Rust and TypeScript. Changes nothing.

import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { ensurePackages, ensureTools, run } from "./run.mjs";

ensurePackages();
run("biome", ["ci"]);
run("node", ["scripts/version.mjs", "--check"]);
ensureTools("wasm-bindgen");
run("cargo", ["fmt", "--check"]);
const deny = ["--", "--deny", "warnings"];
run("cargo", ["clippy", "--locked", "--workspace", "--all-targets", ...deny]);
const forWasm = ["clippy", "--locked", "--target", "wasm32-unknown-unknown"];
run("cargo", [...forWasm, "--package", "zarr-codecs-module", ...deny]);
run("cargo", [...forWasm, "--tests", ...deny]);
run("cargo", ["doc", "--locked", "--workspace", "--no-deps"], { env: { RUSTDOCFLAGS: "--deny warnings" } });
await build();
// The page and the command import the package's types from dist/.
run("tsc", ["--project", "www"]);
run("tsc", ["--project", "cli"]);
// Checks the form of the package, and that its types resolve wherever ECMAScript modules do.
run("publint", ["--strict"]);
run("attw", [pack(), "--profile", "esm-only", "--no-definitely-typed", "--no-emoji"]);
run("typedoc", []);
