// Starts the installed browsers for tests (`scripts/ensure-tools.mjs` installs them).
//
// Playwright drives Chromium and Firefox, the latter by WebDriver BiDi. It cannot drive WebKitGTK, which is only opened with a
// page; what runs in all three reports to the server of its page.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of the first of these commands. */
const find = (...names) =>
  names
    .flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)))
    .find(existsSync);

/** Starts Chromium with Playwright. */
export async function launchChromium(...flags) {
  const { chromium } = await import("playwright-core");
  const executablePath = find("chromium", "google-chrome");
  const found = executablePath ? { executablePath } : { channel: "chrome" };
  return chromium.launch({ ...found, args: ["--no-sandbox", ...flags] });
}

/** Starts Firefox with Playwright. Versions after 1.64 need a later Firefox than the extended support release 153. */
export async function launchFirefox() {
  const { firefox } = await import("playwright-core");
  return firefox.launch({
    channel: "moz-firefox",
    executablePath: find("firefox-esr", "firefox"),
    firefoxUserPrefs: { "ui.prefersReducedMotion": 1 }, // Playwright does not emulate it in Firefox.
  });
}

/** Opens a page with Playwright. */
async function openIn(browser, url) {
  const page = await browser.newPage();
  await page.goto(url);
  return { version: browser.version(), close: () => browser.close() };
}

/** Opens a page in WebKitGTK's browser, which has no headless mode. */
async function openInWebKit(url) {
  const browser = findMiniBrowser();
  const { stdout } = spawnSync("xvfb-run", ["-a", browser, "--version"], { encoding: "utf8" });
  const command = ["-a", browser, "--private", url];
  const { pid } = spawn("xvfb-run", command, { stdio: "ignore", detached: true });
  return { version: /[\d.]+/.exec(stdout)[0], close: async () => process.kill(-pid) };
}

/** Returns the path of WebKitGTK's browser, which Debian does not put on PATH. */
export function findMiniBrowser() {
  const folders = existsSync("/usr/lib") ? readdirSync("/usr/lib") : [];
  const paths = folders.map((folder) => join("/usr/lib", folder, "webkit2gtk-4.1/MiniBrowser"));
  return find("MiniBrowser") ?? paths.find(existsSync);
}

const OPEN = {
  Chromium: async (url, flags) => openIn(await launchChromium(...flags), url),
  Firefox: async (url) => openIn(await launchFirefox(), url),
  WebKit: openInWebKit,
};

/**
 * Opens a page in a browser: Chromium, Firefox or WebKit.
 *
 * @param flags for Chromium
 * @returns the version of the browser, and `close`, which ends it
 */
export const openBrowser = (name, url, ...flags) => OPEN[name](url, flags);
