// Reads two axes of an array, at fixed indices of the others, as numbers that can be painted. Runs in workers.

import { product } from "zarr-codecs/verify";
import { defineArrayExtension, get, slice } from "zarrita";
import { plainError } from "../workers/errors.js";
import { elements } from "./elements.js";
import { failedAreas } from "./failed-areas.js";
import { sizeOf } from "./view.js";

/**
 * @typedef {{ position: number[], shape: number[], error: import("../workers/errors.js").PlainError }} Failure a chunk of
 *   that shape that could not be read or decoded
 * @typedef {{ width: number, height: number, numbers: Float64Array, failures: Failure[],
 *   text: (row: number, column: number) => string }} Plane
 * @typedef {import("zarrita").Array<import("zarrita").DataType, import("zarrita").AsyncReadable>} ZarritaArray
 * @typedef {import("zarrita").Chunk<import("zarrita").DataType>} Chunk
 */

/** Stands for an element of a chunk that failed. */
const UNKNOWN = "—";
/** How many bytes of decoded chunks are kept, for other slices and tiles of them. */
const MOST_DECODED = 128e6;

/**
 * Keeps decoded chunks, and decodes each once for concurrent calls. Continues after those that cannot be read or decoded:
 * `failures` has them by key, until they are forgotten.
 */
export const withDecodedKept = defineArrayExtension((array, /** @type {Map<string, Failure>} */ failures) => {
  /** @type {Map<string, Promise<Chunk>>} */
  const kept = new Map();
  const most = Math.max(4, Math.floor(MOST_DECODED / (8 * product(array.chunks))));
  return {
    getChunk(position, ...others) {
      const key = position.join();
      const known = failures.has(key) ? undefined : kept.get(key);
      if (known) return known;
      const decoding = array.getChunk(position, ...others).then(
        (chunk) => {
          failures.delete(key);
          return chunk;
        },
        (error) => {
          kept.delete(key);
          failures.set(key, { position, shape: array.chunks, error: plainError(error) });
          return blankChunk(array);
        },
      );
      kept.set(key, decoding);
      const [oldest] = kept.keys();
      if (kept.size > most) kept.delete(oldest);
      return decoding;
    },
  };
});

/**
 * Makes a chunk of zeros. As bytes: zarrita copies the bytes of elements of any type.
 *
 * @param {{ chunks: number[], dtype: string }} array
 * @returns {any}
 */
function blankChunk({ chunks: shape, dtype }) {
  const count = product(shape);
  const stride = shape.map((_, axis) => product(shape.slice(axis + 1)));
  const bits = /^(u?int|float)(\d+)$/.exec(dtype)?.[2];
  if (dtype !== "bool" && bits === undefined) return { data: new Array(count).fill(""), shape, stride };
  return { data: new Uint8Array((Number(bits ?? 8) / 8) * count), shape, stride };
}

/**
 * Reads a plane.
 *
 * @param {ZarritaArray} array as zarrita opens it, with the axis that withCodecs adds for components
 * @param {Map<string, Failure>} failed what withDecodedKept has noted
 * @param {Pick<import("./view.js").View, "indices" | "plane" | "region" | "flipped" | "component" | "dataType">} wanted
 * @returns {Promise<Plane>}
 */
export async function readPlane(array, failed, { indices, plane, region, flipped, component, dataType }) {
  if (array.shape.includes(0)) throw new Error("This array has no elements: one of its axes has length 0.");
  const hasComponents = array.shape.length > indices.length;
  /** @type {(number | null | ReturnType<typeof slice>)[]} */
  const selection = indices.map((index, axis) => {
    const shown = plane.indexOf(axis);
    return shown < 0 ? index : slice(...region[shown]);
  });
  if (hasComponents) selection.push(null);
  const read = await get(array, selection);
  const isArray = typeof read === "object" && read !== null && "stride" in read;
  const { data, shape, stride } = isArray ? read : { data: [read], shape: [], stride: [] };

  const [height, width] = sizeOf({ region });
  // zarrita returns the axes in the order of the array.
  const order = [...plane].sort((a, b) => a - b);
  const strideOf = (/** @type {number | undefined} */ axis) =>
    axis === undefined ? 0 : stride[order.indexOf(axis)];
  const [down, across] = plane.length === 2 ? plane : [undefined, plane[0]];
  const [rowStride, columnStride] = [strideOf(down), strideOf(across)];
  const isFlipped = (/** @type {number | undefined} */ axis) => axis !== undefined && flipped.includes(axis);
  const [lastRow, lastColumn] = [isFlipped(down) ? height - 1 : 0, isFlipped(across) ? width - 1 : 0];
  /** @param {number} row @param {number} column */
  const offset = (row, column) =>
    Math.abs(lastRow - row) * rowStride + Math.abs(lastColumn - column) * columnStride;
  const [step, count] = hasComponents ? [stride.at(-1) ?? 1, shape.at(-1) ?? 1] : [1, 1];
  const { number, text } = elements(dataType, elementsOf(data), component, step, count);

  const numbers = new Float64Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      numbers[row * width + column] = number(offset(row, column));
    }
  }
  const failures = failuresIn(array, failed, { indices, plane, region });
  const areas = failedAreas({ plane, region, flipped }, failures);
  for (const { row, column, height, width: columns } of areas) {
    for (let y = row; y < row + height; y += 1) {
      numbers.fill(Number.NaN, y * width + column, y * width + column + columns);
    }
  }
  return {
    width,
    height,
    numbers,
    failures,
    text: (row, column) =>
      areas.some((area) => isIn(area, row, column)) ? UNKNOWN : text(offset(row, column)),
  };
}

/** @param {import("./failed-areas.js").Area} area @param {number} row @param {number} column */
const isIn = (area, row, column) =>
  row >= area.row &&
  row < area.row + area.height &&
  column >= area.column &&
  column < area.column + area.width;

/**
 * Lists the chunks of a plane that failed.
 *
 * @param {ZarritaArray} array
 * @param {Map<string, Failure>} failed
 * @param {Pick<import("./view.js").View, "indices" | "plane" | "region">} wanted
 */
function failuresIn({ chunks }, failed, { indices, plane, region }) {
  const isInPlane = (/** @type {Failure} */ { position }) =>
    indices.every((index, axis) => {
      const shown = plane.indexOf(axis);
      const [start, stop] = shown < 0 ? [index, index + 1] : region[shown];
      return position[axis] * chunks[axis] < stop && (position[axis] + 1) * chunks[axis] > start;
    });
  return [...failed.values()].filter(isInPlane).map(({ position, shape, error }) => ({
    position: position.slice(0, indices.length),
    shape: shape.slice(0, indices.length),
    error,
  }));
}

/**
 * Returns a function that reads elements of what zarrita returns, some of which are not indexed like an array.
 *
 * @param {any} data
 * @returns {(i: number) => any}
 */
function elementsOf(data) {
  return "get" in data ? (i) => data.get(i) : (i) => data[i];
}
