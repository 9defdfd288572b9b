// The coordinates along the axes of an array: the arrays of one axis that are named like them, as xarray writes them.

/**
 * What is known of an axis: text for each index, its unit, and whether it grows upward, as latitude does.
 *
 * @typedef {{ texts: string[], unit?: string, isUpward: boolean }} Coordinate
 * @typedef {Record<number, Coordinate>} Coordinates by axis
 * @typedef {import("../store/nodes.js").Node} Node
 */

/** Longer axes are left without coordinates. */
const LONGEST = 200_000;

/** Finds the coordinates of an array among its siblings, by axis. @param {Node[]} nodes @param {string} path @returns {[axis: number, node: Node][]} */
export function coordinatesOf(nodes, path) {
  const { metadata } = /** @type {Node} */ (nodes.find((node) => node.path === path));
  const parent = path.slice(0, path.lastIndexOf("/"));
  const names = Array.isArray(metadata.dimension_names) ? metadata.dimension_names : [];
  return names.flatMap((name, axis) => {
    if (typeof name !== "string") return [];
    const node = nodes.find((node) => node.path === `${parent}/${name}`);
    const { shape } = /** @type {{ shape?: number[] }} */ (node?.metadata ?? {});
    const length = /** @type {number[]} */ (metadata.shape)[axis];
    const isCoordinate =
      node && !node.problem && shape?.length === 1 && shape[0] === length && length <= LONGEST;
    return isCoordinate && length > 0 && node.path !== path
      ? [/** @type {[number, Node]} */ ([axis, node])]
      : [];
  });
}

/** Tells whether an array has the name of one of its own axes, or bounds of one: it is no data. @param {Node} node */
export function isCoordinate({ path, metadata }) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const names = Array.isArray(metadata.dimension_names) ? metadata.dimension_names : [];
  return names.includes(name) || /_(bnds|bounds)$/.test(name) || /^(crs|spatial_ref)$/.test(name);
}
