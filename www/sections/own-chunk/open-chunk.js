// One chunk and the metadata that it is decoded with.

import { transfer } from "comlink";
import { codecChainForArray, createCodecChain } from "zarr-codecs";
import { paint } from "../../image/paint.js";
import { plainError } from "../../workers/errors.js";
import { aspectsOf, histogramOf, planeOf, statisticsOf, textOf } from "./elements.js";
import { codecsOf, isArrayMetadata } from "./metadata.js";

/** The longest side of a picture; of larger planes not every element is painted. */
const LONGEST = 512;

/** The rows and columns that a table shows at once. */
const TABLE = { rows: 16, columns: 12 };

export class OpenChunk {
  /** What the worker holds: nothing of it is sent but what is shown. */
  #encoded = Promise.resolve();
  #opened = {};

  /** Takes a chunk, or none, so that only metadata are looked at. @param {Blob} [blob] */
  load(blob) {
    this.#encoded = Promise.resolve(blob?.arrayBuffer());
    this.#encoded.catch(() => {}); // Told when the chunk is opened.
  }

  /** Makes the codec chain and, where there is a chunk, decodes it. */
  async open(metadata, options) {
    const said = {};
    try {
      const chain = makeChain(metadata, options);
      said.chain = describeChain(chain);
      const encoded = await this.#encoded;
      if (encoded === undefined) return said;
      said.byteLength = encoded.byteLength;
      const begin = performance.now();
      const { data } = chain.decode(encoded);
      const milliseconds = performance.now() - begin;
      this.#opened = { metadata, options, chain, data, encoded, known: new Map() };
      const array = `${data.constructor.name} of ${data.length.toLocaleString("en")}`;
      said.decoded = { milliseconds, array, aspects: Object.keys(aspectsOf(chain.dataType)) };
    } catch (error) {
      said.error = plainError(error);
    }
    return said;
  }

  /** What elements look like, seen as `aspect`: their statistics and how often which values are. */
  describe(aspect) {
    const { chain, data, known } = this.#opened;
    if (!known.has(aspect)) {
      const at = aspectsOf(chain.dataType)[aspect];
      const count = countOf(chain);
      const statistics = statisticsOf(data, count, at, aspect);
      const histogram = histogramOf(data, count, at, statistics.range);
      known.set(aspect, { statistics, histogram });
    }
    const { statistics, histogram } = known.get(aspect);
    const { least, greatest, mean, nan, infinite } = statistics;
    const value = (i) =>
      i === undefined ? undefined : numberText(aspectsOf(chain.dataType)[aspect](data, i));
    return { histogram, least: value(least), greatest: value(greatest), mean, nan, infinite };
  }

  /** A picture of the last two axes at indices of the others, in colours from the least to the greatest. */
  async picture(aspect, leading) {
    const { chain, data, known } = this.#opened;
    this.describe(aspect);
    const { range } = known.get(aspect).statistics;
    const { rows, columns, start } = planeOf(chain.shape, leading);
    const step = Math.max(1, Math.ceil(Math.max(rows, columns) / LONGEST));
    const [height, width] = [Math.ceil(rows / step), Math.ceil(columns / step)];
    const at = aspectsOf(chain.dataType)[aspect];
    const numbers = new Float64Array(width * height);
    for (let i = 0; i < numbers.length; i += 1) {
      const row = step * Math.floor(i / width);
      const column = step * (i % width);
      numbers[i] = Number(at(data, start + row * columns + column));
    }
    const map = aspect === "phase" ? "cyclic" : aspect === "mask" ? "cividis" : "viridis";
    const { bitmap } = await paint([{ width, height, numbers, statistics: { likely: range } }], [{ map }]);
    return transfer({ bitmap, width, height, rows, columns, step }, [bitmap]);
  }

  /** The numbers of a chunk with one axis, of which not every one is given where they are many. */
  line(aspect) {
    const { chain, data } = this.#opened;
    const [length] = chain.shape;
    const step = Math.ceil(length / LONGEST);
    const at = aspectsOf(chain.dataType)[aspect];
    const indices = Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
    // A plot leaves a gap where there is no number.
    const numbers = indices
      .map((i) => Number(at(data, i)))
      .map((number) => (Number.isFinite(number) ? number : null));
    return { indices, numbers, step };
  }

  /** The elements of a part of the plane as text, row by row. */
  table(leading, row, column) {
    const { chain, data } = this.#opened;
    const { rows, columns, start } = planeOf(chain.shape, leading);
    const text = textOf(chain.dataType, data);
    const first = { row: within(row, rows, TABLE.rows), column: within(column, columns, TABLE.columns) };
    const upTo = (from, length, most) =>
      Array.from({ length: Math.min(most, length - from) }, (_, i) => from + i);
    const columnNumbers = upTo(first.column, columns, TABLE.columns);
    const lines = upTo(first.row, rows, TABLE.rows).map((row) => ({
      row,
      cells: columnNumbers.map((column) => text(start + row * columns + column)),
    }));
    return { lines, columnNumbers, rows, columns };
  }

  /** One element of the plane as text. */
  element(leading, row, column) {
    const { chain, data } = this.#opened;
    const { columns, start } = planeOf(chain.shape, leading);
    return textOf(chain.dataType, data)(start + row * columns + column);
  }

  /** The same elements in another form, see codecsOf. */
  encode(form) {
    const { chain, options, encoded } = this.#opened;
    const { dataType, shape, codecs } = chain;
    // As bits, so that every NaN keeps its payload.
    const exact = { ...options, float16: "bits" };
    try {
      const { data } = createCodecChain({ dataType, shape, codecs }, exact).decode(encoded);
      const bytes = createCodecChain({ dataType, shape, codecs: codecsOf(form) }, exact).encode(data);
      return transfer({ bytes }, [bytes.buffer]);
    } catch (error) {
      return { error: plainError(error) };
    }
  }
}

const makeChain = (metadata, options) =>
  (isArrayMetadata(metadata) ? codecChainForArray : createCodecChain)(metadata, options);

const describeChain = ({ dataType, shape, codecs, decodedByteLength, encodedByteLength }) => ({
  dataType,
  shape,
  codecs,
  decodedByteLength,
  encodedByteLength,
});

const countOf = ({ shape }) => shape.reduce((product, length) => product * length, 1);

/** Where a part of `most` begins that has `at` in it, if there is so much. */
const within = (at, length, most) => Math.max(0, Math.min(at, length - most));

const numberText = (value) =>
  typeof value === "bigint" || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
