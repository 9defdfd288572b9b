// Drives the installed browsers for tests (`scripts/ensure-tools.mjs` installs them).
//
// Two drivers, because neither can replace the other. Playwright intercepts requests, traces tasks, emulates colour schemes
// and waits for elements, but of the installed browsers it drives only Chromium: it downloads its own builds of Firefox and
// WebKit. WebDriver drives all three installed browsers, but has none of those features.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Returns the path of the first of these commands. */
const find = (...names) =>
  names
    .flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)))
    .find(existsSync);

const findChromium = () => find("chromium", "google-chrome");

/** Starts Chromium with Playwright. */
export async function launchChromium(...flags) {
  const { chromium } = await import("playwright-core");
  const executablePath = findChromium();
  const found = executablePath ? { executablePath } : { channel: "chrome" };
  return chromium.launch({ ...found, args: ["--no-sandbox", ...flags] });
}

/** Functions that start each browser with WebDriver, with a window of this size where supported. */
const START = {
  async Chromium({ Browser, Builder }, { width, height }) {
    const { default: chrome } = await import("selenium-webdriver/chrome.js");
    const options = new chrome.Options()
      .addArguments("--headless=new", "--no-sandbox", "--force-prefers-reduced-motion")
      .windowSize({ width, height });
    options.setChromeBinaryPath(findChromium());
    return new Builder()
      .forBrowser(Browser.CHROME)
      .setChromeOptions(options)
      .setChromeService(new chrome.ServiceBuilder(find("chromedriver")))
      .build();
  },

  async Firefox({ Browser, Builder }, { width, height }) {
    const { default: firefox } = await import("selenium-webdriver/firefox.js");
    const options = new firefox.Options()
      .addArguments("-headless", `--width=${width}`, `--height=${height}`)
      .setPreference("ui.prefersReducedMotion", 1);
    options.setBinary(find("firefox-esr", "firefox"));
    return new Builder()
      .forBrowser(Browser.FIREFOX)
      .setFirefoxOptions(options)
      .setFirefoxService(new firefox.ServiceBuilder(find("geckodriver")))
      .build();
  },

  /** Starts WebKitGTK, which has no headless mode. */
  async WebKit({ Builder }) {
    const port = await freePort();
    const command = ["-a", "WebKitWebDriver", `--port=${port}`, "--host=127.0.0.1"];
    const server = spawn("xvfb-run", command, { stdio: "ignore", detached: true });
    const endServer = () => process.kill(-server.pid);
    const browser = { browserName: "MiniBrowser" };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const builder = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(browser);
        const driver = await builder.build();
        return Object.assign(driver, { endServer });
      } catch (error) {
        if (attempt === 20) {
          endServer();
          throw error;
        }
        await setTimeout(500);
      }
    }
  },
};

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  server.close();
  return port;
}

/** Starts a browser with WebDriver. `quit` ends it. */
export async function startDriver(name, size = { width: 1280, height: 1000 }) {
  const { default: webdriver } = await import("selenium-webdriver");
  const driver = await START[name](webdriver, size);
  const endServer = Object.hasOwn(driver, "endServer") ? driver.endServer : () => {};
  return { driver, quit: () => driver.quit().finally(endServer) };
}

/** Starts a browser that reads the text of pages. `close` ends it. */
export async function openBrowser(name) {
  const { driver, quit } = await startDriver(name);
  const capabilities = await driver.getCapabilities();
  return {
    version: capabilities.getBrowserVersion(),
    /** Returns the text of a page, once it has some. */
    async read(url) {
      await driver.get(url);
      const text = () => driver.executeScript("return document.body.textContent.trim()");
      await driver.wait(async () => (await text()) !== "", 60_000, `nothing on ${url}`);
      return text();
    },
    close: quit,
  };
}
