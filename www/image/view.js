// The view of an array: which part of it is shown, and how.

/**
 * A channel of an image, or the only one of another array.
 *
 * @typedef {object} Channel
 * @property {number} number its index along the channel axis
 * @property {boolean} isVisible
 * @property {[number, number]} [window] the numbers that are shown darkest and brightest; a worker chooses the first one
 * @property {string} [map] the colour map
 * @property {string} [colour] instead of a map, as `#rrggbb`
 * @property {string} [label]
 * @property {[number, number]} [range] the limits of the window
 */

/**
 * What is shown of an array, as a plain object that a worker can be sent.
 *
 * @typedef {object} View
 * @property {string} path of the array
 * @property {string[]} names of the axes
 * @property {readonly number[]} shape of the array
 * @property {number[]} plane the axes that are shown, down and across; fewer than two for an array of fewer axes
 * @property {[start: number, stop: number][]} region the extent of the picture along these axes
 * @property {number[]} indices along each axis; along those of the plane, where the region starts
 * @property {number} [channelAxis]
 * @property {Channel[]} channels
 * @property {(string | number)[]} components that an element can be shown by, if it has several
 * @property {string | number} [component] the one that is shown
 * @property {number} [generation] differs between views that controls have to follow; see Page
 */

/**
 * An image as OME-Zarr describes it.
 *
 * @typedef {{ name: string, type?: string, unit?: string }} Axis
 * @typedef {{ path: string, scale?: number[] }} Level
 * @typedef {{ label?: string, color?: string, active?: boolean,
 *   window?: { start: number, end: number, min: number, max: number } }} OmeroChannel
 * @typedef {{ channels?: OmeroChannel[], rdefs?: { defaultZ?: number, defaultT?: number } }} Omero
 * @typedef {{ axes: Axis[], levels: Level[], omero?: Omero }} Image
 */

/** @typedef {import("zarr-codecs/verify").StoreNode} StoreNode */

/** The most elements of an axis that are shown at once. */
export const LONGEST = 2048;

const COMPLEX = ["magnitude", "phase", "real", "imaginary"];

/**
 * Returns the OME-Zarr image that an array is a level of, if it is one.
 *
 * @param {StoreNode[]} nodes
 * @param {string} path
 * @returns {Image | undefined}
 */
export function imageOf(nodes, path) {
  for (const group of nodes) {
    const base = group.path === "/" ? "" : group.path;
    const ome = omeOf(group);
    for (const image of ome.multiscales ?? []) {
      const levels = image.datasets.map((dataset) => ({
        path: `${base}/${dataset.path}`,
        scale: dataset.coordinateTransformations?.find(({ type }) => type === "scale")?.scale,
      }));
      if (levels.some((level) => level.path === path)) return { axes: image.axes, levels, omero: ome.omero };
    }
  }
  return undefined;
}

/**
 * @param {StoreNode} node
 * @returns {{ omero?: Omero, multiscales?: { axes: Axis[], datasets: { path: string,
 *   coordinateTransformations?: { type: string, scale?: number[] }[] }[] }[] }}
 */
function omeOf({ metadata }) {
  return /** @type {any} */ (metadata.attributes)?.ome ?? {};
}

/**
 * Returns the first view of an array. After another level of the same image, it keeps the place and the channels.
 *
 * @param {StoreNode[]} nodes
 * @param {string} path
 * @param {View} [before]
 * @returns {View}
 */
export function viewOf(nodes, path, before) {
  const { metadata } = /** @type {StoreNode} */ (nodes.find((node) => node.path === path));
  const { data_type: dataType, dimension_names: dimensions } = metadata;
  const shape = /** @type {number[]} */ (metadata.shape);
  const image = imageOf(nodes, path);
  const dimensionNames = Array.isArray(dimensions) ? dimensions : [];
  const names = shape.map((_, axis) => image?.axes[axis]?.name ?? dimensionNames[axis] ?? `d${axis}`);
  const plane = shape.map((_, axis) => axis).slice(-2);
  const omero = image?.omero?.channels;
  const channelAxis = omero ? (image?.axes.findIndex(({ type }) => type === "channel") ?? -1) : -1;
  const components = componentsOf(dataType);
  const fresh = {
    path,
    names,
    shape,
    plane,
    channelAxis: channelAxis >= 0 ? channelAxis : undefined,
    indices: shape.map((_, axis) => firstIndex(names[axis], plane.includes(axis), image?.omero?.rdefs)),
    components,
    component: components[0],
    channels:
      omero && channelAxis >= 0
        ? omero.map(omeroChannel)
        : [{ number: 0, isVisible: true, ...mapOf(dataType) }],
  };
  const isSameImage = before !== undefined && image?.levels.some((level) => level.path === before.path);
  const view = isSameImage
    ? {
        ...fresh,
        channels: before.channels,
        indices: fresh.indices.map((at, axis) => (plane.includes(axis) ? at : before.indices[axis])),
      }
    : fresh;
  return withRegion(view);
}

/** Moves a view to other indices, within the array. @param {Omit<View, "region">} view @param {number[]} indices */
export function moved(view, indices) {
  return withRegion({ ...view, indices });
}

/** Moves a view to one element, and hides all channels but its own. @param {View} view @param {number[]} position */
export function viewAt(view, position) {
  const isShown = (/** @type {Channel} */ { number, isVisible }) =>
    view.channelAxis === undefined ? isVisible : number === position[view.channelAxis];
  const channels = view.channels.map((channel) => ({ ...channel, isVisible: isShown(channel) }));
  return moved({ ...view, channels }, position);
}

/** @param {Omit<View, "region">} view @returns {View} */
function withRegion(view) {
  const { shape, plane } = view;
  const indices = view.indices.map((at, axis) => Math.max(0, Math.min(at, shape[axis] - 1)));
  for (const axis of plane) indices[axis] = Math.min(indices[axis], Math.max(0, shape[axis] - LONGEST));
  /** @type {View["region"]} */
  const region = plane.map((axis) => [indices[axis], Math.min(shape[axis], indices[axis] + LONGEST)]);
  return { ...view, indices, region };
}

/** Returns the size of the picture of a view. @param {View} view @returns {[height: number, width: number]} */
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
  for (const [i, axis] of view.plane.entries()) position[axis] = view.region[i][0] + point[i];
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
  const offset = (/** @type {number | undefined} */ axis) =>
    axis === undefined ? 0 : position[axis] - view.region[view.plane.indexOf(axis)][0];
  return [offset(row), offset(column)];
}

/** @param {any} dataType @returns {(string | number)[]} */
function componentsOf(dataType) {
  const name = String(dataType?.name ?? dataType);
  if (/^complex/.test(name)) return COMPLEX;
  const bits = Number(/^r(\d+)$/.exec(name)?.[1] ?? 0);
  return Array.from({ length: bits / 8 }, (_, byte) => byte);
}

/** @param {unknown} dataType @returns {Pick<Channel, "map" | "window">} */
function mapOf(dataType) {
  return dataType === "bool" ? { map: "cividis", window: [0, 1] } : { map: "viridis" };
}

/** @param {OmeroChannel} channel @param {number} number @returns {Channel} */
function omeroChannel({ label, color, window, active }, number) {
  return {
    number,
    label: label ?? `Channel ${number}`,
    colour: `#${color ?? "ffffff"}`,
    window: window && [window.start, window.end],
    range: window && [window.min, window.max],
    isVisible: active !== false,
  };
}

/** @param {string} name @param {boolean} isShown @param {Omero["rdefs"]} rdefs */
function firstIndex(name, isShown, rdefs) {
  if (isShown) return 0;
  if (name === "z") return rdefs?.defaultZ ?? 0;
  return name === "t" ? (rdefs?.defaultT ?? 0) : 0;
}
