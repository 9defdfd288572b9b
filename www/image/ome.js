// What OME-Zarr says about images: their axes, levels and channels.

/**
 * @typedef {import("../store/nodes.js").Node} Node
 * @typedef {{ name: string, type?: string, unit?: string }} Axis
 * @typedef {{ path: string, scale?: number[] }} Level
 * @typedef {{ label?: string, color?: string, active?: boolean,
 *   window?: { start: number, end: number, min: number, max: number } }} OmeroChannel
 * @typedef {{ channels?: OmeroChannel[], rdefs?: { defaultZ?: number, defaultT?: number } }} Omero
 * @typedef {{ axes: Axis[], levels: Level[], omero?: Omero }} Image
 */

/**
 * Returns the image that an array is a level of, if it is one.
 *
 * @param {Node[]} nodes
 * @param {string} path
 * @returns {Image | undefined}
 */
export function imageOf(nodes, path) {
  return imagesOf(nodes).find(({ levels }) => levels.some((level) => level.path === path));
}

/** Returns all images of a store. @param {Node[]} nodes @returns {Image[]} */
export function imagesOf(nodes) {
  return nodes.flatMap((group) => {
    const base = group.path === "/" ? "" : group.path;
    const attributes = /** @type {any} */ (group.metadata.attributes) ?? {};
    // Version 0.4 has no member of its own.
    const ome = attributes.ome ?? attributes;
    if (group.metadata.node_type !== "group" || !Array.isArray(ome.multiscales)) return [];
    return ome.multiscales.map((/** @type {any} */ { axes = [], datasets = [] }) => ({
      // Version 0.3 names the axes and nothing else.
      axes: axes.map((/** @type {string | Axis} */ axis) =>
        typeof axis === "string" ? { name: axis } : axis,
      ),
      levels: datasets.map(
        (/** @type {any} */ { path, coordinateTransformations: transformations = [] }) => ({
          path: `${base}/${path}`,
          scale: transformations.find((/** @type {{ type: string }} */ { type }) => type === "scale")?.scale,
        }),
      ),
      omero: ome.omero,
    }));
  });
}
