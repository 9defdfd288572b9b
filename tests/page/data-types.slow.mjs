// Slow: many tabs of a browser.
//
// Arrays of every data type in the viewer, and what of them is verified.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { useFolder, usePage } from "./page.mjs";
import { DATA, dropPath, EXPECTED, expectOpen, integrityOf, viewerOf } from "./sections.mjs";

const { sample } = EXPECTED;

/** What verifying must find in an array of the sample store, which has a file for each chunk. */
function storedChunks(name) {
  const array = join(DATA, "sample.zarr", name);
  const { codecs } = JSON.parse(readFileSync(join(array, "zarr.json"), "utf8"));
  const files = readdirSync(join(array, "c"), { recursive: true, withFileTypes: true });
  const chunks = files.filter((entry) => entry.isFile()).length;
  const [unchecked, verified] = codecs.at(-1).name === "crc32c" ? [0, chunks] : [chunks, 0];
  return { unchecked, verified, decoded: 0, failed: 0, missing: 0 };
}

/** The numbers of an element in the readout, or whether it is true. */
const componentsOf = (text) =>
  text
    .replaceAll(" ", "")
    .replaceAll("−", "-")
    .replace("i", "")
    .match(/true|false|-?[\d.]+(e-?\d+)?/g);

const isClose = (expected, text) =>
  typeof expected === "boolean" ? text === String(expected) : Math.abs(text - expected) < 1e-4;

describe("data types", () => {
  const page = usePage();
  const folder = useFolder();

  for (const [name, { shape, points }] of Object.entries(sample)) {
    test(`${name} of the sample store`, async () => {
      const tab = await page.open(`?source=sample.zarr#array=/${name}`);
      const viewer = viewerOf(tab);
      await expectOpen(tab, "A world of data types");
      assert.deepEqual(await integrityOf(tab).verifyAll(), storedChunks(name));
      if (shape.length === 1) {
        await viewer.expectReadout(`${shape[0]} elements along time`);
        await viewer.section.locator(".plot canvas").waitFor();
        return;
      }
      for (const point of points) {
        const [position, expected] = [point.slice(0, -1), [point.at(-1)].flat()];
        if (shape.length === 3) await viewer.setSlider("frame", position[0]);
        const end = ` ${position.at(-1)}`;
        const isShown = async () => {
          const [where, value = ""] = (await viewer.readout.textContent()).split("   ");
          const found = componentsOf(value) ?? [];
          return where.endsWith(end) && expected.every((each, i) => isClose(each, found[i]));
        };
        for (let attempt = 0; attempt < 200 && !(await isShown()); attempt += 1) {
          await viewer.look(...position.slice(-2), shape.slice(-2));
          await tab.waitForTimeout(20);
        }
        assert.ok(await isShown(), `${point}: ${await viewer.readout.textContent()}`);
      }
    });
  }

  test("complex numbers are shown by magnitude and by phase", async () => {
    const tab = await page.open("?source=sample.zarr#array=/spectrum");
    const { section } = viewerOf(tab);
    await section.getByLabel("Component").selectOption("phase");
    await section.getByText("-3.142 – 3.142").waitFor();
    assert.equal(await section.getByLabel("Colour map").inputValue(), "cyclic");
  });

  test("raw bits, an array of one element, and an array of none", async () => {
    const array = (dataType, shape, fillValue) => ({
      zarr_format: 3,
      node_type: "array",
      data_type: dataType,
      shape,
      fill_value: fillValue,
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

    const tab = await page.open();
    const viewer = viewerOf(tab);
    await viewer.expectImage();
    await dropPath(tab, join(folder, "odd.zarr"));
    await expectOpen(tab, "odd.zarr");
    await viewer.section.getByLabel("Component").selectOption("byte 2");
    await viewer.expectAt(1, 2, [2, 3], "d0 1 d1 2 170");
    await viewer.show("scalar");
    await viewer.expectReadout(" 3.25");
    const counts = await integrityOf(tab).verifyAll();
    assert.deepEqual(counts, { unchecked: 1, verified: 0, decoded: 0, failed: 0, missing: 0 });
    await viewer.show("zero");
    await viewer.section.getByText("This array has no elements").waitFor();
  });
});
