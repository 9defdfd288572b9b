// Paints numbers as pixels. Runs in workers.

import { colourTable, rampTable } from "./colour-maps.js";

/** @typedef {[low: number, high: number]} Range */

/**
 * Paints planes over each other, adding their light.
 *
 * @param {{ width: number, height: number, numbers: Float64Array, statistics: { likely: Range } }[]} planes
 * @param {{ window?: Range, map?: string, colour?: string }[]} channels one for each plane; the window defaults to the
 *   likely numbers, the colour to white
 */
export async function paint(planes, channels) {
  const [{ width, height }] = planes;
  const image = new ImageData(width, height);
  const windows = planes.map(({ statistics }, i) => channels[i].window ?? statistics.likely);
  for (const [i, { numbers }] of planes.entries()) {
    const { map, colour = "#ffffff" } = channels[i];
    add(image.data, numbers, windows[i], map ? colourTable(map) : rampTable(colour));
  }
  return { bitmap: await createImageBitmap(image), windows };
}

/** Paints a black picture, for a view without visible channels. @param {[height: number, width: number]} size */
export async function paintNothing([height, width]) {
  const image = new ImageData(width, height);
  new Uint32Array(image.data.buffer).fill(0xff000000);
  /** @type {Range[]} */
  const windows = [];
  return { bitmap: await createImageBitmap(image), windows };
}

/**
 * Adds a plane to pixels, whose components stop at 255; NaN stays transparent.
 *
 * @param {Uint8ClampedArray} pixels
 * @param {Float64Array} numbers
 * @param {Range} window
 * @param {Uint8Array} table of 256 colours
 */
function add(pixels, numbers, [low, high], table) {
  const scale = 256 / (high - low || 1);
  for (let i = 0; i < numbers.length; i += 1) {
    const number = numbers[i];
    if (Number.isNaN(number)) continue;
    const entry = 3 * Math.min(255, Math.max(0, Math.floor((number - low) * scale)));
    const pixel = 4 * i;
    pixels[pixel] += table[entry];
    pixels[pixel + 1] += table[entry + 1];
    pixels[pixel + 2] += table[entry + 2];
    pixels[pixel + 3] = 255;
  }
}
