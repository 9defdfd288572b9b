// The viewer: what it shows of an image is what zarr-python reads.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { usePage } from "./page.mjs";
import { CELLS, EXPECTED, expectAllRead, integrityOf, LABELS, SIZE, viewerOf } from "./sections.mjs";

const { cells } = EXPECTED;
/** The windows and colours of the channels, from the image's metadata. */
const CHANNELS = JSON.parse(readFileSync(join(CELLS, "zarr.json"), "utf8")).attributes.ome.omero.channels;

/** How much an element of a channel adds to a component of a colour. */
function light(value, channel, component) {
  const { color, window } = CHANNELS[channel];
  const share = Math.max(0, Math.min(1, (value - window.start) / (window.end - window.start)));
  return share * Number.parseInt(color.slice(2 * component, 2 * component + 2), 16);
}

describe("the viewer", () => {
  const page = usePage();

  async function openImage(path) {
    const tab = await page.open(path);
    const viewer = viewerOf(tab);
    await viewer.expectImage();
    return { tab, viewer };
  }

  test("every level shows the elements that zarr-python reads, at any position of the sliders", async () => {
    const { viewer } = await openImage();
    for (const [level, { shape, points }] of Object.entries(cells)) {
      await viewer.level.selectOption(`/${level}`);
      for (const [z, y, x, values] of points) {
        await viewer.setSlider("z", z);
        const elements = values.map((value, channel) => `${LABELS[channel]} ${value}`).join(" ");
        await viewer.expectAt(y, x, shape.slice(2), `z ${z} y ${y} x ${x} ${elements}`);
      }
    }
  });

  test("a pixel is the sum of the colours of its channels", async () => {
    const { viewer } = await openImage("#array=/0");
    for (const [z, y, x, values] of cells[0].points) {
      await viewer.setSlider("z", z);
      const expected = [0, 1, 2].map((component) =>
        Math.min(
          255,
          values.reduce((sum, value, channel) => sum + light(value, channel, component), 0),
        ),
      );
      const start = 4 * (y * SIZE[1] + x);
      // A step of the colour table for each channel, and rounding.
      const isPainted = (pixels) =>
        expected.every((component, i) => Math.abs(pixels[start + i] - component) <= 6) &&
        pixels[start + 3] === 255;
      await viewer.expectPixels(isPainted, `${[z, y, x]}: expected ${expected}`);
    }
  });

  test("a hidden channel is not shown, and arrow keys move the point", async () => {
    const { tab, viewer } = await openImage();
    const [[z, y, x, values]] = cells[0].points;
    await viewer.setSlider("z", z);
    await viewer.section.getByLabel("Membranes", { exact: true }).uncheck();
    const elements = `Nuclei ${values[0]} Vesicles ${values[2]}`;
    await viewer.expectAt(y, x, SIZE, `z ${z} y ${y} x ${x} ${elements}`);
    await viewer.picture.focus();
    await tab.keyboard.press("ArrowDown");
    await viewer.expectText(`y ${y + 1}`);
  });

  test("without visible channels the picture is black", async () => {
    const { viewer } = await openImage();
    for (const label of LABELS) await viewer.section.getByLabel(label, { exact: true }).uncheck();
    const isBlack = (pixels) => pixels.every((component, i) => component === (i % 4 === 3 ? 255 : 0));
    await viewer.expectPixels(isBlack, "a black picture");
    assert.match(await viewer.readout.textContent(), /x \d+\s*$/);
    assert.equal(await viewer.section.getByRole("alert").isVisible(), false);
  });

  test("a narrower window makes the picture brighter", async () => {
    const { tab, viewer } = await openImage();
    const brightness = (pixels) => pixels.reduce((sum, component) => sum + component, 0);
    const before = brightness(await viewer.pixels());
    const thumb = viewer.section.getByLabel("Nuclei, brightest");
    await thumb.focus();
    const value = Number(await thumb.inputValue());
    await tab.keyboard.press("PageDown");
    assert.ok(Number(await thumb.inputValue()) < value);
    const { start, end } = CHANNELS[0].window;
    await viewer.section.getByText(`${start} – ${end}`).waitFor({ state: "detached" });
    await viewer.expectPixels((pixels) => brightness(pixels) > before, "a brighter picture");
  });

  test("changing colours reads nothing; changing the slice does", async () => {
    const { tab, viewer } = await openImage();
    const requested = [];
    await tab.context().route("**/cells.ome.zarr/0/c/**", (route) => {
      requested.push(`${route.request().url()} ${route.request().headers().range}`);
      return route.continue();
    });
    await tab.reload();
    await viewer.expectImage();
    await expectAllRead(tab);
    const before = requested.length;
    assert.ok(before > 0);
    await viewer.section.getByLabel("Nuclei, brightest").focus();
    for (let step = 0; step < 5; step += 1) await tab.keyboard.press("ArrowLeft");
    // What is read for colours would be read before what is read for the slice, and would have been read before.
    await viewer.setSlider("z", 2);
    await viewer.expectText("z 2");
    await expectAllRead(tab);
    assert.ok(requested.length > before);
    assert.deepEqual(requested, [...new Set(requested)]);
  });

  test("the codec chain is shown: of the chunks in a shard, and of its index", async () => {
    const { viewer } = await openImage();
    const boxes = await viewer.section.locator(".codec").allInnerTexts();
    assert.equal(boxes.length, 5);
    assert.match(boxes[0], /sharding_indexed[\s\S]*chunk shape 1 × 1 × 16 × 16[\s\S]*index location end/);
    assert.deepEqual(
      boxes.slice(1).map((text) => text.replaceAll("\n", " ")),
      ["bytes endian big", "crc32c", "bytes endian little", "crc32c"],
    );
  });

  test("the address says what is shown, and opens it again", async () => {
    const { tab, viewer } = await openImage();
    await viewer.level.selectOption("/1");
    await viewer.setSlider("z", 2);
    await tab.getByRole("link", { name: "Integrity" }).click();
    const expected = "#array=/1&slice=0,2,:,:&section=integrity";
    assert.equal(new URL(tab.url()).hash, expected);
    await tab.reload();
    await viewer.expectImage();
    assert.equal(await viewer.level.inputValue(), "/1");
    assert.equal(await viewer.slider("z"), "2");
    assert.equal(new URL(tab.url()).hash, expected);
    await tab.evaluate(() => {
      location.hash = "#array=/0&slice=0,1,:,:";
    });
    await viewer.expectText("z 1");
    assert.equal(await viewer.level.inputValue(), "/0");
  });

  test("controls follow what another part of the page shows", async () => {
    const { tab, viewer } = await openImage("#array=/0&slice=0,1,:,:");
    const nuclei = viewer.section.getByLabel("Nuclei", { exact: true });
    await nuclei.uncheck();
    await tab.evaluate(() => {
      location.hash = "#array=/0&slice=0,2,:,:";
    });
    await viewer.expectText("z 2");
    assert.equal(await viewer.slider("z"), "2");
    await integrityOf(tab).grid.focus();
    await tab.keyboard.press("Home");
    await tab.keyboard.press("Enter");
    await viewer.expectText("z 0");
    await viewer.expectText("Nuclei");
    assert.equal(await viewer.slider("z"), "0");
    assert.equal(await nuclei.isChecked(), true);
  });

  test("a server that sends whole files instead of parts serves as well", async () => {
    const { tab, viewer } = await openImage();
    const requested = [];
    await tab.context().route("**/cells.ome.zarr/**/c/**", async (route) => {
      const { range, ...headers } = route.request().headers();
      requested.push(route.request().url());
      await route.fulfill({ response: await route.fetch({ headers }) }); // Keeps the browser from caching it.
    });
    await tab.reload();
    await viewer.expectImage();
    await viewer.level.selectOption("/2");
    const [z, y, x, values] = cells[2].points[0];
    await viewer.setSlider("z", z);
    const elements = values.map((value, channel) => `${LABELS[channel]} ${value}`).join(" ");
    await viewer.expectAt(y, x, cells[2].shape.slice(2), `z ${z} y ${y} x ${x} ${elements}`);
    assert.ok(requested.length > 0);
    assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
  });

  test("of an array that is still being read, nothing of the one before is shown", async () => {
    const tab = await page.open("?source=sample.zarr#array=/pressure");
    const viewer = viewerOf(tab);
    await viewer.expectText("elements along");
    await tab.context().route("**/elevation/c/**", () => {});
    await viewer.show("elevation");
    await tab.waitForURL(/array=\/elevation/);
    assert.equal(await viewer.readout.textContent(), "");
    assert.equal(await viewer.section.locator(".plot").isVisible(), false);
  });
});
