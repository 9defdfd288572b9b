// The page in Chromium, from the first look to a broken byte; what it shows is compared with what zarr-python reads.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { dropPath, expectAccessible, startPage, verifyAll } from "./page.mjs";

const DATA = fileURLToPath(new URL("../../www/data", import.meta.url));
const CELLS = join(DATA, "cells.ome.zarr");
const { cells, sample } = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));
const LABELS = ["Nuclei", "Membranes", "Vesicles"];
/** The windows and colours of the channels, from the image's metadata. */
const CHANNELS = JSON.parse(readFileSync(join(CELLS, "zarr.json"), "utf8")).attributes.ome.omero.channels;
const hex = (checksum) => `0x${checksum.toString(16).padStart(8, "0")}`;

/** The number of a chunk in the first level, whose grid is 3 x 3 x 8 x 10. */
const chunkNumber = ([c, z, y, x]) => ((c * 3 + z) * 8 + (y >> 4)) * 10 + (x >> 4);

describe("the page in Chromium", () => {
  let page;
  let folder;
  let tab;
  let problems;

  before(async () => {
    page = await startPage();
    folder = mkdtempSync(join(tmpdir(), "page-"));
    await openTab();
    await expectText("Nuclei");
  });

  after(async () => {
    await page?.close();
    rmSync(folder, { recursive: true });
  });

  /** A tab of its own, in which the store is open. */
  async function openTab(path = "", options = {}) {
    await tab?.context().close();
    ({ tab, problems } = await page.open(
      { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options },
      path,
    ));
  }

  const viewer = () => tab.locator("#viewer");
  const picture = () => viewer().getByRole("application");
  const readout = () => viewer().locator(".readout");

  /** Where on the screen the middle of a pixel of a picture is. */
  async function pixel(locator, [row, column], [height, width]) {
    const box = await locator.boundingBox();
    return { x: ((column + 0.5) / width) * box.width, y: ((row + 0.5) / height) * box.height };
  }

  async function look(row, column, size) {
    await picture().hover({ position: await pixel(picture(), [row, column], size) });
  }

  /** What the readout has to become. */
  async function expectReadout(text, options = {}) {
    await tab
      .waitForFunction(
        (text) => document.querySelector("#viewer .readout").textContent.replaceAll(/\s+/g, " ") === text,
        text,
        options,
      )
      .catch(async () => assert.equal((await readout().textContent()).replaceAll(/\s+/g, " "), text));
  }

  /** What it has to become at a pixel of a store just opened, whose picture may still move as its surroundings appear. */
  async function expectReadoutAt(place, text) {
    await look(...place);
    await expectReadout(text, { timeout: 5000 }).catch(async () => {
      await look(...place);
      await expectReadout(text);
    });
  }

  const expectText = (text) =>
    tab.waitForFunction(
      (text) => document.querySelector("#viewer .readout").textContent.includes(text),
      text,
    );

  const setSlider = (name, value) => viewer().locator(`input[name="axis-${name}"]`).fill(String(value));

  async function openStore(label) {
    await tab.getByRole("button", { name: label }).click();
    await tab.getByText(`Open: ${label}`).waitFor();
  }

  test("every level shows the elements that zarr-python reads, wherever the sliders are", async () => {
    for (const [level, { shape, points }] of Object.entries(cells)) {
      await tab.getByLabel("Level of the pyramid").selectOption(`/${level}`);
      for (const [z, y, x, values] of points) {
        await setSlider("z", z);
        await look(y, x, shape.slice(2));
        const elements = values.map((value, channel) => `${LABELS[channel]} ${value}`).join(" ");
        await expectReadout(`z ${z} y ${y} x ${x} ${elements}`);
      }
    }
  });

  test("the picture has the colours of the channels, added", async () => {
    await tab.getByLabel("Level of the pyramid").selectOption("/0");
    for (const [z, y, x, values] of cells[0].points) {
      await setSlider("z", z);
      await look(y, x, [128, 160]);
      await tab.waitForFunction(
        (z) => document.querySelector("#viewer .readout").textContent.startsWith(`z ${z} `),
        z,
      );
      const expected = [0, 1, 2].map((component) =>
        Math.min(
          255,
          values.reduce((sum, value, channel) => sum + light(value, channel, component), 0),
        ),
      );
      // A step of the colour table for each channel, and rounding.
      const isPainted = ([red, green, blue, opacity]) =>
        [red, green, blue].every((component, i) => Math.abs(component - expected[i]) <= 6) && opacity === 255;
      await expectPainted([x, y], isPainted, `${[z, y, x]}: expected ${expected}`);
    }
  });

  /** The readout may have another slice before the picture has it. */
  async function expectPainted([x, y], isPainted, message) {
    const canvas = picture().locator("canvas");
    const painted = () =>
      canvas.evaluate(
        (canvas, [x, y]) => {
          const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
          context.drawImage(canvas, 0, 0);
          return [...context.getImageData(x, y, 1, 1).data];
        },
        [x, y],
      );
    const deadline = Date.now() + 10_000;
    while (!isPainted(await painted()) && Date.now() < deadline) await tab.waitForTimeout(20);
    const found = await painted();
    assert.ok(isPainted(found), `${message}, found ${found}`);
  }

  /** How much of a colour's component an element of a channel adds. */
  function light(value, channel, component) {
    const { color, window } = CHANNELS[channel];
    const share = Math.max(0, Math.min(1, (value - window.start) / (window.end - window.start)));
    return share * Number.parseInt(color.slice(2 * component, 2 * component + 2), 16);
  }

  test("a channel that is switched off is gone, and arrow keys move the point", async () => {
    const [[z, y, x, values]] = cells[0].points;
    await setSlider("z", z);
    await look(y, x, [128, 160]);
    await viewer().getByLabel("Membranes", { exact: true }).uncheck();
    await expectReadout(`z ${z} y ${y} x ${x} Nuclei ${values[0]} Vesicles ${values[2]}`);
    await viewer().getByLabel("Membranes", { exact: true }).check();
    await picture().focus();
    await tab.keyboard.press("ArrowDown");
    await tab.waitForFunction(
      (y) => document.querySelector(".readout").textContent.includes(`y ${y}`),
      y + 1,
    );
  });

  test("the window of a channel changes the picture", async () => {
    const brightness = () =>
      picture()
        .locator("canvas")
        .evaluate((canvas) => {
          const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
          context.drawImage(canvas, 0, 0);
          return context
            .getImageData(0, 0, canvas.width, canvas.height)
            .data.reduce((sum, value) => sum + value, 0);
        });
    const first = await brightness();
    const thumb = viewer().getByLabel("Nuclei, brightest");
    await thumb.focus();
    const value = Number(await thumb.inputValue());
    await tab.keyboard.press("PageDown");
    assert.ok(Number(await thumb.inputValue()) < value);
    await viewer()
      .getByText(`${CHANNELS[0].window.start} – ${CHANNELS[0].window.end}`)
      .waitFor({ state: "detached" });
    const deadline = Date.now() + 10_000;
    while ((await brightness()) <= first && Date.now() < deadline) await tab.waitForTimeout(20);
    assert.ok((await brightness()) > first);
  });

  test("the codec chain is told: of the chunks in a shard, and of its index", async () => {
    const boxes = await viewer().locator(".codec").allInnerTexts();
    assert.equal(boxes.length, 5);
    assert.match(boxes[0], /sharding_indexed[\s\S]*chunk shape 1 × 1 × 16 × 16[\s\S]*index location end/);
    assert.deepEqual(
      boxes.slice(1).map((text) => text.replaceAll("\n", " ")),
      ["bytes endian big", "crc32c", "bytes endian little", "crc32c"],
    );
  });

  test("the address says what is shown, and opens it again", async () => {
    await tab.getByLabel("Level of the pyramid").selectOption("/1");
    await setSlider("z", 2);
    await tab.getByRole("link", { name: "Integrity" }).click();
    assert.equal(new URL(tab.url()).hash, "#array=/1&slice=0,2,:,:&section=integrity");
    await tab.reload();
    await tab.getByText("Open: Cells").waitFor();
    assert.equal(await tab.getByLabel("Level of the pyramid").inputValue(), "/1");
    assert.equal(await viewer().locator('input[name="axis-z"]').inputValue(), "2");
    assert.equal(new URL(tab.url()).hash, "#array=/1&slice=0,2,:,:&section=integrity");
    await tab.evaluate(() => {
      location.hash = "#array=/0&slice=0,1,:,:";
    });
    await tab.waitForFunction(() => document.querySelector("select[name=level]").value === "/0");
  });

  test("all chunks are verified, and each shows the checksum that zarr-python stored", async () => {
    const { checksums } = cells[0];
    const missing = checksums.filter((checksum) => checksum === null).length;
    assert.deepEqual(await verifyAll(tab), {
      unchecked: 0,
      verified: checksums.length - missing,
      failed: 0,
      missing,
    });
    const grid = tab.locator("#integrity .chunk-grid");
    const detail = tab.locator("#integrity .detail");
    await grid.focus();
    await tab.keyboard.press("Home");
    for (const checksum of checksums.slice(1, 30)) {
      await tab.keyboard.press("ArrowRight");
      const text = (await detail.innerText()).replaceAll(/\s+/g, " ");
      if (checksum === null) assert.match(text, /missing/);
      else
        assert.match(
          text,
          new RegExp(`✓ verified Stored checksum ${hex(checksum)} Computed ${hex(checksum)} Bytes 516 `),
        );
    }
    // The first cell of the second block, under the mouse.
    const canvas = await grid.locator("canvas").boundingBox();
    await tab.mouse.move(canvas.x + 140 + 14 + 8, canvas.y + 16 + 8 + 14);
    assert.match(await detail.innerText(), /^0\/c\/0\/0\/0\/0 \[0, 1, 1, 0\]/);
    assert.ok((await detail.innerText()).includes(hex(checksums[90])));
  });

  test("a flipped bit: zarrita alone shows another number, we name chunk, checksums and bit", async () => {
    const [z, y, x, values] = cells[0].points.find(
      ([z, y, x]) => cells[0].checksums[chunkNumber([0, z, y, x])] !== null,
    );
    await setSlider("z", z);
    const section = tab.locator("#break-a-byte");
    const [theirs, ours] = await section.locator(".side").all();
    const target = theirs.getByRole("application");
    await target.click({ position: await pixel(target, [y, x], [128, 160]) });

    const stored = hex(cells[0].checksums[chunkNumber([0, z, y, x])]);
    await ours.getByText("✗ ChecksumMismatchError").waitFor();
    const verdict = (await ours.locator(".verdict").innerText()).replaceAll(/\s+/g, " ");
    const entry = [0, z, (y >> 4) % 4, (x >> 4) % 6].join(", ");
    const key = ["0/c/0/0", y >> 6, Math.floor(x / 96)].join("/");
    // The window is changed by a test above; which bit is suggested depends on it.
    const [, bit] = /bit (\d) of byte/.exec(verdict);
    const byte = 2 * ((y % 16) * 16 + (x % 16));
    assert.ok(verdict.includes(`Chunk ${key} [${entry}] Stored ${stored} Computed 0x`), verdict);
    assert.ok(!verdict.includes(`Computed ${stored}`));
    assert.ok(verdict.includes(`bit ${bit} of byte ${byte}: element [0, ${z}, ${y}, ${x}]`), verdict);

    const broken = values[0] ^ (1 << (8 + Number(bit)));
    const quiet = (await theirs.locator(".verdict").innerText()).replaceAll(/\s+/g, " ");
    assert.match(
      quiet,
      new RegExp(`^No error. Element \\[0, ${z}, ${y}, ${x}\\] is ${broken} here; it was ${values[0]}.$`),
    );

    assert.deepEqual((await verifyAll(tab)).failed, 1);
    const failures = await tab.locator("#integrity .failures li").allInnerTexts();
    assert.equal(failures.length, 1);
    assert.ok(
      failures[0].includes(`${key} [${entry}]`) && failures[0].includes(`stored ${stored}`),
      failures[0],
    );
    assert.match(await viewer().getByRole("alert").innerText(), /ChecksumMismatchError/);

    await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await tab.getByRole("button", { name: "Copy report" }).click();
    await tab.getByText("The report is in the clipboard.").waitFor();
    const report = await tab.evaluate(() => navigator.clipboard.readText());
    assert.match(
      report,
      /^Integrity of \/0 in Cells \(cells.ome.zarr\)\n720 chunks: 683 verified, 1 failed, 36 missing/,
    );
    assert.ok(report.includes(`failed: ${key} [${entry}]: stored ${stored}, computed 0x`), report);
  });

  test("a bit can be flipped by the keyboard alone, and mended", async () => {
    await tab.getByRole("button", { name: "Restore it" }).click();
    const ours = tab.locator("#break-a-byte .side").nth(1);
    await ours.getByText("No error.").waitFor();
    const bit = tab.getByRole("button", { name: "byte 1, bit 0" });
    assert.equal(await bit.getAttribute("aria-pressed"), "false");
    await bit.focus();
    await tab.keyboard.press("Enter");
    await ours.getByText(/bit 0 of byte \d*[13579]:/).waitFor();
    await tab.getByRole("button", { name: "Restore it" }).click();
    await ours.getByText("No error.").waitFor();
  });

  test("a bit that is hidden anywhere is found by verifying all, and shown", async () => {
    await tab.getByRole("button", { name: "Hide one somewhere" }).click();
    await tab.getByText("One bit of this array is flipped now").waitFor();
    assert.equal((await verifyAll(tab)).failed, 1);
    await tab.locator("#integrity .failures button").click();
    await viewer().locator(".picture rect").first().waitFor();
    await tab.getByRole("button", { name: "Restore it" }).click();
  });

  test("verifying can be cancelled", async () => {
    const slowly = async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    };
    await tab.context().route("**/c/**", slowly);
    await tab.getByRole("button", { name: "Verify all" }).click();
    await tab.locator("#integrity").getByRole("button", { name: "Cancel" }).click();
    await tab.getByText(/: cancelled$/).waitFor();
    await tab.context().unroute("**/c/**", slowly);
    assert.equal((await verifyAll(tab)).failed, 0);
  });

  test("a server that sends whole files in place of parts is complained about", async () => {
    const wholly = async (route) => {
      const { range, ...headers } = route.request().headers();
      await route.fulfill({ response: await route.fetch({ headers }) }); // So the browser keeps none of it.
    };
    await tab.context().route("**/c/**", wholly);
    await tab.getByLabel("Level of the pyramid").selectOption("/2");
    assert.equal((await verifyAll(tab)).failed, 54);
    await viewer()
      .getByText("This server does not send parts of files, which shards need.")
      .first()
      .waitFor();
    await tab.context().unroute("**/c/**", wholly);
    assert.equal((await verifyAll(tab)).failed, 0);
  });

  /** What verifying must say of an array of the sample store, which has a file for each chunk. */
  function storedChunks(name) {
    const array = join(DATA, "sample.zarr", name);
    const { codecs } = JSON.parse(readFileSync(join(array, "zarr.json"), "utf8"));
    const files = readdirSync(join(array, "c"), { recursive: true, withFileTypes: true });
    const chunks = files.filter((entry) => entry.isFile()).length;
    const hasChecksum = codecs.at(-1).name === "crc32c";
    const [unchecked, verified] = hasChecksum ? [0, chunks] : [chunks, 0];
    return { unchecked, verified, failed: 0, missing: 0 };
  }

  test("every data type of the sample store", async () => {
    await openStore("A world of data types");
    assert.match(tab.url(), /\?source=.*sample\.zarr/);
    for (const [name, { shape, points }] of Object.entries(sample)) {
      await viewer()
        .getByRole("button", { name: new RegExp(`^${name}`) })
        .click();
      assert.deepEqual(await verifyAll(tab), storedChunks(name));
      if (shape.length === 1) {
        await expectReadout(`${shape[0]} elements along time`);
        await viewer().locator(".plot canvas").waitFor();
        continue;
      }
      for (const point of points) {
        const position = point.slice(0, -1);
        if (shape.length === 3) await setSlider("frame", position[0]);
        await look(...position.slice(-2), shape.slice(-2));
        const expected = point.at(-1);
        await tab.waitForFunction(
          ([end, isClose]) => {
            const text = document.querySelector("#viewer .readout").textContent;
            const [where, value] = text.split("   ");
            if (!where.endsWith(end)) return false;
            const numbers = value
              .replaceAll(" ", "")
              .replaceAll("−", "-")
              .replace("i", "")
              .match(/true|false|-?[\d.]+(e-?\d+)?/g);
            return isClose.every((expected, i) =>
              typeof expected === "boolean"
                ? numbers[i] === String(expected)
                : Math.abs(numbers[i] - expected) < 1e-4,
            );
          },
          [` ${position.at(-1)}`, [expected].flat()],
        );
      }
    }
  });

  test("complex numbers are shown by magnitude and by phase", async () => {
    await viewer()
      .getByRole("button", { name: /^spectrum/ })
      .click();
    await viewer().getByLabel("Component").selectOption("phase");
    await viewer().getByText("-3.142 – 3.142").waitFor();
    assert.equal(await viewer().getByLabel("Colour map").inputValue(), "cyclic");
  });

  test("raw bytes, an array of one element, and what cannot be painted", async () => {
    const array = (dataType, shape, fillValue) => ({
      ...{ zarr_format: 3, node_type: "array", data_type: dataType, shape, fill_value: fillValue },
      chunk_grid: { name: "regular", configuration: { chunk_shape: shape.map((length) => length || 1) } },
      chunk_key_encoding: { name: "default" },
      codecs: [{ name: "bytes", configuration: { endian: "big" } }],
    });
    const write = (path, contents) => {
      const file = join(folder, "odd.zarr", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, contents);
    };
    write("zarr.json", JSON.stringify({ zarr_format: 3, node_type: "group" }));
    write("raw/zarr.json", JSON.stringify(array("r24", [2, 3], [0, 0, 0])));
    write(
      "raw/c/0/0",
      Uint8Array.from({ length: 18 }, (_, i) => 10 * i),
    );
    write("scalar/zarr.json", JSON.stringify(array("float64", [], 0)));
    write("scalar/c", Uint8Array.of(0x40, 0x0a, 0, 0, 0, 0, 0, 0));
    write("zero/zarr.json", JSON.stringify(array("uint8", [0, 4], 0)));

    await dropPath(tab, join(folder, "odd.zarr"));
    await tab.getByText("Open: odd.zarr").waitFor();
    await viewer().getByLabel("Component").selectOption("byte 2");
    await look(1, 2, [2, 3]);
    await expectReadout("d0 1 d1 2 170");
    await viewer()
      .getByRole("button", { name: /^scalar/ })
      .click();
    await expectReadout(" 3.25");
    assert.deepEqual(await verifyAll(tab), { unchecked: 1, verified: 0, failed: 0, missing: 0 });
    await viewer().getByRole("button", { name: /^zero/ }).click();
    await viewer().getByText("This array has no elements").waitFor();
  });

  test("a zip is opened", async () => {
    const files = readdirSync(CELLS, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const entries = files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [join("folder/cells.zarr", path.slice(CELLS.length)), [readFileSync(path), { level: 0 }]];
    });
    const path = join(folder, "cells.zip");
    writeFileSync(path, zipSync(Object.fromEntries(entries)));
    await tab.locator('input[accept^=".zip"]').setInputFiles(path);
    await tab.getByText("Open: cells.zip").waitFor();
    assert.deepEqual(await verifyAll(tab), { unchecked: 0, verified: 684, failed: 0, missing: 36 });
  });

  test("a folder is picked", async () => {
    await tab.locator("input[webkitdirectory]").setInputFiles(join(DATA, "sample.zarr"));
    await tab.getByText("Open: sample.zarr").waitFor();
    assert.equal(await viewer().locator(".tree button").count(), Object.keys(sample).length);
  });

  test("a folder is dropped", async () => {
    await dropPath(tab, CELLS);
    await tab.getByText("Open: cells.ome.zarr").waitFor();
    const [[z, y, x, values]] = cells[0].points;
    await setSlider("z", z);
    const elements = `Nuclei ${values[0]} Membranes ${values[1]} Vesicles ${values[2]}`;
    await expectReadoutAt([y, x, [128, 160]], `z ${z} y ${y} x ${x} ${elements}`);
  });

  /** A copy of the sample store with one file changed. */
  async function dropChanged(name, file, change) {
    const copy = join(folder, name);
    cpSync(join(DATA, "sample.zarr"), copy, { recursive: true });
    const path = join(copy, file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
    await dropPath(tab, copy);
  }

  const complaint = () => tab.locator("#store").getByRole("alert").innerText();

  test("an address without a store, or without a server, is complained about; what was open stays", async () => {
    const address = tab.getByLabel("Address of a store");
    await address.fill(`${page.url}nothing.zarr`);
    await address.press("Enter");
    await tab.locator("#store").getByRole("alert").waitFor();
    assert.match(await complaint(), /nothing\.zarr could not be opened: found no zarr\.json/);
    await tab.getByText("Still open: cells.ome.zarr").waitFor();

    const server = createServer().listen(0);
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    await address.fill(`http://localhost:${port}/x.zarr`);
    await address.press("Enter");
    await tab.getByText(/the server did not answer/).waitFor();
    assert.equal(await picture().isVisible(), true);
    assert.deepEqual(await verifyAll(tab), { unchecked: 0, verified: 684, failed: 0, missing: 36 });
  });

  test("bad metadata are complained about, with their place", async () => {
    await dropChanged("no-json.zarr", "zarr.json", (text) => text.slice(1));
    await tab.getByText(/no-json\.zarr could not be opened: zarr\.json is not valid JSON/).waitFor();
    await dropChanged("no-node.zarr", "zarr.json", (text) => text.replace('"group"', '"grape"'));
    await tab.getByText(/zarr\.json: node_type: expected "array" or "group", got "grape"/).waitFor();

    const middle = (text) => text.replaceAll('"endian": "big"', '"endian": "middle"');
    await dropChanged("middle.zarr", "zarr.json", middle);
    await tab.getByText("Open: middle.zarr").waitFor();
    await tab.getByRole("button", { name: "Verify all" }).click();
    const message =
      'InvalidMetadataError: codecs[0].configuration.endian: expected "little" or "big", got "middle"';
    await tab.locator("#integrity").getByText(message).waitFor();
  });

  test("a source in the address that cannot be opened is told at once", async () => {
    await openTab("?source=nowhere.zarr");
    await tab.getByText(/nowhere\.zarr could not be opened/).waitFor();
  });

  test("where the source in the address cannot be opened, the page's own is, and all of it works", async () => {
    await openTab("?source=nowhere.zarr");
    await tab.getByText("Open: Cells").waitFor();
    assert.match(await complaint(), /nowhere\.zarr could not be opened/);
    assert.equal((await verifyAll(tab)).failed, 0);
    await flipOne();
    assert.deepEqual(problems.filter(isNoComplaintOfTheNetwork), []);
  });

  test("where no store can be opened, nothing can be pressed, and a worker that is missing is told", async () => {
    await openTab();
    await tab.context().route("**/ours-*.js", (route) => route.abort());
    await tab.reload();
    await tab.getByText("Cells (cells.ome.zarr) could not be opened").waitFor();
    for (const button of await tab.locator("#break-a-byte button, #integrity button").all()) {
      await button.dispatchEvent("focus");
      assert.equal(await button.evaluate((button) => button.closest("[inert]") !== null), true);
    }
    assert.deepEqual(problems.filter(isNoComplaintOfTheNetwork), []);
  });

  const isNoComplaintOfTheNetwork = (problem) => !problem.startsWith("Failed to load resource");

  test("what is broken is told of where it is, and nowhere else", async () => {
    await openTab("#array=/0&slice=0,1,:,:");
    await flipOne();
    await expectVerdict(THEIRS, /^No error. Element \[0, 1, 57, 72\] is \d+ here; it was \d+.$/);
    const bits = tab.locator("#break-a-byte .bits");
    await setSlider("z", 2);
    for (const side of [THEIRS, OURS]) await expectVerdict(side, /^No error.$/);
    await bits.getByText("Element [0, 2, 57, 72] in the file").waitFor();
    await tab.getByText("The flipped bit is not in this picture.").waitFor();
    await tab.getByLabel("Level of the pyramid").selectOption("/1");
    await setSlider("z", 1);
    await tab.waitForFunction(() => location.hash.includes("slice=0,1,"));
    for (const side of [THEIRS, OURS]) await expectVerdict(side, /^No error.$/);
    await bits.getByText("Element [0, 1, 28, 36] in the file").waitFor();
    await tab.getByLabel("Level of the pyramid").selectOption("/0");
    await setSlider("z", 1);
    await expectVerdict(OURS, /^✗ ChecksumMismatchError/);
    await bits.getByText("Element [0, 1, 57, 72] in the file").waitFor();
    assert.equal(await bits.locator(".flipped").count(), 1);
  });

  test("without a checksum the damage is in both pictures, and nothing finds it", async () => {
    await openTab("?source=sample.zarr#array=/elevation");
    await tab.getByText("This codec chain has no crc32c: the flipped bit goes unnoticed.").waitFor();
    await tab.getByRole("button", { name: "Flip one bit" }).click();
    for (const side of [0, 1]) {
      await expectVerdict(side, /^No error. Element \[32, 64\] is (\S+) here; it was (?!\1\.)\S+\.$/);
    }
    await tab.getByRole("button", { name: "Hide one somewhere" }).click();
    await tab
      .getByText("One bit of this array is flipped now. Without a crc32c, nothing can locate it.")
      .waitFor();
    assert.equal((await verifyAll(tab)).failed, 0);
    await viewer()
      .getByRole("button", { name: /^temperature/ })
      .click();
    await tab.getByText("The flipped bit is not in this picture.").waitFor();
  });

  const [THEIRS, OURS] = [0, 1];

  async function flipOne() {
    await tab.getByRole("button", { name: "Flip one bit" }).click();
    await expectVerdict(OURS, /^✗ ChecksumMismatchError/);
  }

  /** What a side of “Break a byte” has to say. */
  async function expectVerdict(side, pattern) {
    const verdict = tab.locator("#break-a-byte .verdict").nth(side);
    const text = async () => (await verdict.innerText()).replaceAll(/\s+/g, " ");
    const deadline = Date.now() + 10_000;
    while (!pattern.test(await text()) && Date.now() < deadline) await tab.waitForTimeout(20);
    assert.match(await text(), pattern);
  }

  test("what cannot be read to be broken is told, and nothing is thrown", async () => {
    await openTab("?source=sample.zarr#array=/elevation");
    await tab.getByText("Open: A world").waitFor();
    await tab.getByText("in the file").waitFor();
    await tab.context().route("**/c/**", (route) => route.abort());
    await tab.getByRole("button", { name: "Flip one bit" }).click();
    await tab.locator("#break-a-byte").getByText("TypeError: Failed to fetch").waitFor();
    assert.deepEqual(problems.filter(isNoComplaintOfTheNetwork), []);
  });

  test("colours are changed without reading anything", async () => {
    await openTab();
    await expectText("Nuclei");
    await tab.locator("#break-a-byte .bits").getByText("in the file").waitFor();
    const asked = [];
    await tab.context().route("**/c/**", (route) => {
      asked.push(route.request().url());
      return route.continue();
    });
    await viewer().getByLabel("Nuclei, brightest").focus();
    for (let step = 0; step < 5; step += 1) await tab.keyboard.press("ArrowLeft");
    await tab.waitForTimeout(500);
    assert.deepEqual(asked, []);
    await setSlider("z", 2);
    await expectText("z 2");
    assert.notDeepEqual(asked, []);
  });

  test("without a channel the picture is black", async () => {
    await openTab();
    await expectText("Nuclei");
    for (const label of LABELS) await viewer().getByLabel(label, { exact: true }).uncheck();
    await tab.waitForFunction(() => /x \d+\s*$/.test(document.querySelector("#viewer .readout").textContent));
    assert.equal(await viewer().getByRole("alert").isVisible(), false);
    const colours = await picture()
      .locator("canvas")
      .evaluate((canvas) => {
        const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
        context.drawImage(canvas, 0, 0);
        return [...new Set(new Uint32Array(context.getImageData(0, 0, 160, 128).data.buffer))];
      });
    assert.deepEqual(colours, [0xff000000]);
  });

  test("controls follow what another part of the page shows", async () => {
    await openTab("#array=/0&slice=0,1,:,:");
    await expectText("Nuclei");
    await viewer().getByLabel("Nuclei", { exact: true }).uncheck();
    await tab.evaluate(() => {
      location.hash = "#array=/0&slice=0,2,:,:";
    });
    await expectText("z 2");
    assert.equal(await viewer().locator('input[name="axis-z"]').inputValue(), "2");
    const grid = tab.locator("#integrity .chunk-grid");
    await grid.focus();
    await tab.keyboard.press("Home");
    await tab.keyboard.press("Enter");
    await expectText("z 0");
    await expectText("Nuclei");
    assert.equal(await viewer().locator('input[name="axis-z"]').inputValue(), "0");
    assert.equal(await viewer().getByLabel("Nuclei", { exact: true }).isChecked(), true);
  });

  /** A promise, and what fulfils it. */
  function deferred() {
    let resolve;
    const promise = new Promise((fulfil) => {
      resolve = fulfil;
    });
    return { promise, resolve };
  }

  test("of two stores that are opened at once, the one asked for last is shown, however slow the other is", async () => {
    await openTab();
    await expectText("Nuclei");
    const { promise: wait, resolve: answer } = deferred();
    const { promise: answered, resolve: tell } = deferred();
    await tab.context().route("**/sample.zarr/zarr.json", async (route) => {
      await wait;
      await route.continue();
      tell();
    });
    await tab.getByRole("button", { name: "A world" }).click();
    await tab.getByRole("button", { name: "Cells" }).click();
    await tab.getByText("Open: Cells").waitFor();
    answer();
    await answered;
    await tab.waitForTimeout(500);
    assert.equal(await tab.getByText("Open: Cells").isVisible(), true);
    await setSlider("z", 2);
    await expectText("z 2");
    await expectText("Nuclei");
  });

  test("a store that one worker cannot open is open in none", async () => {
    let asked = 0;
    await openTab();
    await expectText("Nuclei");
    await tab.context().route("**/sample.zarr/zarr.json", (route) => {
      asked += 1;
      return asked === 1 ? route.continue() : route.abort();
    });
    await tab.getByRole("button", { name: "A world" }).click();
    await tab.getByText("Still open: Cells").waitFor();
    await tab.getByLabel("Level of the pyramid").selectOption("/2");
    await expectText("Nuclei");
    assert.equal(await picture().isVisible(), true);
    assert.equal((await verifyAll(tab)).failed, 0);
  });

  test("an error of an array that is no longer shown is not told", async () => {
    await openTab("?source=sample.zarr#array=/elevation");
    await tab.getByText("Open: A world").waitFor();
    await tab.locator("#break-a-byte .bits").getByText("in the file").waitFor();
    const { promise: wait, resolve: answer } = deferred();
    await tab.context().route("**/land_mask/zarr.json", async (route) => {
      await wait;
      await route.abort();
    });
    await viewer()
      .getByRole("button", { name: /^land_mask/ })
      .click();
    await viewer()
      .getByRole("button", { name: /^elevation/ })
      .click();
    answer();
    await tab.locator("#break-a-byte .bits").getByText("in the file").waitFor();
    await picture().waitFor();
    await tab.waitForTimeout(500);
    assert.equal(await picture().isVisible(), true);
    assert.equal(await viewer().getByRole("alert").isVisible(), false);
  });

  test("nothing but the page's own server is asked", async () => {
    const asked = [];
    await openTab();
    tab.on("request", (request) => asked.push(new URL(request.url()).origin));
    await tab.reload();
    await tab.getByText("Open: Cells").waitFor();
    await verifyAll(tab);
    assert.ok(asked.length > 10);
    assert.deepEqual([...new Set(asked)], [new URL(page.url).origin]);
    assert.deepEqual(problems, []);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`labels, contrast and roles are in order, ${colorScheme}`, async () => {
      await openTab("", { colorScheme });
      await tab.getByText("Open: Cells").waitFor();
      await tab.getByRole("button", { name: "Flip one bit" }).click();
      await tab.getByText("✗ ChecksumMismatchError").waitFor();
      await verifyAll(tab);
      await expectAccessible(tab, "body");
    });
  }

  test("a narrow screen is wide enough", async () => {
    await openTab("", { viewport: { width: 360, height: 740 } });
    await tab.getByText("Open: Cells").waitFor();
    await verifyAll(tab);
    assert.ok((await tab.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  });
});
