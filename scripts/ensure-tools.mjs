// Makes the named tools available (all of them when none is named). Does nothing when they are.
//
//   node scripts/ensure-tools.mjs [--print-path] [wasm-bindgen] [wasm-pack] [chromium] [firefox] [webkit]
//
// With --print-path the folders that go before PATH are printed, joined as PATH is; nothing when there are none.
//
// What is on PATH in the right version is used as it is. Otherwise wasm-bindgen (the command and its test runner, in the
// version that Cargo.lock has), wasm-pack and geckodriver are built by cargo into a cache that all checkouts of a user
// share, and browsers are installed by apt: each with the command by which WebDriver controls it, WebKit with a display
// for machines that have none.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, parse } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./run.mjs";
import { canInstall, install, updateLists } from "./setup/apt.mjs";
import { die, find, oneAtATime, say, TEMPORARY } from "./setup/steps.mjs";

const WASM_PACK_VERSION = "0.15.1";
const GECKODRIVER_VERSION = "0.37.1";
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "zarr-codecs/tools");

/** The folders that go before PATH. */
const folders = [];

/** Whether each of these commands, in a folder or on PATH, has a version, as the first line it prints says. */
function areVersion(folder, version, commands) {
  return commands.every((command) => {
    const { stdout } = spawnSync(join(folder, command), ["--version"], { encoding: "utf8" });
    return `${stdout?.split(/\r?\n/)[0]} `.startsWith(`${command} ${version} `);
  });
}

/** Builds the commands of a crate into a folder. */
function buildCrate(crate, version, root, commands) {
  // One target folder, for the crates in common. From the root of the file system, so that no toolchain, flag or cargo
  // configuration of this checkout applies. Unoptimized: builds in half the time, and is fast enough for a small module.
  // Without --locked: the lock file of wasm-bindgen-cli may name a version that is withdrawn.
  const env = {
    ...{ CARGO_PROFILE_DEV_DEBUG: "0", CARGO_TARGET_DIR: join(TEMPORARY, "target") },
    ...{ RUSTUP_TOOLCHAIN: undefined, CARGO_BUILD_TARGET: undefined },
    ...{ RUSTFLAGS: undefined, CARGO_ENCODED_RUSTFLAGS: undefined },
  };
  const wanted = commands.map((command) => `--bin=${command}`);
  const args = ["install", "--debug", "--root", root, ...wanted, `${crate}@${version}`];
  return oneAtATime(CACHE, "cargo", args, { cwd: parse(ROOT).root, env });
}

/** Makes the commands of a crate available. */
async function ensureCrate(crate, version, seconds, ...commands) {
  if (areVersion("", version, commands)) return;
  const root = join(CACHE, `${crate}-${version}`);
  const bin = join(root, "bin");
  if (!areVersion(bin, version, commands)) {
    if (!find("cargo")) die(`${crate} ${version} is not here, and no cargo to build it with`);
    mkdirSync(CACHE, { recursive: true });
    say(`building ${crate} ${version} (about ${seconds} s, once per user)`);
    if (!(await buildCrate(crate, version, root, commands))) die(`could not build ${crate} ${version}`);
    if (!areVersion(bin, version, commands)) die(`${bin}: not ${crate} ${version}; remove it`);
  }
  folders.push(bin);
}

/** Installs Debian packages that have a browser. */
async function installBrowser(seconds, what, ...packages) {
  if (!canInstall()) die(`install ${what}, on PATH`);
  say(`installing ${what} (about ${seconds} s)`);
  await updateLists();
  if (!(await install(...packages))) die(`could not install ${what}`);
}

/** Whether a browser is on PATH, or where macOS or Windows has it. */
function hasBrowser(commands, application, program) {
  const programs = [process.env.ProgramFiles, process.env["ProgramFiles(x86)"]].filter(Boolean);
  const places = [join("/Applications", application), ...programs.map((folder) => join(folder, program))];
  return find(...commands) !== undefined || places.some((place) => existsSync(place));
}

function hasChromium() {
  const chrome = ["Google Chrome.app", "Google/Chrome/Application/chrome.exe"];
  return find("chromedriver") !== undefined && hasBrowser(["chromium", "google-chrome"], ...chrome);
}

const TOOLS = {
  "wasm-bindgen": async () => {
    const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
    const [, version] = lock.match(/^name = "wasm-bindgen"\r?\nversion = "(.*)"$/m);
    await ensureCrate("wasm-bindgen-cli", version, 70, "wasm-bindgen", "wasm-bindgen-test-runner");
  },

  "wasm-pack": () => ensureCrate("wasm-pack", WASM_PACK_VERSION, 40, "wasm-pack"),

  chromium: async () => {
    if (hasChromium()) return;
    const what = "Chromium (or Google Chrome) and the ChromeDriver of its version";
    await installBrowser(20, what, "chromium", "chromium-driver");
  },

  firefox: async () => {
    const isThere = hasBrowser(["firefox", "firefox-esr"], "Firefox.app", "Mozilla Firefox/firefox.exe");
    if (!isThere) await installBrowser(15, "Firefox", "firefox-esr");
    if (!find("geckodriver")) await ensureCrate("geckodriver", GECKODRIVER_VERSION, 60, "geckodriver");
  },

  webkit: async () => {
    if (["WebKitWebDriver", "xvfb-run", "xauth"].every((command) => find(command))) return;
    await installBrowser(30, "WebKitWebDriver and xvfb-run", "webkit2gtk-driver", "xvfb", "xauth");
  },
};

const { values, positionals } = parseArgs({
  options: { "print-path": { type: "boolean", default: false } },
  allowPositionals: true,
});
for (const tool of positionals.length > 0 ? positionals : Object.keys(TOOLS)) {
  if (!Object.hasOwn(TOOLS, tool)) die(`no such tool: ${tool}`);
  await TOOLS[tool]();
}
if (values["print-path"]) console.log(folders.join(delimiter));
