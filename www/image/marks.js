// Marks over a picture: hatched areas that could not be shown, and a point.

import { svg } from "../ui/dom.js";

/** Damage is red; what could not be read is grey. */
const COLOURS = { damaged: "#b3261e", unreadable: "#6b7680" };

let patterns = 0;

/**
 * Hatches areas.
 *
 * @param {import("./failed-areas.js").Area[]} areas
 * @param {number} pixel a length that looks the same in pictures of any size
 */
export function areaMarks(areas, pixel) {
  if (areas.length === 0) return [];
  patterns += 1;
  const idOf = (/** @type {string} */ kind) => `hatching-${kind}-${patterns}`;
  const hatchings = Object.entries(COLOURS).map(([kind, fill]) =>
    svg(
      "pattern",
      {
        id: idOf(kind),
        width: 6,
        height: 6,
        patternUnits: "userSpaceOnUse",
        patternTransform: `scale(${pixel / 3}) rotate(45)`,
      },
      svg("path", { d: "M0 0h6v6H0z", fill }),
      svg("path", { d: "M0 0v6", stroke: "#fff", "stroke-width": 3 }),
    ),
  );
  const frames = areas.map(({ row, column, height, width, isUnreadable }) => {
    const kind = isUnreadable ? "unreadable" : "damaged";
    return svg("rect", {
      x: column,
      y: row,
      width,
      height,
      class: kind,
      fill: `url(#${idOf(kind)})`,
      stroke: COLOURS[kind],
      "stroke-width": 2.5,
      "vector-effect": "non-scaling-stroke",
    });
  });
  return [svg("defs", {}, ...hatchings), ...frames];
}

/**
 * Draws a ring around a point and four strokes that lead to it, light on dark so that it is visible on any picture.
 *
 * @param {[row: number, column: number]} point
 * @param {number} pixel
 */
export function cross([row, column], pixel) {
  const [x, y, r] = [column + 0.5, row + 0.5, 4 * pixel];
  const strokes = [
    [0, -1],
    [0, 1],
    [-1, 0],
    [1, 0],
  ].map(([dx, dy]) => `M${x + dx * r} ${y + dy * r}L${x + dx * 2.4 * r} ${y + dy * 2.4 * r}`);
  const d = `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0${strokes.join("")}`;
  /** @param {string} stroke @param {number} width */
  const line = (stroke, width) =>
    svg("path", { d, stroke, fill: "none", "stroke-width": width, "vector-effect": "non-scaling-stroke" });
  return [line("#000", 5), line("#ffd400", 2.5)];
}
