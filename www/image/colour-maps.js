// Colour maps: the colour of a number between 0 and 1.

import {
  interpolateCividis,
  interpolateGreys,
  interpolateInferno,
  interpolateRdBu,
  interpolateSinebow,
  interpolateViridis,
} from "d3-scale-chromatic";

/** @type {Record<string, (t: number) => string>} */
const MAPS = {
  viridis: interpolateViridis,
  inferno: interpolateInferno,
  cividis: interpolateCividis,
  gray: (t) => interpolateGreys(1 - t),
  "red to blue": interpolateRdBu,
  cyclic: interpolateSinebow,
};

export const COLOUR_MAPS = Object.keys(MAPS);

/** Returns 256 colours of a map: red, green and blue in turn. @param {string} name */
export function colourTable(name) {
  const table = new Uint8Array(3 * 256);
  for (let i = 0; i < 256; i += 1) table.set(components(MAPS[name](i / 255)), 3 * i);
  return table;
}

/** Returns 256 colours from black to a colour. @param {string} colour */
export function rampTable(colour) {
  const table = new Uint8Array(3 * 256);
  const bright = components(colour);
  for (let i = 0; i < 256; i += 1) {
    table.set(
      bright.map((component) => (component * i) / 255),
      3 * i,
    );
  }
  return table;
}

/** Parses `#rrggbb` or `rgb(r, g, b)`. @param {string} colour */
function components(colour) {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (colour.match(/\d+/g) ?? []).map(Number);
}
