// The browsers that the package is tested in, controlled by WebDriver. `scripts/ensure-tools` installs them.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Browser, Builder } from "selenium-webdriver";
import * as chrome from "selenium-webdriver/chrome.js";
import * as firefox from "selenium-webdriver/firefox.js";

/** Where the first of these commands is. */
const find = (...names) =>
  names
    .flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)))
    .find(existsSync);

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  server.close();
  return port;
}

const OPEN = {
  Chromium() {
    const options = new chrome.Options().addArguments("--headless=new", "--no-sandbox");
    options.setChromeBinaryPath(find("chromium", "google-chrome"));
    return new Builder()
      .forBrowser(Browser.CHROME)
      .setChromeOptions(options)
      .setChromeService(new chrome.ServiceBuilder(find("chromedriver")))
      .build();
  },

  Firefox() {
    const options = new firefox.Options().addArguments("-headless");
    options.setBinary(find("firefox-esr", "firefox"));
    return new Builder()
      .forBrowser(Browser.FIREFOX)
      .setFirefoxOptions(options)
      .setFirefoxService(new firefox.ServiceBuilder(find("geckodriver")))
      .build();
  },

  /** WebKitGTK, which has no mode without a display. */
  async WebKit() {
    const port = await freePort();
    const command = ["-a", "WebKitWebDriver", `--port=${port}`, "--host=127.0.0.1"];
    const server = spawn("xvfb-run", command, { stdio: "ignore", detached: true });
    const close = () => process.kill(-server.pid);
    const browser = { browserName: "MiniBrowser" };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const builder = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(browser);
        const driver = await builder.build();
        return Object.assign(driver, { close });
      } catch (error) {
        if (attempt === 20) {
          close();
          throw error;
        }
        await setTimeout(500);
      }
    }
  },
};

/** Opens a browser; `close` ends it. */
export async function openBrowser(name) {
  const driver = await OPEN[name]();
  const endServer = Object.hasOwn(driver, "close") ? driver.close : () => {};
  const capabilities = await driver.getCapabilities();
  return {
    version: capabilities.getBrowserVersion(),
    /** The text of a page, once there is any. */
    async read(url) {
      await driver.get(url);
      const text = () => driver.executeScript("return document.body.textContent.trim()");
      await driver.wait(async () => (await text()) !== "", 60_000, `nothing on ${url}`);
      return text();
    },
    async close() {
      await driver.quit().finally(endServer);
    },
  };
}
