// Says what is at the point of a picture: where it is, and the elements there.

import { positionAt } from "../../image/view.js";

/**
 * @param {import("../../page.js").Page} page
 * @param {import("./pyramid.js").Tile} tile
 * @param {number} row of the tile
 * @param {number} column
 * @param {string[]} elements one for each visible channel
 */
export function described({ view, coordinates }, tile, row, column, elements) {
  const position = positionAt(tile.view, row, column);
  const isOwn = tile.view.path === view.path;
  const where = position.map((at, axis) => {
    if (axis === view.channelAxis) return "";
    const { texts, unit } = coordinates[axis] ?? {};
    const coordinate = texts && isOwn ? ` (${texts[at]}${unit ? ` ${shortUnit(unit)}` : ""})` : "";
    return `${view.names[axis]} ${at}${coordinate}`;
  });
  const shown = view.channels.filter(({ isVisible }) => isVisible);
  const values = elements.map((text, i) => (shown[i]?.label ? `${shown[i].label} ${text}` : text));
  const level = isOwn ? "" : `   (level ${tile.view.path.slice(1)})`;
  return `${where.filter(Boolean).join("  ")}   ${values.join("   ")}${level}`;
}

/** @param {string} unit */
const shortUnit = (unit) =>
  /^degrees?_/.test(unit)
    ? `°${unit.slice(unit.indexOf("_") + 1, unit.indexOf("_") + 2).toUpperCase()}`
    : unit;
