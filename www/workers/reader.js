// Reads arrays with zarrita and paints them. Which codecs it has is decided by the worker that makes one.

import { transfer } from "comlink";
import { withExtendedTypes } from "zarr-codecs/register";
import { readHierarchy } from "zarr-codecs/verify";
import { open, root, withRangeCoalescing } from "zarrita";
import { paint, paintNothing } from "../image/paint.js";
import { readPlane } from "../image/plane.js";
import { sizeOf } from "../image/view.js";
import { keysOf, openStore, withFlippedBit } from "../store/stores.js";

/** Planes that are kept: those of a few channels, before and after a slider has moved. */
const PLANES = 12;

export class Reader {
  #prepared = new Map();
  #root;
  #held = {};
  #arrays = new Map();
  #planes = new Map();

  /** Looks whether a store can be opened, and gives its nodes. */
  async prepare(opening, source) {
    const held = {};
    const store = withFlippedBit(openStore(source), held);
    const nodes = await readHierarchy(store, { listKeys: () => keysOf(store) });
    if (!nodes.some(({ metadata }) => metadata.node_type === "array")) {
      throw new Error("There is no array in this group.");
    }
    this.#prepared.set(opening, { root: root(withRangeCoalescing(withExtendedTypes(store))), held });
    return nodes;
  }

  /** Reads from a prepared store from here on. */
  commit(opening) {
    const { root, held } = this.#prepared.get(opening);
    this.#prepared.clear();
    this.#root = root;
    this.#held = held;
    this.#arrays.clear();
    this.#planes.clear();
  }

  /** Breaks one bit, `{ key, byte, bit }`; mends what was broken before. */
  flip(bit) {
    this.#held.bit = bit;
    this.#planes.clear();
    // zarrita keeps the index of a shard with its array, which stays valid: it is not what is broken.
  }

  /** A picture of what `view` says, with what could not be decoded. */
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

  /** The elements at a point of the picture, one of each channel that is shown, as text. */
  async elements(view, row, column) {
    const shown = view.channels.filter(({ isVisible }) => isVisible);
    const planes = await Promise.all(shown.map((channel) => this.#plane(view, channel)));
    return planes.map((plane) => plane.text(row, column));
  }

  /** The numbers of an array with one axis. */
  async line(view) {
    const { numbers, failures } = await this.#plane(view, view.channels[0]);
    return { numbers: Float64Array.from(numbers), failures };
  }

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
      if (this.#planes.size <= PLANES) break;
      this.#planes.delete(oldest);
    }
    return reading;
  }

  #array(path) {
    if (!this.#arrays.has(path)) {
      const opening = open.v3(this.#root.resolve(path), { kind: "array" });
      opening.catch(() => this.#arrays.delete(path));
      this.#arrays.set(path, opening);
    }
    return this.#arrays.get(path);
  }
}
