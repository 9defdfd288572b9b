// Tiles on their way from a worker: those that are wanted now, a few at a time, and those that have been painted.

import { contentOf, paintOf } from "./pyramid.js";

/**
 * @typedef {import("./pyramid.js").Tile} Tile
 * @typedef {import("../../image/plane.js").Failure} Failure
 * @typedef {{ tile: Tile, bitmap: ImageBitmap, paint: string, failures: Failure[] }} Painted
 */

/** How many tiles are read at once; each is several chunks. */
const CONCURRENT = 4;
/** How many painted tiles are kept. */
const MOST_PAINTED = 160;

export class Tiles {
  #worker;
  #onChange;
  #onError;
  /** By content and key. @type {Map<string, Painted>} */
  #painted = new Map();
  /** @type {{ name: string, paint: string, tile: Tile }[]} */
  #wanted = [];
  /** @type {Set<string>} */
  #loading = new Set();
  /** Counts how often all was forgotten. */
  #age = 0;

  /**
   * @param {import("../../page.js").ReaderWorker} worker
   * @param {() => void} onChange is called after a tile has been painted
   * @param {(error: Error) => void} onError
   */
  constructor(worker, onChange, onError) {
    this.#worker = worker;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Paints these tiles, the first ones first, and nothing that was wanted before. @param {Tile[]} tiles */
  want(tiles) {
    this.#wanted = tiles.map((tile) => ({ name: nameOf(tile), paint: paintOf(tile.view), tile }));
    this.#next();
  }

  /** Whether a tile is still missing, or painted with other colours. */
  get isBusy() {
    return this.#wanted.some((wanted) => this.#isMissing(wanted));
  }

  /** Returns a tile if it has been painted, maybe with other colours. @param {Tile} tile */
  get(tile) {
    return this.#painted.get(nameOf(tile));
  }

  /** Forgets all tiles. */
  clear() {
    this.#age += 1;
    for (const { bitmap } of this.#painted.values()) bitmap.close();
    this.#painted.clear();
    this.#loading.clear();
    this.#wanted = [];
  }

  /** @param {{ name: string, paint: string }} wanted */
  #isMissing({ name, paint }) {
    return this.#painted.get(name)?.paint !== paint;
  }

  #next() {
    while (this.#loading.size < CONCURRENT) {
      const next = this.#wanted.find((wanted) => this.#isMissing(wanted) && !this.#loading.has(wanted.name));
      if (next === undefined) return;
      this.#load(next);
    }
  }

  /** @param {{ name: string, paint: string, tile: Tile }} wanted */
  async #load({ name, paint, tile }) {
    const age = this.#age;
    this.#loading.add(name);
    try {
      const { bitmap, failures } = await this.#worker.render(tile.view);
      if (age !== this.#age) {
        bitmap.close();
        return;
      }
      this.#painted.get(name)?.bitmap.close();
      this.#painted.delete(name);
      this.#painted.set(name, { tile, bitmap, paint, failures });
      this.#drop();
      this.#onChange();
    } catch (error) {
      const isWanted = this.#wanted.some((wanted) => wanted.name === name);
      if (age !== this.#age || !isWanted) return;
      this.#wanted = [];
      this.#onError(error);
    } finally {
      if (age === this.#age) {
        this.#loading.delete(name);
        this.#next();
      }
    }
  }

  /** Drops the oldest tiles that nobody wants. */
  #drop() {
    const wanted = new Set(this.#wanted.map(({ name }) => name));
    for (const [name, { bitmap }] of this.#painted) {
      if (this.#painted.size <= MOST_PAINTED) return;
      if (wanted.has(name)) continue;
      bitmap.close();
      this.#painted.delete(name);
    }
  }
}

/** @param {Tile} tile */
const nameOf = ({ key, view }) => `${key} ${contentOf(view)}`;
