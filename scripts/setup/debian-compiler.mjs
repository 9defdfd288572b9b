// Installs Debian's Rust compiler with a standard library for WebAssembly, unless both are installed. For machines where
// rustup cannot download. Run by ensure-wasm-target.mjs.

import { accessSync, constants, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../run.mjs";
import { asRoot, canInstall, install, updateLists } from "./apt.mjs";
import { die, quietly, say, TEMPORARY } from "./steps.mjs";
import { links, TARGET } from "./wasm-target.mjs";

const RUSTC = "/usr/bin/rustc";

const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Returns whether the compiler and its tools are installed and work. */
async function isReady() {
  const commands = ["rustc", "cargo", "cargo-clippy", "clippy-driver", "cargo-fmt", "rustfmt"];
  return commands.every((command) => isExecutable(`/usr/bin/${command}`)) && links(RUSTC);
}

async function installCompiler() {
  if (!canInstall()) return false;
  say("installing Debian's compiler (about 30 s)");
  await updateLists();
  return install("rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy", "rustfmt-web");
}

/** Reads a value of `rustc -vV`. */
const about = (key) => output(RUSTC, ["-vV"]).match(new RegExp(`^${key}: (.*)$`, "m"))[1];

/** Returns the folder of the compiler's libraries. */
const rustlib = () => join(output(RUSTC, ["--print", "sysroot"]).trim(), "lib/rustlib");

/** Installs the linker, which Debian packages by LLVM version, and links it into the folder where rustc looks for it. */
async function installLinker() {
  const [llvm] = about("LLVM version").split(".");
  if (!(await install(`lld-${llvm}`))) return false;
  const folder = join(rustlib(), about("host"), "bin");
  return (
    (await asRoot("mkdir", "-p", folder)) &&
    (await asRoot("ln", "-sfn", `/usr/bin/lld-${llvm}`, join(folder, "rust-lld")))
  );
}

const SCRATCH_CRATE = `[package]
name = "scratch"
version = "0.0.0"
edition = "2021"
[profile.release]
codegen-units = 1
`;

/**
 * Builds the standard library offline, from Debian's source and vendored crates, and installs it where the compiler looks for
 * it, so that builds need no flags.
 */
async function buildStandardLibrary() {
  say(`building the standard library for ${TARGET} (30 to 60 s, once per machine)`);
  const source = join(rustlib(), "src/rust");
  const work = join(TEMPORARY, "std");
  mkdirSync(join(work, "src"), { recursive: true });
  writeFileSync(join(work, "src/lib.rs"), "");
  writeFileSync(join(work, "Cargo.toml"), SCRATCH_CRATE);
  // The libraries contain bitcode, which LTO needs. Paths of the source are those of official builds, to strip local paths
  // from panic messages.
  const paths = [source, realpathSync(source)];
  const remaps = paths.map((path) => `--remap-path-prefix=${path}=/rustc/${about("commit-hash")}`);
  // In a clean environment, so that no flags, wrapper or cargo configuration of the user apply.
  const environment = [
    "PATH=/usr/bin:/bin",
    `CARGO_HOME=${join(work, "home")}`,
    `CARGO_TARGET_DIR=${join(work, "target")}`,
    `RUSTC=${RUSTC}`,
    "RUSTC_BOOTSTRAP=1",
    `RUSTFLAGS=${["-Cembed-bitcode=yes", ...remaps].join(" ")}`,
  ];
  const build = [
    "/usr/bin/cargo",
    "build",
    "--release",
    "--offline",
    "--target",
    TARGET,
    "-Zbuild-std=std,panic_abort,test",
    "--config",
    'source.crates-io.replace-with="debian"',
    "--config",
    `source.debian.directory='${source}/library/vendor'`,
  ];
  if (!(await quietly("env", ["-i", ...environment, ...build], { cwd: work }))) return false;
  const built = join(work, "target", TARGET, "release/deps");
  const libraries = readdirSync(built)
    .filter((name) => name.endsWith(".rlib") && !name.startsWith("libscratch-"))
    .map((name) => join(built, name));
  const folder = join(rustlib(), TARGET, "lib");
  return (
    (await asRoot("rm", "-rf", folder)) && asRoot("install", "-D", "-m", "644", "-t", folder, ...libraries)
  );
}

if (!(await isReady())) {
  const done =
    (await installCompiler()) &&
    (await installLinker()) &&
    ((await links(RUSTC)) || (await buildStandardLibrary()));
  if (!done) die("could not install Debian's compiler");
}
