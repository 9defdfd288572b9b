// `npm run check`: checks formatting, lints, types and documentation, in Rust and TypeScript. Changes nothing.

import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { ensurePackages, ensureTools, output, run } from "./run.mjs";
import { find, say } from "./setup/steps.mjs";

ensurePackages();
run("biome", ["ci"]);
ensureTools("wasm-bindgen");
run("node", ["scripts/version.mjs", "--check"]);
run("cargo", ["fmt", "--check"]);
const deny = ["--", "--deny", "warnings"];
run("cargo", ["clippy", "--locked", "--workspace", "--all-targets", ...deny]);
const forWasm = ["clippy", "--locked", "--target", "wasm32-unknown-unknown"];
for (const name of ["module", "decoders"])
  run("cargo", [...forWasm, "--package", `zarr-codecs-${name}`, ...deny]);
run("cargo", [...forWasm, "--tests", ...deny]);
checkMinimumRust();
run("cargo", ["doc", "--locked", "--workspace", "--no-deps"], { env: { RUSTDOCFLAGS: "--deny warnings" } });
await build();
// The page and the command import the package's types from dist/.
run("tsc", ["--project", "www"]);
run("tsc", ["--project", "cli"]);
// Checks the form of the package, and that its types resolve wherever ECMAScript modules do.
run("publint", ["--strict"]);
run("attw", [pack(), "--profile", "esm-only", "--no-definitely-typed", "--no-emoji"]);
run("typedoc", []);

/** Compiles the crates with the oldest compiler that Cargo.toml promises, `rust-version`, where rustup has it or may fetch it. */
function checkMinimumRust() {
  const { packages } = JSON.parse(output("cargo", ["metadata", "--no-deps", "--format-version", "1"]));
  const minimum = packages[0].rust_version;
  const isInstalled = find("rustup") && output("rustup", ["toolchain", "list"]).includes(`${minimum}-`);
  if (!isInstalled && (!find("rustup") || process.env.RUSTUP_AUTO_INSTALL === "0")) {
    say(`skipped compiling with Rust ${minimum}: rustup does not have it`);
    return;
  }
  if (!isInstalled) run("rustup", ["toolchain", "install", minimum, "--profile", "minimal"]);
  const check = ["cargo", "check", "--locked", "--workspace", "--target-dir", "target/minimum-rust"];
  run("rustup", ["run", minimum, ...check]);
}
