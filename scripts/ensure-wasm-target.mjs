// Makes `cargo build --target wasm32-unknown-unknown` work in this checkout without flags, and with it wasm-pack, clippy and
// rustfmt. Takes less than a second if it already works.
//
//   node scripts/ensure-wasm-target.mjs
//
// Runs `rustup target add`. If rustup cannot download, or must not (RUSTUP_AUTO_INSTALL=0 in the environment), on Linux uses
// Debian's compiler, with a standard library built once from Debian's source.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./run.mjs";
import { die, find, quietly, say } from "./setup/steps.mjs";
import { links, TARGET } from "./setup/wasm-target.mjs";

parseArgs({ options: {} });

/** The name of Debian's compiler in rustup. */
const DEBIAN_TOOLCHAIN = "debian";

async function addRustupTarget() {
  say(`adding ${TARGET} to the rustup toolchain (about 10 s)`);
  if (!(await quietly("rustup", ["target", "add", TARGET]))) say("rustup could not add it");
}

/** Installs Debian's compiler, in one process of the machine at a time, and selects it for this checkout. */
async function useDebianCompiler() {
  const script = [process.execPath, join(ROOT, "scripts/setup/debian-compiler.mjs")];
  const [command, ...args] = find("flock") ? ["flock", "/", ...script] : script;
  if (spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] }).status !== 0) return;
  if (!find("rustup")) return;
  // For this checkout only, so that other projects keep their compiler. Takes precedence over rust-toolchain.toml.
  say(`selecting Debian's compiler for ${ROOT} (rustup override)`);
  await quietly("rustup", ["toolchain", "link", DEBIAN_TOOLCHAIN, "/usr"]);
  await quietly("rustup", ["override", "set", DEBIAN_TOOLCHAIN]);
}

function explain() {
  const { RUSTUP_TOOLCHAIN } = process.env;
  if (RUSTUP_TOOLCHAIN) {
    die(`RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN} has no ${TARGET}; unset it, or add the target to it`);
  }
  const debian =
    "; on Debian 12, as root or with sudo, the packages rustc-web, cargo-web, rust-web-src, rust-web-clippy and " +
    "rustfmt-web (no other rustc before them on PATH), then run this script again";
  const rustup = `with rustup, \`rustup target add ${TARGET}\``;
  die(`cannot build for ${TARGET}. Install it: ${rustup}${process.platform === "linux" ? debian : ""}.`);
}

/** Yields the ways to make the target work, in order of preference. */
function* remedies() {
  if (find("rustup") && process.env.RUSTUP_AUTO_INSTALL !== "0") yield addRustupTarget;
  if (process.platform === "linux") yield useDebianCompiler;
}

let works = await links("rustc");
for (const remedy of remedies()) {
  if (works) break;
  await remedy();
  works = await links("rustc");
}
if (!works) explain();
