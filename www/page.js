// The state that sections share: the open store, the view of it, the flipped bit, and the workers.

import { wrap } from "comlink";
import { moved, viewOf } from "./image/view.js";

/**
 * @typedef {import("./store/source.js").Source} Source
 * @typedef {import("./image/view.js").View} View
 * @typedef {import("comlink").Remote<import("./workers/reader.js").Reader>} ReaderWorker
 * @typedef {import("comlink").Remote<import("./workers/verifier.js").Verifier>} VerifierWorker
 */

/**
 * The bit that is flipped, and the element that it belongs to.
 *
 * @typedef {import("./store/stores.js").Bit & {
 *   path: string,
 *   component: View["component"],
 *   position: number[],
 *   before: string,
 *   isHidden: boolean,
 * }} Broken
 * `before` is the element as it was; a hidden one is for "Verify all" to find
 */

/**
 * The events of the page, and what listeners receive.
 *
 * @typedef {object} PageEvents
 * @property {{ source: Source }} opening a store is being opened
 * @property {{ source: Source }} opened it is open
 * @property {{ source: Source, error: Error }} failed it could not be opened
 * @property {View} viewed another view is shown
 * @property {Broken | undefined} flipped a bit has been flipped or restored
 */

export class Page extends EventTarget {
  /** @type {Promise<never>[]} */
  #failures = [];
  /** zarrita with this package's codecs, zarrita alone, and the verifier: one thread each. */
  workers = {
    ours: /** @type {ReaderWorker} */ (
      this.#started(new Worker(new URL("./workers/ours.js", import.meta.url), { type: "module" }))
    ),
    builtIn: /** @type {ReaderWorker} */ (
      this.#started(new Worker(new URL("./workers/built-in.js", import.meta.url), { type: "module" }))
    ),
    integrity: /** @type {VerifierWorker} */ (
      this.#started(new Worker(new URL("./workers/integrity.js", import.meta.url), { type: "module" }))
    ),
  };
  /** @type {Source | undefined} */
  source;
  /** @type {import("zarr-codecs/verify").StoreNode[]} */
  nodes = [];
  /** Only `undefined` before the first `viewed` event. @type {View | undefined} */
  #view;
  /** @type {Broken | undefined} */
  broken;
  #openings = 0;
  #generations = 0;

  /**
   * Opens a store. A failure leaves the open store as it is; of several calls only the last one takes effect.
   *
   * @param {Source} source
   * @param {{ array?: string, indices?: number[] }} [wanted]
   */
  async open(source, wanted = {}) {
    this.#openings += 1;
    const opening = this.#openings;
    const workers = Object.values(this.workers);
    this.#dispatch("opening", { source });
    try {
      const prepared = Promise.all([
        this.workers.ours.prepare(opening, source),
        this.workers.builtIn.prepare(opening, source),
        this.workers.integrity.prepare(opening, source),
      ]);
      const [nodes] = await Promise.race([prepared, ...this.#failures]);
      if (opening !== this.#openings) return;
      // Messages keep their order, so every later request reads from this store, in all workers.
      for (const worker of workers) worker.commit(opening);
      const paths = nodes.filter(({ metadata }) => metadata.node_type === "array").map(({ path }) => path);
      this.source = source;
      this.nodes = nodes;
      this.broken = undefined;
      this.#view = undefined;
      this.#dispatch("opened", { source });
      this.show(paths.find((path) => path === wanted.array) ?? paths[0], wanted.indices);
    } catch (error) {
      if (opening === this.#openings) this.#dispatch("failed", { source, error });
    }
  }

  /** What is shown; there is a view from the first `viewed` event on. */
  get view() {
    return /** @type {View} */ (this.#view);
  }

  /** Whether a store is open and shown. */
  get hasView() {
    return this.#view !== undefined;
  }

  /** Remembers the windows that a worker chose; nothing has to be drawn for that. @param {View} view */
  keep(view) {
    this.#view = view;
  }

  /** Shows an array. @param {string} path @param {number[]} [indices] */
  show(path, indices) {
    const view = viewOf(this.nodes, path, this.#view);
    this.goTo({ ...view, indices: indices?.length === view.indices.length ? indices : view.indices });
  }

  /** Shows a view that differs from what the controls say, and lets them follow. @param {View} view */
  goTo(view) {
    this.#generations += 1;
    this.change({ ...view, generation: this.#generations });
  }

  /** Tells whether what was requested for a view is still wanted. @param {{ generation?: number }} view */
  isCurrent({ generation }) {
    return generation === this.#view?.generation;
  }

  /** Shows another view of the same array. @param {View} view */
  change(view) {
    this.#view = moved(view, view.indices);
    this.#dispatch("viewed", this.#view);
  }

  /**
   * Flips one bit of the store in all workers, and restores the bit that was flipped before.
   *
   * @param {Broken | undefined} broken
   */
  async flip(broken) {
    this.broken = broken;
    const bit = broken && { key: broken.key, byte: broken.byte, bit: broken.bit };
    await Promise.all(Object.values(this.workers).map((worker) => worker.flip(bit)));
    this.#dispatch("flipped", broken);
  }

  /** The array that is shown. */
  get array() {
    const node = this.nodes.find(({ path }) => path === this.#view?.path);
    if (node === undefined) throw new Error("no array is shown");
    return node;
  }

  /** Wraps a worker; opening a store fails if the worker does not start. @param {Worker} worker */
  #started(worker) {
    /** @type {Promise<never>} */
    const failure = new Promise((_, reject) => {
      worker.addEventListener("error", ({ message }) =>
        reject(new Error(message ?? "A part of this page could not be loaded.")),
      );
    });
    failure.catch(() => {});
    this.#failures.push(failure);
    return wrap(worker);
  }

  /**
   * Calls a listener whenever something happens.
   *
   * @template {keyof PageEvents} Type
   * @param {Type} type
   * @param {(detail: PageEvents[Type]) => void} listener
   */
  on(type, listener) {
    this.addEventListener(type, (event) => {
      listener(/** @type {CustomEvent<PageEvents[Type]>} */ (event).detail);
    });
  }

  /**
   * @template {keyof PageEvents} Type
   * @param {Type} type
   * @param {PageEvents[Type]} detail
   */
  #dispatch(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
