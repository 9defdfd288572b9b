// What all sections share: the open store, what of it is shown, the broken bit, and the workers.

import { wrap } from "comlink";
import { moved, viewOf } from "./viewer/view.js";

/**
 * Tells what changes by events: `opening`, `opened`, `failed`, `viewed`, `flipped`.
 */
export class Page extends EventTarget {
  /** zarrita with our codecs, zarrita alone, and what checks chunks; each in a thread of its own. */
  workers = {
    ours: wrap(new Worker(new URL("./worker/ours.js", import.meta.url), { type: "module" })),
    builtIn: wrap(new Worker(new URL("./worker/built-in.js", import.meta.url), { type: "module" })),
    integrity: wrap(new Worker(new URL("./worker/integrity.js", import.meta.url), { type: "module" })),
  };
  /** @type {import("./store/stores.js").Source | undefined} */
  source;
  /** @type {import("./array/hierarchy.js").Node[]} */
  nodes = [];
  view;
  /** What is broken: `{ key, byte, bit }` and what `hidden` the page is not to show; undefined for nothing. */
  broken;

  /** Opens a store; if that fails, what was open stays. */
  async open(source, wanted = {}) {
    this.#tell("opening", { source });
    try {
      // The others only if this works: what was open stays open in all of them.
      const nodes = await this.workers.ours.open(source);
      await Promise.all([this.workers.builtIn.open(source), this.workers.integrity.open(source)]);
      const arrays = nodes.filter(({ metadata }) => metadata.node_type === "array");
      this.source = source;
      this.nodes = nodes;
      this.broken = undefined;
      this.view = undefined;
      this.#tell("opened", {});
      this.show(
        arrays.some(({ path }) => path === wanted.array) ? wanted.array : arrays[0].path,
        wanted.indices,
      );
    } catch (error) {
      this.#tell("failed", { source, error });
    }
  }

  /** Shows an array. */
  show(path, indices) {
    const view = viewOf(this.nodes, path, this.view);
    this.change({ ...view, indices: indices?.length === view.indices.length ? indices : view.indices });
  }

  /** Shows something else of the same array. */
  change(view) {
    this.view = moved(view, view.indices);
    this.#tell("viewed", {});
  }

  /** Flips one bit of the store, for everything on the page; mends what was broken before. */
  async flip(broken) {
    this.broken = broken;
    const bit = broken && { key: broken.key, byte: broken.byte, bit: broken.bit };
    await Promise.all(Object.values(this.workers).map((worker) => worker.flip(bit)));
    this.#tell("flipped", {});
  }

  /** The node of the array that is shown. */
  get array() {
    return this.nodes.find(({ path }) => path === this.view?.path);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
