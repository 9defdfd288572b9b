// Installs the named tools, or all of them, unless they are installed.
//
//   node scripts/ensure-tools.mjs [--print-path] [wasm-bindgen] [wasm-pack] [chromium] [firefox] [webkit] [servers] [slurm]
//
// --print-path prints the folders to prepend to PATH, joined like PATH, if there are any.
//
// Without names, installs all but servers and slurm, which few tests need.
//
// Uses tools on PATH that have the right version. Otherwise cargo builds wasm-bindgen (the command and its test runner, in the
// version of Cargo.lock), wasm-pack and s3s-fs in a cache that all checkouts of a user share, and apt installs browsers (Chromium
// with the ChromeDriver that wasm-pack needs, WebKit with a virtual display), web servers and Slurm.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, parse } from "node:path";
import { parseArgs } from "node:util";
import { findMiniBrowser } from "./browsers.mjs";
import { ROOT } from "./run.mjs";
import { canInstall, install, updateLists } from "./setup/apt.mjs";
import { die, find, oneAtATime, say, TEMPORARY } from "./setup/steps.mjs";

const WASM_PACK_VERSION = "0.15.1";
/** An S3-compatible server. Later versions need a later compiler. */
const S3S_VERSION = "0.14.1";
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "zarr-codecs/tools");

/** The folders to prepend to PATH. */
const folders = [];

/** Returns whether these commands, in a folder or on PATH, print this version. */
function areVersion(folder, version, commands) {
  return commands.every((command) => {
    const { stdout } = spawnSync(join(folder, command), ["--version"], { encoding: "utf8" });
    return `${stdout?.split(/\r?\n/)[0]} `.startsWith(`${command} ${version} `);
  });
}

/** Builds the commands of a crate into a folder. */
function buildCrate(crate, version, root, commands, features) {
  // One target folder, to share dependencies. Runs in the root of the file system, so that no toolchain, flags or cargo
  // configuration of this checkout apply. Unoptimized, which builds in half the time and is fast enough for a small module.
  // Without --locked, because the lock file of wasm-bindgen-cli may contain yanked versions.
  const env = {
    CARGO_PROFILE_DEV_DEBUG: "0",
    CARGO_TARGET_DIR: join(TEMPORARY, "target"),
    RUSTUP_TOOLCHAIN: undefined,
    CARGO_BUILD_TARGET: undefined,
    RUSTFLAGS: undefined,
    CARGO_ENCODED_RUSTFLAGS: undefined,
  };
  const wanted = commands.map((command) => `--bin=${command}`);
  const args = ["install", "--debug", "--root", root, ...features, ...wanted, `${crate}@${version}`];
  return oneAtATime(CACHE, "cargo", args, { cwd: parse(ROOT).root, env });
}

/** Builds a crate, unless its commands are available. */
async function ensureCrate(crate, version, seconds, commands, features = []) {
  if (areVersion("", version, commands)) return;
  const root = join(CACHE, `${crate}-${version}`);
  const bin = join(root, "bin");
  if (!areVersion(bin, version, commands)) {
    if (!find("cargo")) die(`${crate} ${version} is not installed, nor is cargo to build it`);
    mkdirSync(CACHE, { recursive: true });
    say(`building ${crate} ${version} (about ${seconds} s, once per user)`);
    if (!(await buildCrate(crate, version, root, commands, features)))
      die(`could not build ${crate} ${version}`);
    if (!areVersion(bin, version, commands)) die(`${bin}: not ${crate} ${version}; remove it`);
  }
  folders.push(bin);
}

/** Installs Debian packages. */
async function installPackages(seconds, what, ...packages) {
  if (!canInstall()) die(`install ${what} on PATH`);
  say(`installing ${what} (about ${seconds} s)`);
  await updateLists();
  if (!(await install(...packages))) die(`could not install ${what}`);
}

/** Returns whether a browser is on PATH, or where macOS or Windows installs it. */
function hasBrowser(commands, application, program) {
  const programs = [process.env.ProgramFiles, process.env["ProgramFiles(x86)"]].filter(Boolean);
  const places = [join("/Applications", application), ...programs.map((folder) => join(folder, program))];
  return find(...commands) !== undefined || places.some((place) => existsSync(place));
}

function hasChromium() {
  const chrome = ["Google Chrome.app", "Google/Chrome/Application/chrome.exe"];
  return find("chromedriver") !== undefined && hasBrowser(["chromium", "google-chrome"], ...chrome);
}

/** Daemons are in a folder that PATH may lack. */
const findDaemon = (name) =>
  find(name) ?? (existsSync(`/usr/sbin/${name}`) ? `/usr/sbin/${name}` : undefined);

const TOOLS = {
  "wasm-bindgen": async () => {
    const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
    const [, version] = lock.match(/^name = "wasm-bindgen"\r?\nversion = "(.*)"$/m);
    await ensureCrate("wasm-bindgen-cli", version, 70, ["wasm-bindgen", "wasm-bindgen-test-runner"]);
  },

  "wasm-pack": () => ensureCrate("wasm-pack", WASM_PACK_VERSION, 40, ["wasm-pack"]),

  chromium: async () => {
    if (hasChromium()) return;
    const what = "Chromium (or Google Chrome) and the ChromeDriver of its version";
    await installPackages(20, what, "chromium", "chromium-driver");
  },

  firefox: async () => {
    const isThere = hasBrowser(["firefox", "firefox-esr"], "Firefox.app", "Mozilla Firefox/firefox.exe");
    if (!isThere) await installPackages(15, "Firefox", "firefox-esr");
  },

  webkit: async () => {
    if (findMiniBrowser() && find("xvfb-run") && find("xauth")) return;
    await installPackages(30, "WebKitGTK's MiniBrowser and xvfb-run", "libwebkit2gtk-4.1-0", "xvfb", "xauth");
  },
};

/** Tools that are installed only by their name. */
const ON_DEMAND = {
  servers: async () => {
    if (!findDaemon("nginx") || !find("caddy"))
      await installPackages(10, "nginx and Caddy", "nginx-light", "caddy");
    await ensureCrate("s3s-fs", S3S_VERSION, 120, ["s3s-fs"], ["--features=binary"]);
  },

  slurm: async () => {
    if (findDaemon("slurmctld") && findDaemon("slurmd") && findDaemon("munged")) return;
    await installPackages(10, "Slurm", "slurm-wlm", "munge");
  },
};

const { values, positionals } = parseArgs({
  options: { "print-path": { type: "boolean", default: false } },
  allowPositionals: true,
});
for (const tool of positionals.length > 0 ? positionals : Object.keys(TOOLS)) {
  const ensure = { ...TOOLS, ...ON_DEMAND }[tool] ?? (() => die(`no such tool: ${tool}`));
  await ensure();
}
if (values["print-path"]) console.log(folders.join(delimiter));
