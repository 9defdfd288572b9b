// Reads arrays with zarrita and paints them. The worker that makes a reader decides which codecs zarrita has.

import { transfer } from "comlink";
import { open, root } from "zarrita";
import { paint, paintNothing } from "../image/paint.js";
import { readPlane, withDecodedKept } from "../image/plane.js";
import { statistics } from "../image/statistics.js";
import { sizeOf } from "../image/view.js";
import { withFlippedBit } from "../store/flipped-bit.js";

/**
 * @typedef {import("../image/view.js").View} View
 * @typedef {import("../image/plane.js").Plane} Plane
 * @typedef {import("../image/plane.js").Failure} Failure
 * @typedef {import("../store/flipped-bit.js").Held} Held
 * @typedef {import("../store/cached.js").RangeStore} RangeStore
 * @typedef {{ array: import("../image/plane.js").ZarritaArray, failures: Map<string, Failure> }} OpenArray
 */

/** How many numbers of planes are kept: those of the visible tiles, before and after a slider has moved. */
const MOST_NUMBERS = 16e6;

export class Reader {
  #wrap;
  /** @type {Map<number, { store: RangeStore, held: Held }>} */
  #prepared = new Map();
  /** @type {RangeStore | undefined} */
  store;
  /** @type {Held} */
  #held = {};
  /** @type {Map<string, Promise<OpenArray>>} */
  #arrays = new Map();
  /** @type {Map<string, { reading: Promise<Plane>, size: number }>} */
  #planes = new Map();
  #numbers = 0;

  /** @param {(store: RangeStore) => import("zarrita").AsyncReadable} wrap makes the store that zarrita reads */
  constructor(wrap) {
    this.#wrap = wrap;
  }

  /** Keeps a store without using it yet. @param {number} opening @param {RangeStore} store */
  keep(opening, store) {
    /** @type {Held} */
    const held = {};
    const broken = withFlippedBit(store, held);
    this.#prepared.set(opening, { store: /** @type {RangeStore} */ (broken), held });
  }

  /** Reads from a prepared store from now on. @param {number} opening */
  commit(opening) {
    const { store, held = {} } = this.#prepared.get(opening) ?? {};
    this.#prepared.clear();
    this.store = store;
    this.#held = held;
    this.forget();
  }

  /** Forgets what was decoded: after failures, they are tried once more. */
  forget() {
    this.#arrays.clear();
    this.#planes.clear();
    this.#numbers = 0;
  }

  /**
   * Flips one bit, and restores the bit that was flipped before.
   *
   * @param {import("../store/flipped-bit.js").Bit} [bit]
   */
  flip(bit) {
    this.#held.bit = bit;
    this.forget();
  }

  /** Paints a view, and lists the chunks that could not be decoded. @param {View} view */
  async render(view) {
    const shown = view.channels.filter(({ isVisible }) => isVisible);
    const planes = await Promise.all(shown.map((channel) => this.#plane(view, channel)));
    const [height, width] = sizeOf(view);
    const painted = planes.map((plane, i) => ({
      ...plane,
      statistics: shown[i].window ? { likely: shown[i].window } : statistics([plane.numbers]),
    }));
    const { bitmap, windows } = await (shown.length > 0
      ? paint(painted, shown)
      : paintNothing([height, width]));
    const failures = distinct(planes.flatMap(({ failures }) => failures));
    const channels = shown.map(({ number }, i) => ({ number, window: windows[i] }));
    return transfer({ bitmap, width, height, failures, channels }, [bitmap]);
  }

  /** Describes the numbers of each visible channel, in several parts of it together. @param {View[]} parts */
  async measure(parts) {
    const [view] = parts;
    const shown = view.channels.filter(({ isVisible }) => isVisible);
    return Promise.all(
      shown.map(async (channel) => {
        const planes = await Promise.all(parts.map((part) => this.#plane(part, channel)));
        const known = statistics(planes.map(({ numbers }) => numbers));
        return { ...known, number: channel.number, window: channel.window ?? known.likely };
      }),
    );
  }

  /**
   * Returns the elements at a pixel as text, one for each visible channel.
   *
   * @param {View} view
   * @param {number} row
   * @param {number} column
   */
  async elements(view, row, column) {
    const shown = view.channels.filter(({ isVisible }) => isVisible);
    const planes = await Promise.all(shown.map((channel) => this.#plane(view, channel)));
    return planes.map((plane) => plane.text(row, column));
  }

  /** Returns the numbers of an array with one axis. @param {View} view */
  async line(view) {
    const { numbers, failures } = await this.#plane(view, view.channels[0]);
    return { numbers: Float64Array.from(numbers), failures };
  }

  /** Returns the elements of a view as text, row by row. @param {View} view */
  async table(view) {
    const { width, height, text, failures } = await this.#plane(view, view.channels[0]);
    const rows = Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_, column) => text(row, column)),
    );
    return { rows, failures };
  }

  /** @param {View} view @param {{ number: number }} channel */
  #plane(view, channel) {
    const { path, indices, plane, region, flipped, component, channelAxis, dataType } = view;
    const at = channelAxis === undefined ? indices : indices.with(channelAxis, channel.number);
    const wanted = { plane, region, flipped, component, indices: at, dataType };
    const name = JSON.stringify([
      path,
      plane,
      region,
      flipped,
      component,
      at.filter((_, axis) => !plane.includes(axis)),
    ]);
    const known = this.#planes.get(name);
    if (known) {
      this.#planes.delete(name);
      this.#planes.set(name, known);
      return known.reading;
    }
    const reading = this.open(path).then(({ array, failures }) => readPlane(array, failures, wanted));
    const [height, width] = sizeOf(view);
    this.#planes.set(name, { reading, size: width * height });
    this.#numbers += width * height;
    const drop = (/** @type {string} */ name) => {
      this.#numbers -= this.#planes.get(name)?.size ?? 0;
      this.#planes.delete(name);
    };
    reading.catch(() => drop(name));
    for (const oldest of this.#planes.keys()) {
      if (this.#numbers <= MOST_NUMBERS || oldest === name) break;
      drop(oldest);
    }
    return reading;
  }

  /** Opens an array once. @param {string} path @returns {Promise<OpenArray>} */
  open(path) {
    const known = this.#arrays.get(path);
    if (known) return known;
    if (this.store === undefined) throw new Error("no store is open");
    const opening = this.#open(root(this.#wrap(this.store)).resolve(path));
    opening.catch(() => this.#arrays.delete(path));
    this.#arrays.set(path, opening);
    return opening;
  }

  /** @param {import("zarrita").Location<import("zarrita").AsyncReadable>} location @returns {Promise<OpenArray>} */
  async #open(location) {
    /** @type {Map<string, Failure>} */
    const failures = new Map();
    const array = await open.v3(location, { kind: "array" });
    return { array: withDecodedKept(array, failures), failures };
  }
}

/** Leaves out repeated chunks, which several channels share. @param {Failure[]} failures */
function distinct(failures) {
  return [...new Map(failures.map((failure) => [failure.position.join(), failure])).values()];
}
