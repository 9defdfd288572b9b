// Where in a picture the chunks are that could not be shown.

import { isUnreadable } from "../store/errors.js";

/** @typedef {{ row: number, column: number, height: number, width: number, isUnreadable: boolean }} Area */

/**
 * Returns the areas of chunks that could not be read or decoded.
 *
 * @param {Pick<import("./view.js").View, "plane" | "region" | "flipped">} view
 * @param {import("./plane.js").Failure[]} failures
 * @returns {Area[]}
 */
export function failedAreas({ plane, region, flipped }, failures) {
  const [rows, columns] = plane.length === 2 ? plane : [undefined, plane[0]];
  /** @param {import("./plane.js").Failure} failure @param {number | undefined} axis */
  const extent = ({ position, shape }, axis) => {
    if (axis === undefined) return [0, 1];
    const [start, stop] = region[plane.indexOf(axis)];
    const from = Math.max(start, position[axis] * shape[axis]);
    const to = Math.min(stop, (position[axis] + 1) * shape[axis]);
    return flipped.includes(axis) ? [stop - to, stop - from] : [from - start, to - start];
  };
  return failures.map((failure) => {
    const [top, bottom] = extent(failure, rows);
    const [left, right] = extent(failure, columns);
    return {
      row: top,
      column: left,
      height: bottom - top,
      width: right - left,
      isUnreadable: isUnreadable(failure.error),
    };
  });
}
