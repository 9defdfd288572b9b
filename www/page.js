// The state that sections share: the open store, the view of it, the flipped bit, and the workers.

import { proxy, transfer, wrap } from "comlink";
import { coordinatesOf } from "./image/coordinates.js";
import { firstArray } from "./image/first-array.js";
import { chunkIn, moved, viewOf, wantedView } from "./image/view.js";
import { isUsable } from "./store/nodes.js";

/**
 * @typedef {import("./store/source.js").Source} Source
 * @typedef {import("./store/nodes.js").Node} Node
 * @typedef {import("./image/view.js").View} View
 * @typedef {import("./image/coordinates.js").Coordinates} Coordinates
 * @typedef {import("comlink").Remote<import("./workers/reader.js").Reader>} ReaderWorker
 * @typedef {import("comlink").Remote<import("./workers/ours.js").OurReader>} OurWorker
 * @typedef {import("comlink").Remote<import("./workers/built-in.js").BuiltInReader>} BuiltInWorker
 * @typedef {import("comlink").Remote<import("./workers/verifier.js").Verifier>} VerifierWorker
 */

/**
 * The bit that is flipped, and the element that it belongs to.
 *
 * @typedef {import("./store/flipped-bit.js").Bit & {
 *   path: string,
 *   component: View["component"],
 *   position: number[],
 *   before: string,
 *   isHidden: boolean,
 * }} Broken
 * `before` is the element as it was; a hidden one is for "Verify all" to find
 */

/**
 * What an address or a control asks for.
 *
 * @typedef {{ array?: string, indices?: number[], plane?: number[], extent?: [number, number][], visible?: number[],
 *   chunk?: number[] }} Wanted `visible` channels
 */

/**
 * The events of the page, and what listeners receive.
 *
 * @typedef {object} PageEvents
 * @property {{ source: Source }} opening a store is being opened; no other is open any more
 * @property {{ count: number }} progress so many groups and arrays have been found
 * @property {{ source: Source, choices: string[] }} choices it contains several stores
 * @property {{ source: Source }} opened it is open
 * @property {{ source: Source, error: Error }} failed it could not be opened
 * @property {{ source: Source }} cancelled it is not wanted any more
 * @property {Node[]} expanded more of its nodes are known
 * @property {View} viewed another view is shown
 * @property {Broken | undefined} flipped a bit has been flipped or restored
 * @property {number[] | undefined} selected another chunk of the array that is shown is selected, or none
 */

export class Page extends EventTarget {
  /** @type {Promise<never>[]} */
  #failures = [];
  /** zarrita with this package's codecs, zarrita alone, and the verifier: one thread each. */
  workers = {
    ours: /** @type {OurWorker} */ (
      this.#started(new Worker(new URL("./workers/ours.js", import.meta.url), { type: "module" }))
    ),
    builtIn: /** @type {BuiltInWorker} */ (
      this.#started(new Worker(new URL("./workers/built-in.js", import.meta.url), { type: "module" }))
    ),
    integrity: /** @type {VerifierWorker} */ (
      this.#started(new Worker(new URL("./workers/integrity.js", import.meta.url), { type: "module" }))
    ),
  };
  /** The open store. @type {Source | undefined} */
  source;
  /** @type {Node[]} */
  nodes = [];
  /** Those of the array that is shown. @type {Coordinates} */
  coordinates = {};
  /** @type {View | undefined} */
  #view;
  /** @type {Broken | undefined} */
  broken;
  /** The position in the grid of the chunk that is selected. @type {number[] | undefined} */
  chunk;
  #openings = 0;
  #showings = 0;
  #generations = 0;

  /**
   * Opens a store; the open one is closed. Of several calls only the last one takes effect.
   *
   * @param {Source} source
   * @param {Wanted} [wanted]
   */
  async open(source, wanted = {}) {
    this.#openings += 1;
    this.#showings += 1;
    const opening = this.#openings;
    Object.assign(this, {
      source: undefined,
      nodes: [],
      broken: undefined,
      coordinates: {},
      chunk: undefined,
    });
    this.#view = undefined;
    this.#dispatch("opening", { source });
    try {
      const found = await this.#prepare(opening, source, wanted.array);
      if (opening !== this.#openings) return;
      if (found.choices) {
        this.#dispatch("choices", { source, choices: found.choices });
        return;
      }
      // Messages keep their order, so every later request reads from this store, in all workers.
      for (const worker of Object.values(this.workers)) worker.commit(opening);
      this.source = source;
      this.nodes = found.nodes;
      this.#dispatch("opened", { source });
      const first = firstArray(this.nodes);
      const isThere = this.nodes.some((node) => node.path === wanted.array && isUsable(node));
      await this.show(isThere ? String(wanted.array) : first, isThere ? wanted : {});
    } catch (error) {
      if (opening === this.#openings) this.#dispatch("failed", { source, error });
    }
  }

  /**
   * Opens a store in all workers, or finds out that it is several.
   *
   * @param {number} opening
   * @param {Source} source
   * @param {string} [array] the path of one that is wanted
   */
  async #prepare(opening, source, array) {
    const { ours, builtIn, integrity } = this.workers;
    const { port1, port2 } = new MessageChannel();
    const onProgress = (/** @type {number} */ count) => {
      if (opening === this.#openings) this.#dispatch("progress", { count });
    };
    const prepared = ours.prepare(opening, source, transfer(port1, [port1]), proxy(onProgress), array);
    const found = await Promise.race([prepared, ...this.#failures]);
    if (found.choices) return found;
    const others = Promise.all([
      builtIn.prepare(opening, transfer(port2, [port2])),
      integrity.prepare(opening, source),
    ]);
    await Promise.race([others, ...this.#failures]);
    return found;
  }

  /** Ends what is being opened. @param {Source} source */
  cancel(source) {
    this.#openings += 1;
    this.#dispatch("cancelled", { source });
  }

  /** Reads what is in a closed group, and shows its first array. @param {string} path */
  async expand(path) {
    const { source } = this;
    const found = await this.workers.ours.expand(path);
    if (source !== this.source) return;
    const known = this.nodes.filter((node) => !found.some((other) => other.path === node.path));
    this.nodes = [...known, ...found].sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
    this.#dispatch("expanded", this.nodes);
    if (found.some(isUsable)) await this.show(firstArray(found));
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

  /**
   * Shows an array, once its coordinates are known.
   *
   * @param {string} path
   * @param {Wanted} [wanted]
   */
  async show(path, wanted = {}) {
    this.#showings += 1;
    const showing = this.#showings;
    const hasCoordinates = coordinatesOf(this.nodes, path).length > 0;
    const coordinates = hasCoordinates ? await this.workers.ours.coordinates(this.nodes, path) : {};
    if (showing !== this.#showings) return;
    this.coordinates = coordinates;
    const view = wantedView(viewOf(this.nodes, path, this.#view, coordinates), wanted);
    this.chunk = chunkIn(view, wanted.chunk);
    this.goTo(view);
    this.#dispatch("selected", this.chunk);
  }

  /** Selects a chunk of the array that is shown. @param {number[]} chunk */
  select(chunk) {
    this.chunk = chunk;
    this.#dispatch("selected", chunk);
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
