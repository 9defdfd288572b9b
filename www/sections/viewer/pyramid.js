// The levels of an image, and the tiles that they are read in.

/**
 * @typedef {import("../../image/view.js").View} View
 * @typedef {import("../../store/nodes.js").Node} Node
 * @typedef {[down: number, across: number]} Pair
 */

/**
 * A level: an array of the same image; `factor` is how many elements of the shown array one of its elements is.
 *
 * @typedef {object} Level
 * @property {string} path
 * @property {readonly number[]} shape
 * @property {readonly number[]} chunkShape
 * @property {Pair} size along the axes of the plane
 * @property {Pair} factor
 * @property {Pair} tile the size of a tile
 */

/**
 * A part of a level.
 *
 * @typedef {object} Tile
 * @property {string} key
 * @property {Level} level
 * @property {View} view what a worker reads
 * @property {{ row: number, column: number, height: number, width: number }} place in elements of the shown array
 */

/** The length of a tile, as far as chunks allow. */
const TILE = 512;
/** The most chunks along a side of a tile. */
const MOST_CHUNKS = 16;

/**
 * Returns the levels that a view can be drawn from: its own array, and the smaller ones of the same image, the finest first.
 *
 * @param {Node[]} nodes
 * @param {View} view
 * @param {import("../../image/ome.js").Image | undefined} image
 * @returns {Level[]}
 */
export function levelsOf(nodes, view, image) {
  const own = levelOf(view, { path: view.path, shape: view.shape, chunkShape: view.chunkShape });
  const others = (image?.levels ?? []).flatMap(({ path }) => {
    const node = nodes.find((node) => node.path === path && !node.problem);
    const shape = /** @type {number[] | undefined} */ (node?.metadata.shape);
    if (node === undefined || shape?.length !== view.shape.length || path === view.path) return [];
    const level = levelOf(view, { path, shape, chunkShape: node.chunkShape ?? shape });
    return level.factor.every((factor) => factor >= 1) && level.factor.some((factor) => factor > 1)
      ? [level]
      : [];
  });
  return [own, ...others.sort((a, b) => a.factor[0] * a.factor[1] - b.factor[0] * b.factor[1])];
}

/** @param {View} view @param {Pick<Level, "path" | "shape" | "chunkShape">} array @returns {Level} */
function levelOf({ plane, shape: whole }, { path, shape, chunkShape }) {
  /** @param {(axis: number) => number} of @returns {Pair} */
  const pair = (of) => [of(plane[0]), of(plane[1])];
  return {
    path,
    shape,
    chunkShape,
    size: pair((axis) => shape[axis]),
    factor: pair((axis) => whole[axis] / shape[axis]),
    tile: pair((axis) => tileLength(chunkShape[axis])),
  };
}

/** A multiple or a part of a chunk's length. @param {number} chunk */
function tileLength(chunk) {
  if (chunk <= TILE) return chunk * Math.min(MOST_CHUNKS, Math.floor(TILE / chunk));
  return Math.ceil(chunk / Math.ceil(chunk / TILE));
}

/** Chooses the coarsest level whose elements are no larger than pixels. @param {Level[]} levels @param {Pair} scale pixels for each element of the shown array */
export function levelFor(levels, [down, across]) {
  const isFineEnough = (/** @type {Level} */ { factor }) =>
    Math.max(factor[0] * down, factor[1] * across) <= 1.3;
  return levels.findLast(isFineEnough) ?? levels[0];
}

/**
 * Lists the tiles of a level that intersect a part of the shown array, from its middle outward.
 *
 * @param {View} view
 * @param {Level} level
 * @param {[Pair, Pair]} extent from the first to the last row and column as they are displayed
 * @returns {Tile[]}
 */
export function tilesIn(view, level, extent) {
  const [rows, columns] = [0, 1].map((i) => indicesIn(view, level, extent, i));
  const tiles = rows.flatMap((row) => columns.map((column) => tileAt(view, level, [row, column])));
  const middle = [0, 1].map((i) => (extent[i][0] + extent[i][1]) / 2);
  const distance = (/** @type {Tile} */ { place: { row, column, height, width } }) =>
    Math.hypot(row + height / 2 - middle[0], column + width / 2 - middle[1]);
  return tiles.sort((a, b) => distance(a) - distance(b));
}

/** Counts the tiles of a part. @param {View} view @param {Level} level @param {[Pair, Pair]} extent */
export const countTiles = (view, level, extent) =>
  [0, 1].reduce((product, i) => product * rangeIn(view, level, extent, i).count, 1);

/** @param {View} view @param {Level} level @param {[Pair, Pair]} extent @param {number} i which axis of the plane */
function rangeIn({ plane, flipped }, { factor, size, tile }, extent, i) {
  const [from, to] = extent[i].map((at) => at / factor[i]);
  // Tiles are counted along the array, which may be displayed backwards.
  const [start, stop] = flipped.includes(plane[i]) ? [size[i] - to, size[i] - from] : [from, to];
  const first = Math.max(0, Math.floor(start / tile[i]));
  const last = Math.min(Math.ceil(size[i] / tile[i]) - 1, Math.ceil(stop / tile[i]) - 1);
  return { first, count: Math.max(0, last - first + 1) };
}

/** @param {View} view @param {Level} level @param {[Pair, Pair]} extent @param {number} i */
function indicesIn(view, level, extent, i) {
  const { first, count } = rangeIn(view, level, extent, i);
  return Array.from({ length: count }, (_, at) => first + at);
}

/** @param {View} view @param {Level} level @param {Pair} at @returns {Tile} */
function tileAt(view, level, at) {
  const { path, shape, chunkShape, factor, size, tile } = level;
  /** @param {number} i @returns {[start: number, stop: number]} */
  const range = (i) => [at[i] * tile[i], Math.min(size[i], (at[i] + 1) * tile[i])];
  /** @type {[start: number, stop: number][]} */
  const region = [range(0), range(1)];
  const first = (/** @type {number} */ i) =>
    view.flipped.includes(view.plane[i]) ? size[i] - region[i][1] : region[i][0];
  const indices = view.indices.map((index, axis) => {
    const i = view.plane.indexOf(axis);
    return i >= 0
      ? region[i][0]
      : Math.min(shape[axis] - 1, Math.floor((index * shape[axis]) / view.shape[axis]));
  });
  return {
    key: `${path} ${at}`,
    level,
    view: { ...view, path, shape, chunkShape, indices, region },
    place: {
      row: first(0) * factor[0],
      column: first(1) * factor[1],
      height: (region[0][1] - region[0][0]) * factor[0],
      width: (region[1][1] - region[1][0]) * factor[1],
    },
  };
}

/** Names what the elements of a view are, apart from their colours. @param {View} view */
export const contentOf = ({ path, indices, plane, flipped, component, channelAxis, channels }) =>
  JSON.stringify([
    path,
    plane,
    flipped,
    component,
    channelAxis,
    indices.filter((_, axis) => !plane.includes(axis)),
    channels.filter(({ isVisible }) => isVisible).map(({ number }) => number),
  ]);

/** Names the colours of a view. @param {View} view */
export const paintOf = ({ channels }) =>
  JSON.stringify(channels.map(({ isVisible, window, map, colour }) => [isVisible, window, map, colour]));
