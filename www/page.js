// What all sections share: the open store, what of it is shown, the broken bit, and the workers.

import { wrap } from "comlink";
import { moved, viewOf } from "./image/view.js";

/**
 * Tells what changes by events: `opening`, `opened`, `failed`, `viewed`, `flipped`.
 */
export class Page extends EventTarget {
  #failures = [];
  /** zarrita with our codecs, zarrita alone, and what checks chunks; each in a thread of its own. */
  workers = {
    ours: this.#started(new Worker(new URL("./workers/ours.js", import.meta.url), { type: "module" })),
    builtIn: this.#started(new Worker(new URL("./workers/built-in.js", import.meta.url), { type: "module" })),
    integrity: this.#started(
      new Worker(new URL("./workers/integrity.js", import.meta.url), { type: "module" }),
    ),
  };
  /** @type {import("./store/stores.js").Source | undefined} */
  source;
  /** @type {import("zarr-codecs/verify").StoreNode[]} */
  nodes = [];
  /** What is shown. Its `generation` is another one wherever `goTo` has led. */
  view;
  /** What is broken: `{ key, byte, bit }`, and where that is in which array; undefined for nothing. */
  broken;
  #openings = 0;
  #generations = 0;

  /** Opens a store; if that fails, what was open stays. Of several at once, only the last is of interest. */
  async open(source, wanted = {}) {
    this.#openings += 1;
    const opening = this.#openings;
    const workers = Object.values(this.workers);
    this.#tell("opening", { source });
    try {
      const prepared = Promise.all(workers.map((worker) => worker.prepare(opening, source)));
      const [nodes] = await Promise.race([prepared, ...this.#failures]);
      if (opening !== this.#openings) return;
      // Messages keep their order: whatever is asked from here on is asked of this store, in all workers.
      for (const worker of workers) worker.commit(opening);
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
      if (opening === this.#openings) this.#tell("failed", { source, error });
    }
  }

  /** Shows an array. */
  show(path, indices) {
    const view = viewOf(this.nodes, path, this.view);
    this.goTo({ ...view, indices: indices?.length === view.indices.length ? indices : view.indices });
  }

  /** Shows a view that is not what the controls say: they follow it. */
  goTo(view) {
    this.#generations += 1;
    this.change({ ...view, generation: this.#generations });
  }

  /** Whether what was asked for a view is still of interest. */
  isCurrent({ generation }) {
    return generation === this.view?.generation;
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

  /** A worker's functions; that it does not start is told to who opens a store. */
  #started(worker) {
    const failure = new Promise((_, reject) => {
      worker.addEventListener("error", ({ message }) =>
        reject(new Error(message ?? "A part of this page could not be loaded.")),
      );
    });
    failure.catch(() => {});
    this.#failures.push(failure);
    return wrap(worker);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
