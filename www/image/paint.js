// Numbers to pixels. Runs in workers.

import { colourTable, rampTable } from "./colour-maps.js";

/**
 * Paints planes over each other, their light added.
 *
 * @param planes as readPlane gives them
 * @param {{ window?: [low: number, high: number], map?: string, colour?: string }[]} channels of each; without a window
 *   that of the likely values
 */
export async function paint(planes, channels) {
  const [{ width, height }] = planes;
  const image = new ImageData(width, height);
  const pixels = image.data;
  const windows = planes.map(({ statistics }, i) => channels[i].window ?? statistics.likely);
  for (const [i, { numbers }] of planes.entries()) {
    const { map, colour } = channels[i];
    add(pixels, numbers, windows[i], map ? colourTable(map) : rampTable(colour));
  }
  return { bitmap: await createImageBitmap(image), windows };
}

/** A picture without any light, where no channel is shown. */
export async function paintNothing([height, width]) {
  const image = new ImageData(width, height);
  new Uint32Array(image.data.buffer).fill(0xff000000);
  return { bitmap: await createImageBitmap(image), windows: [] };
}

/** Adds to pixels, whose components stop at 255; what is not a number stays transparent. */
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
