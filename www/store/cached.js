// What has been read from a store, for all who read it: each chunk is requested once.

/**
 * @typedef {import("zarr-codecs/verify").StoreKey} StoreKey
 * @typedef {import("zarr-codecs/verify").ByteRange} ByteRange
 * @typedef {{ signal?: AbortSignal }} Options
 * @typedef {Promise<Uint8Array | undefined>} Reading
 * @typedef {{ start: number, end: number, reading: Reading }} Part
 * @typedef {{ bytes: number, whole?: Reading, suffixes: Map<number, Reading>, parts: Part[] }} Entry
 * @typedef {{ get(key: StoreKey, options?: Options): Reading,
 *   getRange(key: StoreKey, range: ByteRange, options?: Options): Reading }} RangeStore
 */

/** How many bytes are kept. */
const MOST = 96e6;

/** Keeps what was read, the newest values longest. @implements {RangeStore} */
export class CachedStore {
  #store;
  /** The values by key, in the order of their last use. @type {Map<string, Entry>} */
  #known = new Map();
  #bytes = 0;
  /** What forgets the readings that failed. @type {(() => void)[]} */
  #failed = [];

  /** @param {RangeStore} store */
  constructor(store) {
    this.#store = store;
  }

  /** @param {StoreKey} key @returns {Reading} */
  get(key) {
    const entry = this.#entry(key);
    entry.whole ??= this.#keep(key, this.#store.get(key), () => {
      entry.whole = undefined;
    });
    return entry.whole;
  }

  /** @param {StoreKey} key @param {ByteRange} range @returns {Reading} */
  getRange(key, range) {
    const entry = this.#entry(key);
    if ("suffixLength" in range) {
      const { suffixLength } = range;
      const known = entry.suffixes.get(suffixLength);
      if (known) return known;
      const reading = this.#keep(key, this.#store.getRange(key, range), () =>
        entry.suffixes.delete(suffixLength),
      );
      entry.suffixes.set(suffixLength, reading);
      return reading;
    }
    const { offset, length } = range;
    const end = offset + length;
    const known = entry.parts.find((part) => part.start <= offset && part.end >= end);
    if (known) return known.reading.then((bytes) => bytes?.subarray(offset - known.start, end - known.start));
    const reading = this.#keep(key, this.#store.getRange(key, range), () => {
      entry.parts = entry.parts.filter((part) => part.reading !== reading);
    });
    entry.parts.push({ start: offset, end, reading });
    return reading;
  }

  /** @param {string} key */
  #entry(key) {
    /** @type {Entry} */
    const entry = this.#known.get(key) ?? { bytes: 0, suffixes: new Map(), parts: [] };
    this.#known.delete(key);
    this.#known.set(key, entry);
    return entry;
  }

  /** Reads once more what could not be read. */
  forgetFailures() {
    for (const forget of this.#failed.splice(0)) forget();
  }

  /**
   * Remembers a reading. One that failed is remembered too, so that nobody else waits for it; not so one of metadata, without
   * which there is nothing to try again.
   *
   * @param {string} key
   * @param {Reading} reading
   * @param {() => void} forget
   */
  #keep(key, reading, forget) {
    reading.then(
      (bytes) => this.#count(key, bytes?.length ?? 0),
      () => (key.endsWith("/zarr.json") ? forget() : this.#failed.push(forget)),
    );
    return reading;
  }

  /** @param {string} key @param {number} length */
  #count(key, length) {
    const entry = this.#known.get(key);
    if (entry === undefined) return;
    entry.bytes += length;
    this.#bytes += length;
    for (const [oldest, { bytes }] of this.#known) {
      if (this.#bytes <= MOST || oldest === key) break;
      this.#known.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
