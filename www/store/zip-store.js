// A store in a zip: a file of the user's, or one on a server.

import ZipFileStore from "@zarrita/storage/zip";
import { ExternalCodecError } from "zarr-codecs";
import { below } from "./file-stores.js";
import { request } from "./http.js";

/**
 * @typedef {import("zarr-codecs/verify").StoreKey} StoreKey
 * @typedef {import("zarr-codecs/verify").ByteRange} ByteRange
 * @typedef {{ size: number, compressionMethod: number, _rawEntry: { crc32: number } }} Entry
 * @typedef {{ getLength(): Promise<number>, read(offset: number, length: number): Promise<Uint8Array> }} ZipReader
 */

/** The largest zip that is loaded as a whole, from a server that sends no parts. */
const LARGEST = 1e9;
/** How many compressed entries are kept for reading parts of them. */
const MOST_INFLATED = 8;

export class ZipStore {
  #inner;
  /** @type {Map<string, Promise<Uint8Array | undefined>>} */
  #inflated = new Map();
  #root = "";

  /** @param {Blob | string} source a file, or an address */
  constructor(source) {
    this.#inner = new ZipFileStore(
      /** @type {any} */ (typeof source === "string" ? remote(source) : local(source)),
    );
  }

  /** Lists the paths of all files. */
  async paths() {
    return Object.keys(await this.#entries().catch(orCut));
  }

  /** Makes a folder of the zip the root. @param {string} root */
  setRoot(root) {
    this.#root = root;
  }

  /** Lists the keys of metadata. */
  async *metadataKeys() {
    yield* Object.keys(below(await this.#entries(), this.#root)).filter((path) =>
      /(^|\/)(zarr\.json|\.zarray|\.zgroup)$/.test(path),
    );
  }

  /** @param {StoreKey} key */
  async get(key) {
    return this.#inner.get(this.#inRoot(key)).catch(orDamaged);
  }

  /** Returns the checksum that the zip has of a file. @param {StoreKey} key */
  async checksumOf(key) {
    const entry = (await this.#entries())[this.#inRoot(key).slice(1)];
    return entry && { crc32: entry._rawEntry.crc32 };
  }

  /** @param {StoreKey} key @param {ByteRange} range @returns {Promise<Uint8Array | undefined>} */
  async getRange(key, range) {
    const inner = this.#inRoot(key);
    const entry = (await this.#entries())[inner.slice(1)];
    if (entry === undefined) return undefined;
    // Beyond the end of an entry there are others.
    const start = Math.min(
      entry.size,
      "suffixLength" in range ? Math.max(0, entry.size - range.suffixLength) : range.offset,
    );
    const end = "suffixLength" in range ? entry.size : Math.min(entry.size, start + range.length);
    if (entry.compressionMethod !== 0) return (await this.#inflate(inner))?.subarray(start, end);
    if (start === end) return new Uint8Array();
    return this.#inner.getRange(inner, { offset: start, length: end - start });
  }

  /** @param {StoreKey} key */
  #inflate(key) {
    const known = this.#inflated.get(key);
    if (known) return known;
    const inflating = this.#inner.get(key).catch(orDamaged);
    inflating.catch(() => this.#inflated.delete(key));
    this.#inflated.set(key, inflating);
    const [oldest] = this.#inflated.keys();
    if (this.#inflated.size > MOST_INFLATED) this.#inflated.delete(oldest);
    return inflating;
  }

  /** @param {StoreKey} key @returns {StoreKey} */
  #inRoot(key) {
    return `/${this.#root}${key.slice(1)}`;
  }

  /** The files of the zip, which zarrita reads but does not list. @returns {Promise<Record<string, Entry>>} */
  async #entries() {
    const { info } = /** @type {{ info: Promise<{ entries: Record<string, Entry> }> }} */ (
      /** @type {unknown} */ (this.#inner)
    );
    return (await info).entries;
  }
}

/** Throws an error that says whether bytes are wrong, or only could not be read. @param {Error} cause @returns {never} */
function orDamaged(cause) {
  const isInflating = cause instanceof TypeError;
  if (!isInflating && !/^invalid local file header/.test(cause.message)) throw cause;
  const message = `the zip is damaged: ${isInflating ? "this entry cannot be inflated: " : ""}${cause.message}`;
  throw new ExternalCodecError(message, { path: "", codec: "zip" });
}

/** @param {Blob} blob @returns {ZipReader} */
const local = (blob) => ({
  getLength: async () => blob.size,
  read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
});

/** Reads parts of a file on a server, or all of it once where the server sends no parts. @param {string} url @returns {ZipReader} */
function remote(url) {
  /** @type {Promise<Uint8Array> | undefined} */
  let whole;
  const load = async () => {
    const { status, bytes } = await request(url);
    if (status === 404) throw new Error("the server has no such file");
    return bytes;
  };
  const loadOnce = () => {
    whole ??= load();
    return whole;
  };
  const lengthOf = async () => {
    const { status, headers } = await request(url, { method: "HEAD" }).catch(() => ({
      status: 0,
      headers: new Headers(),
    }));
    if (status === 404) throw new Error("the server has no such file");
    const length =
      status === 200 && !headers.has("Content-Encoding") && Number(headers.get("Content-Length"));
    return length || (await loadOnce()).length;
  };
  /** @type {Promise<number> | undefined} */
  let length;
  const getLength = () => {
    length ??= lengthOf();
    return length;
  };
  return {
    getLength,
    async read(offset, length) {
      if (length === 0) return new Uint8Array();
      if (whole === undefined) {
        const answer = await request(url, {
          range: `bytes=${offset}-${offset + length - 1}`,
          refusesWhole: true,
        });
        if (answer.status === 206) return answer.bytes;
        const size = await getLength();
        if (size > LARGEST) {
          throw new Error(
            `this server sends no parts of files, and all of this one are ${(size / 1e9).toFixed(1)} GB: download it, and drop it here`,
          );
        }
      }
      return (await loadOnce()).subarray(offset, offset + length);
    },
  };
}

/** Explains a zip that cannot be opened. @param {Error} error @returns {never} */
function orCut(error) {
  if (!error.message.includes("end of central directory")) throw error;
  throw new Error(
    "it is not a zip, or it was cut off: the list of its files, which is at the end, is missing",
  );
}
