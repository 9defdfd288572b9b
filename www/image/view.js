// What of an array is shown: a plain object that a worker can be sent.

/** Longer axes are shown in part. */
export const LONGEST = 2048;

const COMPONENTS = { complex: ["magnitude", "phase", "real", "imaginary"] };

/**
 * The OME-Zarr image that an array is a level of; undefined if it is none.
 *
 * @param {import("zarr-codecs/verify").StoreNode[]} nodes
 */
export function imageOf(nodes, path) {
  for (const group of nodes) {
    const base = group.path === "/" ? "" : group.path;
    for (const image of group.metadata.attributes?.ome?.multiscales ?? []) {
      const levels = image.datasets.map((dataset) => ({
        path: `${base}/${dataset.path}`,
        scale: dataset.coordinateTransformations?.find(({ type }) => type === "scale")?.scale,
      }));
      if (!levels.some((level) => level.path === path)) continue;
      return { axes: image.axes, levels, omero: group.metadata.attributes.ome.omero };
    }
  }
  return undefined;
}

/** What an array shows first, or after another level of its image: the same place, with the same channels. */
export function viewOf(nodes, path, before) {
  const { metadata } = nodes.find((node) => node.path === path);
  const { shape, data_type: dataType } = metadata;
  const image = imageOf(nodes, path);
  const names = shape.map(
    (_, axis) => image?.axes[axis]?.name ?? metadata.dimension_names?.[axis] ?? `d${axis}`,
  );
  const plane = shape.map((_, axis) => axis).slice(-2);
  const omero = image?.omero?.channels;
  const channelAxis = omero && image.axes.findIndex(({ type }) => type === "channel");
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
      channelAxis >= 0 ? omero.map(omeroChannel) : [{ number: 0, isVisible: true, ...mapOf(dataType) }],
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

/** A view at other indices, within the array. */
export function moved(view, indices) {
  return withRegion({ ...view, indices });
}

/** A view in which one element is, and no other channel than its own. */
export function viewAt(view, position) {
  const isShown = ({ number, isVisible }) =>
    view.channelAxis === undefined ? isVisible : number === position[view.channelAxis];
  const channels = view.channels.map((channel) => ({ ...channel, isVisible: isShown(channel) }));
  return moved({ ...view, channels }, position);
}

function withRegion(view) {
  const { shape, plane } = view;
  const indices = view.indices.map((at, axis) => Math.max(0, Math.min(at, shape[axis] - 1)));
  for (const axis of plane) indices[axis] = Math.min(indices[axis], Math.max(0, shape[axis] - LONGEST));
  const region = plane.map((axis) => [indices[axis], Math.min(shape[axis], indices[axis] + LONGEST)]);
  return { ...view, indices, region };
}

/** How many pixels high and wide the picture of a view is. */
export function sizeOf({ region }) {
  return [1, 1, ...region.map(([start, stop]) => stop - start)].slice(-2);
}

/** Whether an element is in the picture of a view. */
export function isShown({ path, indices, plane, region, channels, channelAxis }, element) {
  const isAt = (at, axis) => {
    if (axis === channelAxis) return channels.some(({ number, isVisible }) => isVisible && number === at);
    if (!plane.includes(axis)) return at === indices[axis];
    const [start, stop] = region[plane.indexOf(axis)];
    return at >= start && at < stop;
  };
  return path === element.path && element.position.every(isAt);
}

/** The position in the array of a point of the picture. */
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

/** Where a position of the array is in the picture: a row and a column, which may be outside. */
export function pointOf(view, position) {
  const [row, column] = view.plane.length === 2 ? view.plane : [undefined, view.plane[0]];
  const offset = (axis) =>
    axis === undefined ? 0 : position[axis] - view.region[view.plane.indexOf(axis)][0];
  return [offset(row), offset(column)];
}

function componentsOf(dataType) {
  const name = typeof dataType === "string" ? dataType : dataType?.name;
  if (/^complex/.test(name)) return COMPONENTS.complex;
  const bits = Number(/^r(\d+)$/.exec(name)?.[1] ?? 0);
  return Array.from({ length: bits / 8 }, (_, byte) => byte);
}

function mapOf(dataType) {
  return dataType === "bool" ? { map: "cividis", window: [0, 1] } : { map: "viridis" };
}

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

function firstIndex(name, isShown, rdefs) {
  if (isShown) return 0;
  return { z: rdefs?.defaultZ, t: rdefs?.defaultT }[name] ?? 0;
}
