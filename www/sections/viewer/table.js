// Shows elements as text, in a table.

import { positionAt } from "../../image/view.js";
import { h } from "../../ui/dom.js";

/**
 * @param {import("../../image/view.js").View} view
 * @param {string[][]} rows
 * @param {import("../../image/coordinates.js").Coordinates} coordinates
 */
export function elementTable(view, rows, coordinates) {
  // An array of one axis reads better downward.
  const isColumn = view.plane.length < 2;
  const lines = isColumn ? rows[0].map((text) => [text]) : rows;
  const [down, across] = isColumn ? [view.plane[0], undefined] : view.plane;
  const indexOf = (/** @type {number} */ axis, /** @type {number} */ row, /** @type {number} */ column) => {
    const at = positionAt(view, row, column)[axis];
    const coordinate = coordinates[axis]?.texts[at];
    return coordinate === undefined ? String(at) : `${at}: ${coordinate}`;
  };
  const head = lines[0].map((_, column) => (across === undefined ? "" : indexOf(across, 0, column)));
  const corner = across === undefined ? view.names[down] : `${view.names[down]} \\ ${view.names[across]}`;
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...[corner, ...head].map((text) => h("th", { scope: "col" }, text)))),
    h(
      "tbody",
      {},
      ...lines.map((line, row) => {
        const index = isColumn ? indexOf(down, 0, row) : indexOf(down, row, 0);
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, index),
          ...line.map((text) => h("td", { className: "mono" }, text)),
        );
      }),
    ),
  );
}
