// The channels of an array: which axis they are, and how each is coloured.

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
 * @typedef {import("./ome.js").Image} Image
 * @typedef {{ names: string[], shape: readonly number[], dataType: unknown, image?: Image }} Described
 */

/** More channels than these are shown one at a time. */
const MOST_TOGETHER = 8;
/** How many channels are visible at first, where the image does not say. */
const FIRST_VISIBLE = 3;
const COLOURS = ["#00ff00", "#ff00ff", "#00aaff", "#ffaa00", "#ff0000", "#ffff00", "#aa66ff", "#ffffff"];
const PRIMARIES = [
  { label: "Red", colour: "#ff0000" },
  { label: "Green", colour: "#00ff00" },
  { label: "Blue", colour: "#0000ff" },
];
/** The largest numbers of types that hold colours. @type {Record<string, number>} */
const BRIGHTEST = { uint8: 255, uint16: 65_535 };
const CHANNEL_NAMES = /^(c|channels?|bands?|rgba?|s|samples?|colou?rs?)$/i;

/** Finds the axis whose indices are shown together, each in a colour. @param {Described} described @returns {number | undefined} */
export function channelAxisOf({ names, shape, dataType, image }) {
  if (shape.length < 3) return undefined;
  const typed =
    image?.axes.findIndex(({ type, name }) => type === "channel" || (!type && name === "c")) ?? -1;
  if (typed >= 0) return image?.omero?.channels || shape[typed] <= MOST_TOGETHER ? typed : undefined;
  if (image) return undefined;
  const isColour = (/** @type {number} */ axis) => shape[axis] === 3 || shape[axis] === 4;
  const named = names.findIndex((name, axis) => CHANNEL_NAMES.test(name) && isColour(axis));
  if (named >= 0 && String(dataType) in BRIGHTEST) return named;
  const last = shape.length - 1;
  return dataType === "uint8" && isColour(last) && /^d\d+$/.test(names[last]) ? last : undefined;
}

/** Tells whether an axis may be shown as channels. @param {readonly number[]} shape @param {number} axis */
export const mayBeChannels = (shape, axis) =>
  shape.length > 2 && shape[axis] > 1 && shape[axis] <= MOST_TOGETHER;

/** Returns the first state of all channels. @param {Described} described @param {number | undefined} axis @returns {Channel[]} */
export function channelsOf({ names, shape, dataType, image }, axis) {
  if (axis === undefined) return [{ number: 0, isVisible: true, ...mapOf(dataType) }];
  const isChannels = image && image.axes[axis]?.type !== "space" && image.axes[axis]?.type !== "time";
  const omero = isChannels ? image.omero?.channels : undefined;
  if (omero) return omero.slice(0, shape[axis]).map(omeroChannel);
  const brightest = BRIGHTEST[String(dataType)];
  const isColour = brightest !== undefined && (shape[axis] === 3 || shape[axis] === 4) && !image;
  return Array.from({ length: shape[axis] }, (_, number) => {
    const primary = isColour ? PRIMARIES[number] : undefined;
    if (isColour) {
      /** @type {[number, number]} */
      const range = [0, brightest];
      // The fourth is the opacity.
      const { label, colour } = primary ?? { label: "Alpha", colour: "#ffffff" };
      return { number, label, colour, range, window: range, isVisible: primary !== undefined };
    }
    const colour = COLOURS[number % COLOURS.length];
    return { number, label: `${names[axis]} ${number}`, colour, isVisible: number < FIRST_VISIBLE };
  });
}

/** @param {unknown} dataType @returns {Pick<Channel, "map" | "window">} */
function mapOf(dataType) {
  return dataType === "bool" ? { map: "cividis", window: [0, 1] } : { map: "viridis" };
}

/** @param {import("./ome.js").OmeroChannel} channel @param {number} number @returns {Channel} */
function omeroChannel({ label, color, window, active }, number) {
  const isWindow = window !== undefined && window.end > window.start;
  return {
    number,
    label: label ?? `Channel ${number}`,
    colour: /^[0-9a-f]{6}$/i.test(color ?? "") ? `#${color}` : COLOURS[number % COLOURS.length],
    window: isWindow ? [window.start, window.end] : undefined,
    range: isWindow ? [window.min ?? window.start, window.max ?? window.end] : undefined,
    isVisible: active !== false,
  };
}
