// Which array of a store is shown first.

import { isUsable } from "../store/nodes.js";
import { isCoordinate } from "./coordinates.js";
import { imagesOf } from "./ome.js";

/** Finds the first level of the first image, else an array of data rather than of coordinates. @param {import("../store/nodes.js").Node[]} nodes */
export function firstArray(nodes) {
  const arrays = nodes.filter(isUsable);
  const isThere = (/** @type {string | undefined} */ path) => arrays.find((node) => node.path === path)?.path;
  const [image] = imagesOf(nodes).flatMap(({ levels }) => isThere(levels[0]?.path) ?? []);
  if (image) return image;
  const axes = (/** @type {import("../store/nodes.js").Node} */ { metadata }) =>
    /** @type {number[]} */ (metadata.shape).filter((length) => length > 1).length;
  const data = arrays.filter((node) => !isCoordinate(node) && axes(node) > 1);
  return (data[0] ?? arrays.find((node) => !isCoordinate(node)) ?? arrays[0]).path;
}
