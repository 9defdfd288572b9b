// Reads arrays with zarrita and paints them. The worker that makes a reader decides which codecs zarrita has.

import { transfer } from "comlink";
import { withExtendedTypes } from "zarr-codecs/register";
import { readHierarchy } from "zarr-codecs/verify";
import { open, root, withRangeCoalescing } from "zarrita";
import { paint, paintNothing } from "../image/paint.js";
import { readPlane } from "../image/plane.js";
import { sizeOf } from "../image/view.js";
import { keysOf, openStore, withFlippedBit } from "../store/stores.js";

/**
 * @typedef {import("../image/view.js").View} View
 * @typedef {import("../image/plane.js").Plane} Plane
 * @typedef {import("../store/stores.js").Held} Held
 * @typedef {ReturnType<typeof rootOf>} Root
 */

/** How many planes are kept: those of a few channels, before and after a slider has moved. */
const MOST_PLANES = 12;

/** @param {import("zarrita").AsyncReadable} store */
const rootOf = (store) => root(withRangeCoalescing(withExtendedTypes(store)));

/** @param {Root} root @param {string} path */
const openArray = (root, path) => open.v3(root.resolve(path), { kind: "array" });

export class Reader {
  /** @type {Map<number, { root: Root, held: Held }>} */
  #prepared = new Map();
  /** @type {Root | undefined} */
  #root;
  /** @type {Held} */
  #held = {};
  /** @type {Map<string, ReturnType<typeof openArray>>} */
  #arrays = new Map();
  /** @type {Map<string, Promise<Plane>>} */
  #planes = new Map();

  /**
   * Opens a store without using it yet, and returns its nodes.
   *
   * @param {number} opening
   * @param {import("../store/source.js").Source} source
   */
  async prepare(opening, source) {
    /** @type {Held} */
    const held = {};
    const store = withFlippedBit(openStore(source), held);
    const nodes = await readHierarchy(store, { listKeys: () => keysOf(store) });
    if (!nodes.some(({ metadata }) => metadata.node_type === "array")) {
      throw new Error("found no array in this group");
    }
    this.#prepared.set(opening, { root: rootOf(store), held });
    return nodes;
  }

  /** Reads from a prepared store from now on. @param {number} opening */
  commit(opening) {
    const { root, held = {} } = this.#prepared.get(opening) ?? {};
    this.#prepared.clear();
    this.#root = root;
    this.#held = held;
    this.#arrays.clear();
    this.#planes.clear();
  }

  /**
   * Flips one bit, and restores the bit that was flipped before.
   *
   * @param {import("../store/stores.js").Bit} [bit]
   */
  flip(bit) {
    this.#held.bit = bit;
    // The arrays stay: what zarrita keeps of them, the index of a shard, is never flipped.
    this.#planes.clear();
  }

  /** Paints a view, and lists the chunks that could not be decoded. @param {View} view */
  async render(view) {
    const shown = view.channels.filter(({ isVisible }) => isVisible);
    const planes = await Promise.all(shown.map((channel) => this.#plane(view, channel)));
    const [height, width] = sizeOf(view);
    const { bitmap, windows } = await (shown.length > 0
      ? paint(planes, shown)
      : paintNothing([height, width]));
    const failures = planes.flatMap(({ failures }) => failures);
    const channels = planes.map(({ statistics }, i) => ({
      ...statistics,
      number: shown[i].number,
      window: windows[i],
    }));
    return transfer({ bitmap, width, height, failures, channels }, [bitmap]);
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

  /** @param {View} view @param {{ number: number }} channel */
  #plane(view, channel) {
    const { path, indices, plane, region, component, channelAxis } = view;
    const at = channelAxis === undefined ? indices : indices.with(channelAxis, channel.number);
    const wanted = { plane, region, component, indices: at };
    const name = JSON.stringify([path, wanted]);
    const known = this.#planes.get(name);
    if (known) return known;
    const reading = this.#array(path).then((array) => readPlane(array, wanted));
    reading.catch(() => this.#planes.delete(name));
    this.#planes.set(name, reading);
    for (const oldest of this.#planes.keys()) {
      if (this.#planes.size <= MOST_PLANES) break;
      this.#planes.delete(oldest);
    }
    return reading;
  }

  /** @param {string} path */
  #array(path) {
    const known = this.#arrays.get(path);
    if (known) return known;
    if (this.#root === undefined) throw new Error("no store is open");
    const opening = openArray(this.#root, path);
    opening.catch(() => this.#arrays.delete(path));
    this.#arrays.set(path, opening);
    return opening;
  }
}
