// The view of an array: which part of it is shown, and how.

import { channelAxisOf, channelsOf } from "./channels.js";
import { componentsOf, isPaintable } from "./data-types.js";
import { imageOf } from "./ome.js";

/**
 * @typedef {import("./channels.js").Channel} Channel
 * @typedef {import("../store/nodes.js").Node} Node
 * @typedef {import("./coordinates.js").Coordinates} Coordinates
 */

/**
 * What is shown of an array, as a plain object that a worker can be sent.
 *
 * @typedef {object} View
 * @property {string} path of the array
 * @property {string[]} names of the axes
 * @property {readonly number[]} shape of the array
 * @property {readonly number[]} chunkShape
 * @property {number[]} plane the axes that are shown, down and across; fewer than two for an array of fewer axes
 * @property {number[]} flipped axes of the plane whose last index is at the top, or on the left
 * @property {[start: number, stop: number][]} region the extent of the picture along the axes of the plane
 * @property {number[]} indices along each axis; along those of the plane, where the region starts
 * @property {number} [channelAxis]
 * @property {Channel[]} channels
 * @property {unknown} dataType
 * @property {boolean} isPaintable whether elements are numbers; others are shown in a table
 * @property {(string | number)[]} components that an element can be shown by, if it has several
 * @property {string | number} [component] the one that is shown
 * @property {[start: number, stop: number][]} [extent] what the viewer shows along the axes of the plane, where that is not
 *   all of it
 * @property {number} [generation] differs between views that controls have to follow; see Page
 */

/** The most elements of an axis that are shown at once: of a picture, of a line, of a table. */
const LONGEST = [2048, 16_384, 40];
/** The most chunks that a picture or a line consists of. */
const MOST_CHUNKS = 400;

/**
 * Returns the first view of an array. After another level of the same image, it keeps the place and the channels.
 *
 * @param {Node[]} nodes
 * @param {string} path
 * @param {View} [before]
 * @param {Coordinates} [coordinates]
 * @returns {View}
 */
export function viewOf(nodes, path, before, coordinates = {}) {
  const { metadata, chunkShape } = /** @type {Node} */ (nodes.find((node) => node.path === path));
  const { data_type: dataType, dimension_names: dimensions } = metadata;
  const shape = /** @type {number[]} */ (metadata.shape);
  const image = imageOf(nodes, path);
  const dimensionNames = Array.isArray(dimensions) ? dimensions : [];
  const names = shape.map((_, axis) => image?.axes[axis]?.name ?? dimensionNames[axis] ?? `d${axis}`);
  const channelAxis = channelAxisOf({ names, shape, dataType, image });
  const plane = shape
    .map((_, axis) => axis)
    .filter((axis) => axis !== channelAxis)
    .slice(-2);
  // As text, elements are shown whole.
  const components = isPaintable(dataType, shape.length) ? componentsOf(dataType) : [];
  const fresh = {
    path,
    names,
    shape,
    chunkShape: chunkShape ?? shape,
    plane,
    flipped: plane.filter((axis) => coordinates[axis]?.isUpward),
    channelAxis,
    indices: shape.map((_, axis) => firstIndex(names[axis], plane.includes(axis), image?.omero?.rdefs)),
    dataType,
    isPaintable: isPaintable(dataType, shape.length),
    components,
    component: components[0],
    channels: channelsOf({ names, shape, dataType, image }, channelAxis),
  };
  const isSameImage = before !== undefined && image?.levels.some((level) => level.path === before.path);
  const view = isSameImage
    ? {
        ...fresh,
        extent: scaledExtent(before, shape),
        plane: before.plane,
        channelAxis: before.channelAxis,
        channels: before.channels,
        indices: fresh.indices.map((at, axis) => (before.plane.includes(axis) ? at : before.indices[axis])),
      }
    : fresh;
  return withRegion(view);
}

/** Returns what was shown of another level. @param {View} before @param {readonly number[]} shape @returns {View["extent"]} */
function scaledExtent({ extent, plane, shape: from }, shape) {
  return extent?.map(([start, stop], i) => {
    const factor = shape[plane[i]] / from[plane[i]];
    return [Math.floor(start * factor), Math.ceil(stop * factor)];
  });
}

/** Moves a view to other indices, within the array. @param {Omit<View, "region">} view @param {number[]} indices */
export function moved(view, indices) {
  return withRegion({ ...view, indices });
}

/**
 * Shows other axes, or others as channels.
 *
 * @param {View} view
 * @param {number[]} plane
 * @param {number} [channelAxis]
 * @param {import("./ome.js").Image} [image] that the array is a level of
 */
export function reoriented(view, plane, channelAxis, image) {
  const { names, shape, dataType } = view;
  const isSame = channelAxis === view.channelAxis;
  const channels = isSame ? view.channels : channelsOf({ names, shape, dataType, image }, channelAxis);
  return withRegion({
    ...view,
    plane,
    channelAxis,
    channels,
    extent: undefined,
    flipped: view.flipped.filter((axis) => plane.includes(axis)),
    indices: view.indices.map((at, axis) => (plane.includes(axis) ? 0 : at)),
  });
}

/**
 * Changes the first view of an array to what an address asks for, as far as it fits the array.
 *
 * @param {View} view
 * @param {import("../page.js").Wanted} wanted
 */
export function wantedView(view, { indices, plane, extent, visible, chunk: wanted }) {
  const { shape, chunkShape } = view;
  // With a slice, the chunk is only selected.
  const chunk = indices === undefined ? chunkIn(view, wanted) : undefined;
  const isFitting = (/** @type {number[] | undefined} */ some) => some?.length === shape.length;
  const isPlane = plane?.length === view.plane.length && new Set(plane).size === plane.length;
  const isTurned =
    isFitting(indices) && isPlane && plane.every((axis) => axis < shape.length && axis !== view.channelAxis);
  const turned = isTurned ? reoriented(view, plane, view.channelAxis) : view;
  const corner = chunk ? chunk.map((at, axis) => at * chunkShape[axis]) : indices;
  const isPart = extent?.every(([start, stop]) => start < stop);
  return moved(
    {
      ...turned,
      extent: chunk
        ? turned.plane.map((axis) => around(chunk[axis], chunkShape[axis], shape[axis]))
        : isTurned && isPart
          ? extent
          : turned.extent,
      channels: visible
        ? turned.channels.map((channel) => ({ ...channel, isVisible: visible.includes(channel.number) }))
        : turned.channels,
    },
    corner !== undefined && isFitting(corner) ? corner : turned.indices,
  );
}

/**
 * Returns the extent of a chunk and of half a chunk on either side, to compare it with.
 *
 * @param {number} at
 * @param {number} size
 * @param {number} length of the axis
 * @returns {[start: number, stop: number]}
 */
function around(at, size, length) {
  const margin = size >> 1;
  return [Math.max(0, at * size - margin), Math.min(length, (at + 1) * size + margin)];
}

/** Returns a chunk that an address asks for, if the array has it. @param {View} view @param {number[]} [chunk] */
export function chunkIn({ shape, chunkShape }, chunk) {
  const isInside = chunk?.every((at, axis) => at * chunkShape[axis] < shape[axis]);
  return isInside && chunk?.length === shape.length ? chunk : undefined;
}

/** Moves a view to one element, and hides all channels but its own. @param {View} view @param {number[]} position */
export function viewAt(view, position) {
  const isShown = (/** @type {Channel} */ { number, isVisible }) =>
    view.channelAxis === undefined ? isVisible : number === position[view.channelAxis];
  const channels = view.channels.map((channel) => ({ ...channel, isVisible: isShown(channel) }));
  return moved({ ...view, channels }, position);
}

/** Returns how many elements are shown along an axis. @param {Omit<View, "region">} view @param {number} axis */
export function longest({ plane, shape, chunkShape, isPaintable }, axis) {
  const kind = !isPaintable ? 2 : plane.length < 2 ? 1 : 0;
  const chunksPerAxis = plane.length < 2 ? MOST_CHUNKS : Math.floor(Math.sqrt(MOST_CHUNKS));
  return Math.min(shape[axis], LONGEST[kind], kind === 2 ? shape[axis] : chunksPerAxis * chunkShape[axis]);
}

/** @param {Omit<View, "region">} view @returns {View} */
function withRegion(view) {
  const { shape, plane } = view;
  const indices = view.indices.map((at, axis) => Math.max(0, Math.min(at, shape[axis] - 1)));
  for (const axis of plane) indices[axis] = Math.min(indices[axis], shape[axis] - longest(view, axis));
  /** @type {View["region"]} */
  const region = plane.map((axis) => [indices[axis], indices[axis] + longest(view, axis)]);
  return { ...view, indices, region };
}

/** Returns the size of the picture of a view. @param {Pick<View, "region">} view @returns {[height: number, width: number]} */
export function sizeOf({ region }) {
  const [width = 1, height = 1] = region.map(([start, stop]) => stop - start).reverse();
  return [height, width];
}

/**
 * Tells whether an element is in the picture of a view.
 *
 * @param {View} view
 * @param {{ path: string, position: number[] }} element
 */
export function isShown({ path, indices, plane, region, channels, channelAxis }, element) {
  /** @param {number} at @param {number} axis */
  const isAt = (at, axis) => {
    if (axis === channelAxis) return channels.some(({ number, isVisible }) => isVisible && number === at);
    if (!plane.includes(axis)) return at === indices[axis];
    const [start, stop] = region[plane.indexOf(axis)];
    return at >= start && at < stop;
  };
  return path === element.path && element.position.every(isAt);
}

/** Returns the position in the array of a pixel. @param {View} view @param {number} row @param {number} column */
export function positionAt(view, row, column) {
  const point = view.plane.length === 2 ? [row, column] : [column];
  const position = [...view.indices];
  if (view.channelAxis !== undefined) {
    position[view.channelAxis] = (
      view.channels.find(({ isVisible }) => isVisible) ?? view.channels[0]
    ).number;
  }
  for (const [i, axis] of view.plane.entries()) {
    const [start, stop] = view.region[i];
    position[axis] = view.flipped.includes(axis) ? stop - 1 - point[i] : start + point[i];
  }
  return position;
}

/**
 * Returns the pixel that shows a position of the array; it may lie outside of the picture.
 *
 * @param {View} view
 * @param {number[]} position
 * @returns {[row: number, column: number]}
 */
export function pointOf(view, position) {
  const [row, column] = view.plane.length === 2 ? view.plane : [undefined, view.plane[0]];
  const offset = (/** @type {number | undefined} */ axis) => {
    if (axis === undefined) return 0;
    const [start, stop] = view.region[view.plane.indexOf(axis)];
    return view.flipped.includes(axis) ? stop - 1 - position[axis] : position[axis] - start;
  };
  return [offset(row), offset(column)];
}

/** @param {string} name @param {boolean} isShown @param {import("./ome.js").Omero["rdefs"]} rdefs */
function firstIndex(name, isShown, rdefs) {
  if (isShown) return 0;
  if (name === "z") return rdefs?.defaultZ ?? 0;
  return name === "t" ? (rdefs?.defaultT ?? 0) : 0;
}
