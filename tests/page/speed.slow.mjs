// Slow, and measures time: "Speed" in Chromium, a run of the smallest sizes, and one that is cancelled.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tables } from "../../bench/report.js";
import { expectAccessible, usePage } from "./page.mjs";

const SIZES = [256, 1024];
const CASES = {
  crc32c: { title: "crc32c(bytes)", equal: ["zarr-codecs", "hash-wasm", "@aws-crypto/crc32c", "crc-32"] },
  "decode-big-4": {
    title: "decode, bytes big, 4-byte components, fresh output",
    equal: ["zarr-codecs", "zarrita", "DataView loop", "TypedArray loop"],
  },
  "decode-big-4-out": {
    title: "decode, bytes big, 4-byte components, out",
    equal: ["zarr-codecs", "zarrita", "DataView loop", "TypedArray loop"],
  },
};

/** The section, with its choices unfolded. */
async function speedOf(tab) {
  const section = tab.locator("#speed");
  await section.getByText("Choose cases, sizes and rounds").click();
  const button = (name) => section.getByRole("button", { name, exact: true });

  /** Chooses cases by their titles and sizes by their names. */
  async function choose(titles, sizes, rounds) {
    for (const [legend, wanted] of Object.entries({ Cases: titles, Sizes: sizes })) {
      const group = section.getByRole("group", { name: legend });
      for (const box of await group.getByRole("checkbox").all()) await box.uncheck();
      for (const name of wanted) await group.getByRole("checkbox", { name, exact: true }).check();
    }
    await section.getByRole("spinbutton", { name: "Rounds" }).fill(String(rounds));
  }

  const measured = () => section.getByText("Measured on").waitFor({ timeout: 120_000 });
  return { section, button, choose, measured };
}

/** Fails if a ratio in the tables is not one that the benchmark would print. */
async function expectTables(section, report) {
  // `npm run bench -- --from` prints the same ratios from the report.
  const printed = tables(
    Object.entries(CASES).map(([name, { title }]) => ({ name, title })),
    report.results,
  );
  const ratios = await section.locator("td.number:not(:nth-child(2))").allTextContents();
  assert.equal(ratios.length, SIZES.length * (4 + 5 + 4));
  for (const ratio of ratios) assert.ok(printed.includes(` ${ratio} `), ratio);
}

/** Fails if a case has no plot, or an implementation no line in it. */
async function expectPlots(section) {
  const plots = section.getByRole("img", { name: /GB\/s by size$/ });
  assert.equal(await plots.count(), Object.keys(CASES).length);
  for (const plot of await plots.all()) {
    const lines = await plot.locator(".u-legend .u-series:not(:first-child)").count();
    assert.ok(lines >= 4);
    const colors = await plot.locator("canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const counts = new Map();
      for (const pixel of new Uint32Array(data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      // Opaque ones that are more than the rim of a line.
      return [...counts].filter(([pixel, count]) => pixel >>> 24 === 255 && count > 20).length;
    });
    assert.ok(colors >= lines - 1, `${colors} colours for ${lines} lines`);
  }
}

describe("speed", () => {
  const page = usePage();
  const permissions = ["clipboard-read", "clipboard-write"];
  const openSection = async () => {
    const tab = await page.open("", { permissions });
    return { tab, ...(await speedOf(tab)) };
  };

  test("the headline is measured here, and can be shared", async () => {
    const tab = await page.open();
    await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const section = tab.locator("#speed");
    await section.getByRole("button", { name: "Measure in 3 s" }).click();
    const sentence = /^CRC-32C at [\d.]+ GB\/s, [\d.]+ × hash-wasm on this machine\.$/;
    await section.locator(".headline").getByText(sentence).waitFor({ timeout: 60_000 });
    await section.getByRole("button", { name: "Copy the sentence" }).click();
    await section.getByRole("button", { name: "Copied" }).waitFor();
    const shared = await tab.evaluate(() => navigator.clipboard.readText());
    assert.match(shared, /^CRC-32C at .* × hash-wasm on .*, \d+ cores\. http:\S+#section=speed$/);
  });

  test("a run needs a case", async () => {
    const { section, button, choose } = await openSection();
    await choose([], ["256 B"], 3);
    await button("Run").click();
    const [first] = await section.getByRole("checkbox").all();
    assert.match(await first.evaluate((box) => box.validationMessage), /one case/);
    assert.equal(await button("Cancel").isDisabled(), true);
  });

  test("a run: all results are equal, the report can be copied, plots and tables show it", async () => {
    const { tab, section, button, choose, measured } = await openSection();
    const titles = Object.values(CASES).map(({ title }) => title);
    await choose(titles, ["256 B", "1 KiB"], 3);
    await button("Run").click();
    await measured();
    const comparisons = titles.length * SIZES.length;
    await section.getByText(`${comparisons} of ${comparisons} comparisons`).waitFor();
    assert.equal(await section.locator(".badge.good").textContent(), "all equal");

    await button("Copy as JSON").click();
    await button("Copied").waitFor();
    const report = JSON.parse(await tab.evaluate(() => navigator.clipboard.readText()));
    assert.deepEqual(
      report.agreements,
      Object.entries(CASES).flatMap(([name, { equal }]) =>
        SIZES.map((size) => ({ name, size, implementations: equal })),
      ),
    );
    assert.equal(report.rounds, 3);
    assert.equal(report.backend, "simd");
    assert.equal(report.crossOriginIsolated, true);
    assert.match(report.browser, new RegExp(` ${page.browser.version().split(".")[0]}, `));
    assert.ok(report.cores >= 1);
    assert.equal(new Date(report.date).toISOString(), report.date);
    for (const name of ["zarr-codecs", "zarrita", "hash-wasm"])
      assert.match(report.versions[name], /^\d+\.\d+/);
    assert.deepEqual(
      report.results.map(({ name, size }) => [name, size]),
      Object.keys(CASES).flatMap((name) => SIZES.map((size) => [name, size])),
    );
    for (const { implementations } of report.results) {
      for (const { seconds } of implementations) {
        assert.ok(0 < seconds.q1 && seconds.q1 <= seconds.median && seconds.median <= seconds.q3);
      }
    }

    await expectTables(section, report);
    await expectPlots(section);
  });
  test("a run can be cancelled, and another one started", async () => {
    const { section, button } = await openSection();
    await section.getByRole("radio", { name: /^Full/ }).check();
    assert.equal(
      await section.getByRole("group", { name: "Cases" }).getByRole("checkbox", { checked: false }).count(),
      0,
    );
    await button("Run").click();
    await section.getByText("comparing results").waitFor();
    assert.equal(await section.getByRole("progressbar").isVisible(), true);
    await button("Cancel").click();
    await section.getByText("Cancelled").waitFor();
    assert.equal(await button("Run").isDisabled(), false);
    assert.equal(await button("Copy as JSON").isDisabled(), true);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`accessible, and no wider than a telephone, ${colorScheme}`, async () => {
      const tab = await page.open("", { colorScheme, viewport: { width: 360, height: 740 } });
      const { button, choose, measured } = await speedOf(tab);
      await choose([CASES.crc32c.title], ["256 B"], 3);
      await button("Run").focus();
      await tab.keyboard.press("Enter");
      await measured();
      await expectAccessible(tab, "#speed");
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 360);
    });
  }
});
