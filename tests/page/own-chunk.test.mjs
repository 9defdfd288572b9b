// "Your own chunk" in Chromium: chunks that other implementations wrote, and what is wrong with broken ones.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chunksOf, fromHex, sameBytes, valueOfHalf } from "../js/vectors.mjs";
import { expectAccessible, longestTask, startPage } from "./page.mjs";

const vectors = JSON.parse(readFileSync(new URL("../vectors/zarr-python.json", import.meta.url), "utf8"));
const rawBits = JSON.parse(readFileSync(new URL("../vectors/tensorstore.json", import.meta.url), "utf8"));

/** The first chunk of an array by its name. */
function vector(name, { writer, arrays } = vectors) {
  const array = arrays.find((array) => array.name === name);
  return chunksOf({ writer, arrays: [array] }).next().value;
}

/** What a table's cell says, as components. */
function parseCell(text, dataType) {
  if (dataType === "bool") return [{ false: 0, true: 1 }[text]];
  if (dataType.startsWith("complex")) return complexComponents(text);
  if (/^r\d/.test(dataType)) return [...fromHex(text)];
  return [/64$/.test(dataType) && !dataType.startsWith("float") ? BigInt(text) : Number(text)];
}

function complexComponents(text) {
  const [, real, imaginary] = /^(-?(?:NaN|Infinity|[\d.]+(?:e[+-]\d+)?))([+-].*)i$/.exec(text);
  return [Number(real), Number(imaginary)];
}

/** The numbers of the data type that decimal ones stand for. */
function rounded(numbers, dataType) {
  if (["float32", "complex64"].includes(dataType)) return numbers.map(Math.fround);
  return dataType === "float16" ? numbers.map(nearestHalf) : numbers;
}

const HALVES = Array.from({ length: 1 << 16 }, (_, bits) => valueOfHalf(bits));

function nearestHalf(number) {
  if (number === 0 || !Number.isFinite(number)) return number;
  const distance = (half) => Math.abs(half - number);
  return HALVES.reduce((nearest, half) => (distance(half) < distance(nearest) ? half : nearest), 0);
}

/** The components that went in, as a table can show them. */
function shownComponents({ components }, dataType) {
  return dataType === "float16" ? Array.from(components, valueOfHalf) : [...components];
}

/** Decoding 64 MiB and looking through so many elements takes several times as long. */
const LONGEST_TASK_MS = 150;

describe("your own chunk", () => {
  let page;
  let tab;
  let problems;
  let section;

  before(async () => {
    page = await startPage();
    ({ tab, problems } = await page.open({ acceptDownloads: true }));
    section = tab.locator("#own-chunk");
    await settled();
  });

  after(() => page?.close());

  const settled = () => tab.locator("#own-chunk [role=status][aria-busy=false]").waitFor();
  const metadataText = () => section.getByRole("textbox", { name: "Metadata" });
  const error = () => section.locator(".error");

  async function paste(metadata) {
    await metadataText().fill(typeof metadata === "string" ? metadata : JSON.stringify(metadata, null, 2));
    await settled();
  }

  async function pick(bytes, name = "0") {
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
    await section.getByLabel("Pick a chunk file").setInputFiles(file);
    await settled();
  }

  async function choose(option, value) {
    await section.getByRole("combobox", { name: option }).selectOption(value);
    await settled();
  }

  /** All elements, in C order, as the table shows them part by part. */
  async function tableCells({ rows, columns, planes }) {
    const cells = [];
    for (let plane = 0; plane < planes; plane += 1) {
      if (planes > 1) await section.getByLabel(/^Axis 0/).fill(String(plane));
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; ) {
          await section.getByLabel("From column").fill(String(column));
          const shown = await tableRow(plane, row, column, columns);
          cells.push(...shown);
          column += shown.length;
        }
      }
    }
    return cells;
  }

  /** The cells of one row of the table from a column on. */
  async function tableRow(plane, row, column, columns) {
    await section.getByText(plane > 0 ? `at [${plane}]` : "Shown: rows").waitFor();
    const cells = await tab.waitForFunction(
      ([row, column, columns]) => {
        const table = document.querySelector("#own-chunk table");
        const texts = (cells) => Array.from(cells, ({ textContent }) => textContent);
        const header = texts(table.tHead.querySelectorAll("th"));
        const line = [...table.tBodies[0].rows].find(({ cells }) => cells[0].textContent === String(row));
        // The last part begins further to the left, to be as wide as the others.
        const from = header.indexOf(String(column));
        if (from < 0 || (from > 0 && header.at(-1) !== String(columns - 1))) return undefined;
        return texts(line.cells).slice(1 + from);
      },
      [row, column, columns],
    );
    return cells.jsonValue();
  }

  const SHOWN = [
    ...[
      "bool-crc32c-1d",
      "int8-crc32c-1d",
      "int16-big-crc32c-1d",
      "int32-little-crc32c-1d",
      "int64-big-crc32c-1d",
    ],
    ...[
      "uint8-1d",
      "uint16-big-1d",
      "uint32-big-crc32c-3d",
      "uint64-little-crc32c-1d",
      "float16-big-crc32c-1d",
    ],
    ...[
      "float32-big-crc32c-1d",
      "float64-little-crc32c-1d",
      "complex64-big-crc32c-3d",
      "complex128-big-crc32c-1d",
    ],
    ...["float32-big-crc32c-crc32c-1d", "float64-big-crc32c-0d"],
  ];
  for (const [file, name] of [...SHOWN.map((name) => [vectors, name]), [rawBits, "r24-1d"]]) {
    test(`${name} of ${file.writer}: every value`, async () => {
      const chunk = vector(name, file);
      await paste(chunk.metadata);
      await pick(chunk.encoded);
      assert.equal(await error().count(), 0);
      const { data_type: dataType, chunk_grid: grid } = chunk.metadata;
      const shape = grid.configuration.chunk_shape;
      const [planes, rows, columns] = [1, 1, 1, ...shape].slice(-3);
      const cells = await tableCells({ planes, rows, columns });
      const shown = cells.flatMap((cell) => parseCell(cell, dataType));
      assert.deepEqual(rounded(shown, dataType), shownComponents(chunk, dataType));
    });
  }

  test("what is typed is checked at once: JSON, metadata, and where the mistake is", async () => {
    await paste('{ "dataType": "int8",\n  "shape": [4,\n}');
    assert.match(await error().textContent(), /SyntaxError: Value expected.*line 3, column 1 /);
    assert.equal(await metadataText().getAttribute("aria-invalid"), "true");

    await paste(
      '{ "dataType": "float32", "shape": [2],\n "codecs": [{ "name": "bytes", "configuration": { "endian": "middle" } }] }',
    );
    const said = await error().textContent();
    assert.match(said, /InvalidMetadataError: codecs\[0\]\.configuration\.endian: expected .* got "middle"/);
    assert.match(said, /invalid_metadata.*line 2/);
    await section.getByRole("button", { name: "Show it in the metadata" }).click();
    const selected = await metadataText().evaluate((text) =>
      text.value.slice(text.selectionStart, text.selectionEnd),
    );
    assert.equal(selected, '"middle"');

    await metadataText().press("Backspace");
    await metadataText().pressSequentially('"big"');
    await error().filter({ hasText: "ChunkLengthError" }).waitFor(); // The chunk is still that of the test before.
    assert.equal(await metadataText().getAttribute("aria-invalid"), "false");
  });

  test("a wrong checksum: the stored and the computed one", async () => {
    const { metadata, encoded } = vector("int16-big-crc32c-1d");
    await paste(metadata);
    const stored = Buffer.from(encoded).readUInt32LE(encoded.length - 4);
    const broken = Buffer.from(encoded);
    broken[broken.length - 1] ^= 0x80;
    await pick(broken);
    const hex = (checksum) => `0x${checksum.toString(16).padStart(8, "0")}`;
    const said = await error().textContent();
    assert.match(said, /ChecksumMismatchError/);
    assert.match(said, /checksum_mismatch/);
    assert.match(said, new RegExp(`stored${hex((stored ^ 0x80000000) >>> 0)}`));
    assert.match(said, new RegExp(`computed${hex(stored)}`));
    assert.equal(await section.getByRole("button", { name: "Download" }).isVisible(), false);

    await choose("verify", "false");
    assert.equal(await error().count(), 0);
    await choose("verify", "true");
  });

  test("a chunk that is too short", async () => {
    const { metadata, encoded } = vector("uint16-big-1d");
    await paste(metadata);
    await pick(encoded.slice(1));
    const said = await error().textContent();
    assert.match(said, /ChunkLengthError/);
    assert.match(said, new RegExp(`expected${encoded.length}actual${encoded.length - 1}`));
  });

  test("options: a missing byte order, a bool of 2, float16 as bits", async () => {
    const big = vector("uint16-big-1d");
    await paste({ ...big.metadata, codecs: ["bytes"] });
    await pick(big.encoded);
    assert.match(await error().textContent(), /InvalidMetadataError/);
    await choose("missingEndian", "big");
    assert.deepEqual((await tableRow(0, 0, 0, 49)).map(Number), [...big.components.slice(0, 12)]);
    await choose("missingEndian", "error");

    await paste({ dataType: "bool", shape: [3], codecs: ["bytes"] });
    await pick([0, 1, 2]);
    assert.match(await error().textContent(), /InvalidElementError.*index2value2/);
    await choose("invalidBool", "true");
    assert.deepEqual(await tableRow(0, 0, 0, 3), ["false", "true", "true"]);
    await choose("invalidBool", "error");

    const half = vector("float16-big-1d");
    await paste(half.metadata);
    await pick(half.encoded);
    await choose("float16", "bits");
    assert.deepEqual((await tableRow(0, 0, 0, 49)).map(Number), [...half.components.slice(0, 12)]);
    await choose("float16", "auto");
  });

  const REENCODED = ["int16", "int64", "float16", "float32", "float64", "complex64", "complex128"];
  for (const dataType of REENCODED) {
    test(`${dataType}, encoded again, is what zarr-python writes`, async () => {
      for (const [from, to] of [
        ["big-crc32c-1d", "little-1d"],
        ["little-3d", "big-crc32c-3d"],
      ]) {
        const { metadata, encoded } = vector(`${dataType}-${from}`);
        await paste(metadata);
        await pick(encoded);
        await section.getByLabel("Byte order").selectOption(to.split("-")[0]);
        await section.getByRole("checkbox", { name: "with crc32c" }).setChecked(to.includes("crc32c"));
        const downloading = tab.waitForEvent("download");
        await section.getByRole("button", { name: "Download" }).click();
        const written = readFileSync(await (await downloading).path());
        assert.ok(sameBytes(written, vector(`${dataType}-${to}`).encoded), `${from} as ${to}`);
      }
    });
  }

  test("a dropped file", async () => {
    const { metadata, encoded } = vector("int32-big-crc32c-3d");
    await paste(metadata);
    const transfer = await tab.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(bytes)], "dropped"));
        return transfer;
      },
      [...encoded],
    );
    await section.locator(".dropzone").dispatchEvent("drop", { dataTransfer: transfer });
    await section.getByText("dropped,").waitFor();
    await settled();
    assert.match(await section.textContent(), /decoded Int32Array of 12/);
  });

  test("examples: a picture with colours, a line, a histogram, complex numbers by magnitude and phase", async () => {
    await section.getByRole("button", { name: "spectrum" }).click();
    await section.getByText("Float32Array of 1,280").waitFor();
    await settled();
    const magnitude = await canvasColors(section.locator(".own-chunk-picture"));
    assert.ok(magnitude > 20, `${magnitude} colours`);
    assert.ok((await canvasColors(section.getByRole("img", { name: /^Histogram/ }).locator("canvas"))) > 1);
    await section.getByLabel("Seen as").selectOption("phase");
    await section.getByRole("img", { name: "32 rows and 20 columns, phase" }).waitFor();
    await section.getByRole("button", { name: "pressure" }).click();
    await section.getByRole("img", { name: "The value of each element" }).waitFor();
    await section.getByRole("button", { name: "land_mask" }).click();
    await section.getByRole("img", { name: "36 rows and 72 columns, mask" }).waitFor();
    await settled();
    assert.equal(await canvasColors(section.locator(".own-chunk-picture")), 2);
  });

  /** How many colours a canvas has, as a screenshot shows them. */
  function canvasColors(canvas) {
    return canvas.evaluate(async (canvas) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
  }

  test("a chunk of 64 MiB leaves the page responsive", async () => {
    const folder = mkdtempSync(join(tmpdir(), "zarr-codecs-"));
    try {
      const path = join(folder, "large");
      writeFileSync(path, Buffer.alloc(64 << 20, 63));
      await paste({
        dataType: "float32",
        shape: [4096, 4096],
        codecs: [{ name: "bytes", configuration: { endian: "big" } }],
      });
      const longest = await longestTask(page.browser, tab, LONGEST_TASK_MS, async () => {
        await section.getByLabel("Pick a chunk file").setInputFiles(path);
        await section.getByText("Float32Array of 16,777,216").waitFor({ timeout: 60_000 });
        await settled();
      });
      assert.ok(longest <= LONGEST_TASK_MS, `a task of ${longest} ms`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("metadata typed before the first example arrives stay; an example that does not come is told", async () => {
    const { tab } = await page.open();
    let answer;
    const asked = new Promise((resolve) => {
      tab.route("**/sample.zarr/temperature/c/**", async (route) => {
        await new Promise((arrived) => {
          answer = arrived;
          resolve();
        });
        await route.continue();
      });
    });
    await tab.reload();
    await asked;
    const section = tab.locator("#own-chunk");
    await section.locator("textarea").fill('{ "typed": true }');
    const arrived = tab.waitForResponse("**/sample.zarr/temperature/c/**");
    answer();
    await (await arrived).finished();
    await tab.waitForTimeout(200);
    assert.equal(await section.locator("textarea").inputValue(), '{ "typed": true }');

    await tab.route("**/sample.zarr/spectrum/c/**", (route) => route.abort());
    await section.getByRole("button", { name: "spectrum" }).click();
    await section.locator(".error").filter({ hasText: "Failed to fetch" }).waitFor();
    await tab.context().close();
  });

  test("without a mouse: an example, its values, a download", async () => {
    await section.getByRole("button", { name: "elevation" }).focus();
    await tab.keyboard.press("Enter");
    await section.getByText("Int16Array of 1,152").waitFor();
    await section.getByLabel("From row").focus();
    await tab.keyboard.press("ControlOrMeta+a");
    await tab.keyboard.type("5");
    await section.getByText("Shown: rows 5 to 20 of 24").waitFor();
    const downloading = tab.waitForEvent("download");
    await section.getByRole("button", { name: "Download" }).focus();
    await tab.keyboard.press("Space");
    assert.equal(readFileSync(await (await downloading).path()).length, 24 * 48 * 2 + 4);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`accessible and no wider than a telephone, ${colorScheme}`, async () => {
      const { tab, problems } = await page.open({ colorScheme, viewport: { width: 360, height: 740 } });
      await tab.locator("#own-chunk .badge.good").waitFor();
      await expectAccessible(tab, "#own-chunk");
      await tab.locator("#own-chunk textarea").fill("{");
      await tab.locator("#own-chunk .error").waitFor();
      await expectAccessible(tab, "#own-chunk");
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 360);
      assert.deepEqual(problems, []);
      await tab.context().close();
    });
  }

  test("nothing is written to the console", () => {
    assert.deepEqual(problems, []);
  });
});
