// What tests do in "Your own chunk", and the chunks of other implementations that they decode there.

import { readFileSync } from "node:fs";
import { chunksOf, fromHex, valueOfHalf } from "../js/vectors.mjs";

const read = (file) => JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8"));

export const VECTORS = read("zarr-python.json");
export const TENSORSTORE = read("tensorstore.json");
/** Chunks by zarr-python with compressors and transposed orders. */
export const CHAINS = read("chains/zarr-python.json");

/** The first chunk of an array by its name. */
export function vector(name, { writer, arrays } = VECTORS) {
  const array = arrays.find((array) => array.name === name);
  return chunksOf({ writer, arrays: [array] }).next().value;
}

/** The components that a cell of the table says. */
export function parseCell(text, dataType) {
  if (dataType === "bool") return [{ false: 0, true: 1 }[text]];
  if (dataType.startsWith("complex")) return complexComponents(text);
  if (/^r\d/.test(dataType)) return [...fromHex(text)];
  return [/64$/.test(dataType) && !dataType.startsWith("float") ? BigInt(text) : Number(text)];
}

function complexComponents(text) {
  const [, real, imaginary] = /^(-?(?:NaN|Infinity|[\d.]+(?:e[+-]\d+)?))([+-].*)i$/.exec(text);
  return [Number(real), Number(imaginary)];
}

/** Rounds decimal numbers to the data type. */
export function rounded(numbers, dataType) {
  if (["float32", "complex64"].includes(dataType)) return numbers.map(Math.fround);
  return dataType === "float16" ? numbers.map(nearestHalf) : numbers;
}

const HALVES = Array.from({ length: 1 << 16 }, (_, bits) => valueOfHalf(bits));

function nearestHalf(number) {
  if (number === 0 || !Number.isFinite(number)) return number;
  const distance = (half) => Math.abs(half - number);
  return HALVES.reduce((nearest, half) => (distance(half) < distance(nearest) ? half : nearest), 0);
}

/** The components that were encoded, as a table shows them. */
export function shownComponents({ components }, dataType) {
  return dataType === "float16" ? Array.from(components, valueOfHalf) : [...components];
}

/** The section; wait for `settled` before acting on it. */
export function ownChunkOf(tab) {
  const section = tab.locator("#own-chunk");
  const ownChunk = {
    section,
    metadata: section.getByRole("textbox", { name: "Metadata" }),
    error: section.locator(".error"),
    button: (name) => section.getByRole("button", { name }),

    /** Waits until the outcome belongs to what the form contains. */
    settled: () => section.locator("[role=status][aria-busy=false]").waitFor(),

    async paste(metadata) {
      const text = typeof metadata === "string" ? metadata : JSON.stringify(metadata, null, 2);
      await ownChunk.metadata.fill(text);
      await ownChunk.settled();
    },

    async pick(bytes) {
      const file = { name: "0", mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
      await section.getByLabel("Pick a chunk file").setInputFiles(file);
      await ownChunk.settled();
    },

    /** Opens a chunk with its metadata. */
    async open({ metadata, encoded }) {
      await ownChunk.paste(metadata);
      await ownChunk.pick(encoded);
    },

    async choose(option, value) {
      await section.getByRole("combobox", { name: option }).selectOption(value);
      await ownChunk.settled();
    },

    /** The cells of a row of the table from a column on; `columns` are those of the chunk. */
    async row({ plane = 0, row = 0, column = 0, columns }) {
      await section.getByText(plane > 0 ? `at [${plane}]` : "Shown: rows").waitFor();
      const cells = await tab.waitForFunction(
        ([row, column, columns]) => {
          const table = document.querySelector("#own-chunk table");
          const texts = (cells) => Array.from(cells, ({ textContent }) => textContent);
          const header = texts(table.tHead.querySelectorAll("th"));
          const line = [...table.tBodies[0].rows].find(({ cells }) => cells[0].textContent === String(row));
          // The last part starts further left, to be as wide as the others.
          const from = header.indexOf(String(column));
          if (from < 0 || (from > 0 && header.at(-1) !== String(columns - 1))) return undefined;
          return texts(line.cells).slice(1 + from);
        },
        [row, column, columns],
      );
      return cells.jsonValue();
    },

    /** All elements of a chunk of up to three axes, in C order. */
    async elements(shape) {
      const [planes, rows, columns] = [1, 1, 1, ...shape].slice(-3);
      const cells = [];
      for (let plane = 0; plane < planes; plane += 1) {
        if (planes > 1) await section.getByLabel(/^Axis 0/).fill(String(plane));
        for (let row = 0; row < rows; row += 1) {
          for (let column = 0; column < columns; ) {
            await section.getByLabel("From column").fill(String(column));
            const shown = await ownChunk.row({ plane, row, column, columns });
            cells.push(...shown);
            column += shown.length;
          }
        }
      }
      return cells;
    },

    /** The bytes of a file that an action downloads. */
    async download(action) {
      const downloading = tab.waitForEvent("download");
      await action();
      return readFileSync(await (await downloading).path());
    },
  };
  return ownChunk;
}

/** How many colours a canvas shows. */
export function colours(canvas) {
  return canvas.evaluate((canvas) => {
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
}
