// Decodes one chunk and describes its elements. Runs in a worker.

import { transfer } from "comlink";
import { createCodecChain, loadCodecChain } from "zarr-codecs";
import { product } from "zarr-codecs/verify";
import { paint } from "../../image/paint.js";
import { plainError } from "../../workers/errors.js";
import { aspectsOf, histogramOf, planeOf, statisticsOf, textOf } from "./elements.js";
import { codecsOf } from "./metadata.js";

/** The longest side of a picture; larger planes are subsampled. */
const LONGEST = 512;

/** The rows and columns that a table shows at once. */
const TABLE = { rows: 16, columns: 12 };

/**
 * @typedef {import("zarr-codecs").AsyncCodecChain} CodecChain
 * @typedef {import("zarr-codecs").ChainOptions} ChainOptions
 * @typedef {import("./elements.js").Statistics} Statistics
 * @typedef {Pick<CodecChain, "dataType" | "shape" | "codecs" | "decodedByteLength" | "encodedByteLength">} ChainDescription
 * @typedef {{ milliseconds: number, array: string, aspects: string[] }} Decoded
 */

/**
 * What became of the metadata and the chunk.
 *
 * @typedef {object} Opened
 * @property {ChainDescription} [chain] if the metadata are valid
 * @property {number} [byteLength] of the chunk, if there is one
 * @property {Decoded} [decoded] if the chunk could be decoded
 * @property {import("../../workers/errors.js").PlainError} [error]
 */

/**
 * A decoded chunk.
 *
 * @typedef {object} State
 * @property {ChainOptions} options
 * @property {CodecChain} chain
 * @property {import("zarr-codecs").TypedArray} data
 * @property {ArrayBuffer} encoded
 * @property {Map<string, { statistics: Statistics, histogram: ReturnType<typeof histogramOf> }>} known by aspect
 */

export class OpenChunk {
  // Only what is shown is sent to the page.
  /** @type {Promise<ArrayBuffer | undefined>} */
  #encoded = Promise.resolve(undefined);
  /** @type {State | undefined} */
  #state;
  #openings = 0;

  /** Sets the chunk, or removes it. @param {Blob} [blob] */
  load(blob) {
    this.#encoded = Promise.resolve(blob?.arrayBuffer());
    this.#encoded.catch(() => {}); // Reported when the chunk is opened.
  }

  /**
   * Loads the codec chain and, if there is a chunk, decodes it. Of several calls only the last one takes effect.
   *
   * @param {any} metadata
   * @param {ChainOptions} options
   */
  async open(metadata, options) {
    /** @type {Opened} */
    const opened = {};
    this.#openings += 1;
    const opening = this.#openings;
    try {
      const chain = await loadCodecChain(metadata, options);
      opened.chain = describeChain(chain);
      const encoded = await this.#encoded;
      if (encoded === undefined) return opened;
      opened.byteLength = encoded.byteLength;
      const begin = performance.now();
      const { data } = await chain.decode(encoded);
      const milliseconds = performance.now() - begin;
      if (!ArrayBuffer.isView(data))
        throw new TypeError("These elements are not numbers, which is all that is shown here.");
      if (opening === this.#openings) this.#state = { options, chain, data, encoded, known: new Map() };
      const array = `${data.constructor.name} of ${data.length.toLocaleString("en")}`;
      opened.decoded = { milliseconds, array, aspects: Object.keys(aspectsOf(chain.dataType)) };
    } catch (error) {
      opened.error = plainError(error);
    }
    return opened;
  }

  /** The decoded chunk. */
  get #decoded() {
    if (this.#state === undefined) throw new Error("no chunk is open");
    return this.#state;
  }

  /** Computes statistics and a histogram of the elements seen as `aspect`, once. @param {string} aspect */
  #described(aspect) {
    const { chain, data, known } = this.#decoded;
    const described = known.get(aspect);
    if (described) return described;
    const at = aspectsOf(chain.dataType)[aspect];
    const count = countOf(chain);
    const statistics = statisticsOf(data, count, at, aspect);
    const fresh = { statistics, histogram: histogramOf(data, count, at, statistics.range) };
    known.set(aspect, fresh);
    return fresh;
  }

  /** Describes the elements seen as `aspect`. @param {string} aspect */
  describe(aspect) {
    const { chain, data } = this.#decoded;
    const { statistics, histogram } = this.#described(aspect);
    const { least, greatest, mean, nan, infinite } = statistics;
    const value = (/** @type {number | undefined} */ i) =>
      i === undefined ? undefined : numberText(aspectsOf(chain.dataType)[aspect](data, i));
    return { histogram, least: value(least), greatest: value(greatest), mean, nan, infinite };
  }

  /**
   * Paints the last two axes at indices of the others, in colours from the least to the greatest element.
   *
   * @param {string} aspect
   * @param {number[]} leading
   */
  async picture(aspect, leading) {
    const { chain, data } = this.#decoded;
    const { range } = this.#described(aspect).statistics;
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

  /** Returns the numbers of a chunk with one axis, subsampled if there are many. @param {string} aspect */
  line(aspect) {
    const { chain, data } = this.#decoded;
    const [length] = chain.shape;
    const step = Math.ceil(length / LONGEST);
    const at = aspectsOf(chain.dataType)[aspect];
    const indices = Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
    // A plot leaves a gap at null.
    const numbers = indices
      .map((i) => Number(at(data, i)))
      .map((number) => (Number.isFinite(number) ? number : null));
    return { indices, numbers, step };
  }

  /** Returns a part of the plane as text, row by row. @param {number[]} leading @param {number} row @param {number} column */
  table(leading, row, column) {
    const { chain, data } = this.#decoded;
    const { rows, columns, start } = planeOf(chain.shape, leading);
    const text = textOf(chain.dataType, data);
    const first = { row: within(row, rows, TABLE.rows), column: within(column, columns, TABLE.columns) };
    /** @param {number} from @param {number} length @param {number} most */
    const upTo = (from, length, most) =>
      Array.from({ length: Math.min(most, length - from) }, (_, i) => from + i);
    const columnNumbers = upTo(first.column, columns, TABLE.columns);
    const lines = upTo(first.row, rows, TABLE.rows).map((row) => ({
      row,
      cells: columnNumbers.map((column) => text(start + row * columns + column)),
    }));
    return { lines, columnNumbers, rows, columns };
  }

  /** Returns one element of the plane as text. @param {number[]} leading @param {number} row @param {number} column */
  element(leading, row, column) {
    const { chain, data } = this.#decoded;
    const { columns, start } = planeOf(chain.shape, leading);
    return textOf(chain.dataType, data)(start + row * columns + column);
  }

  /** Encodes the elements in another way. @param {import("./metadata.js").Encoding} encoding */
  async encode(encoding) {
    const { chain, options, encoded } = this.#decoded;
    const { dataType, shape, codecs } = chain;
    // As bits, so that every NaN keeps its payload.
    const exact = { ...options, float16: /** @type {const} */ ("bits") };
    try {
      const bits = await loadCodecChain({ dataType, shape, codecs }, exact);
      const { data } = await bits.decode(encoded);
      const bytes = createCodecChain({ dataType, shape, codecs: codecsOf(encoding) }, exact).encode(data);
      return transfer({ bytes }, [bytes.buffer]);
    } catch (error) {
      return { error: plainError(error) };
    }
  }
}

/** @param {CodecChain} chain @returns {ChainDescription} */
const describeChain = ({ dataType, shape, codecs, decodedByteLength, encodedByteLength }) => ({
  dataType,
  shape,
  codecs,
  decodedByteLength,
  encodedByteLength,
});

const countOf = (/** @type {CodecChain} */ { shape }) => product(shape);

/**
 * Returns the start of a part of `most` indices that contains `at`, within `length`.
 *
 * @param {number} at
 * @param {number} length
 * @param {number} most
 */
const within = (at, length, most) => Math.max(0, Math.min(at, length - most));

/** @param {number | bigint} value */
const numberText = (value) =>
  typeof value === "bigint" || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
