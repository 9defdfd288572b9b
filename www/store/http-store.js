// A store on any server of files: one that ignores ranges, refuses HEAD, or knows no suffixes serves too.

import { request } from "./http.js";

/**
 * @typedef {import("zarr-codecs/verify").StoreKey} StoreKey
 * @typedef {import("zarr-codecs/verify").ByteRange} ByteRange
 * @typedef {{ signal?: AbortSignal }} Options
 */

/** How many bytes of whole files are kept, for servers that send no parts. */
const MOST_KEPT = 256e6;

export class HttpStore {
  #base;
  /** Whether the server sends the last bytes of a file by their number alone. */
  #knowsSuffixes = true;
  /** Whether it sends parts at all. */
  #knowsRanges = true;
  /** @type {Map<string, Promise<Uint8Array | undefined>>} */
  #whole = new Map();
  #kept = 0;

  /** @param {string} url */
  constructor(url) {
    this.#base = new URL(url);
    if (!this.#base.pathname.endsWith("/")) this.#base.pathname += "/";
  }

  /** @param {string} key */
  #urlOf(key) {
    const path = key.slice(1).split("/").map(encodeURIComponent).join("/");
    const url = new URL(this.#base.pathname + path, this.#base);
    url.search = this.#base.search;
    return url.href;
  }

  /** @param {StoreKey} key @param {Options} [options] */
  async get(key, options) {
    const { status, bytes } = await request(this.#urlOf(key), options);
    return status === 404 ? undefined : bytes;
  }

  /**
   * Lists the folders in a folder, if the server has a page that links to them.
   *
   * @param {string} path that does not end with a slash
   * @returns {Promise<string[]>} their names
   */
  async folders(path) {
    const url = this.#urlOf(`${path}/`);
    const { status, headers, bytes } = await request(url);
    if (status !== 200 || !headers.get("Content-Type")?.startsWith("text/html")) return [];
    const { pathname } = new URL(url);
    const links = new TextDecoder().decode(bytes).matchAll(/\bhref\s*=\s*["']?([^"'\s>?#]+\/)["'\s>]/gi);
    const names = Array.from(links, ([, link]) => {
      const target = URL.canParse(link, url) ? new URL(link, url).pathname : "";
      return target.startsWith(pathname) ? decoded(target.slice(pathname.length, -1)) : "";
    });
    return [...new Set(names)].filter((name) => name !== "" && !name.includes("/"));
  }

  /** @param {StoreKey} key @param {ByteRange} range @param {Options} [options] @returns {Promise<Uint8Array | undefined>} */
  async getRange(key, range, options) {
    if (!this.#knowsRanges) return this.#partOfWhole(key, range);
    if ("suffixLength" in range) return this.#suffix(key, range.suffixLength, options);
    const { offset, length } = range;
    if (length === 0) return new Uint8Array();
    return this.#part(key, range, `bytes=${offset}-${offset + length - 1}`, options);
  }

  /** @param {StoreKey} key @param {ByteRange} range @param {string} header @param {Options} [options] */
  async #part(key, range, header, options) {
    const { status, bytes } = await request(this.#urlOf(key), {
      ...options,
      range: header,
      refusesWhole: true,
    });
    if (status === 404) return undefined;
    if (status === 206) return bytes;
    // The file ends before the range does.
    if (status === 416) return "suffixLength" in range ? this.#partOfWhole(key, range) : new Uint8Array();
    this.#knowsRanges = false;
    return this.#partOfWhole(key, range);
  }

  /** @param {StoreKey} key @param {number} suffixLength @param {Options} [options] @returns {Promise<Uint8Array | undefined>} */
  async #suffix(key, suffixLength, options) {
    if (this.#knowsSuffixes) {
      // Some servers, and some browsers on behalf of other pages' servers, refuse this form of a range.
      const range = `bytes=-${suffixLength}`;
      const answer = await request(this.#urlOf(key), { ...options, range, refusesWhole: true }).catch(
        (error) => {
          if (options?.signal?.aborted || error.status === 403 || error.status >= 500) throw error;
          return undefined;
        },
      );
      if (answer?.status === 404) return undefined;
      if (answer?.status === 206 && isSuffix(answer, suffixLength)) return answer.bytes;
      if (answer?.status === 416) return this.#partOfWhole(key, { suffixLength });
      this.#knowsSuffixes = false;
    }
    const length = await this.#lengthOf(key, options);
    if (length === undefined) return this.#partOfWhole(key, { suffixLength });
    const offset = Math.max(0, length - suffixLength);
    return this.#part(key, { suffixLength }, `bytes=${offset}-${length - 1}`, options);
  }

  /** Asks for the length of a file; servers may refuse, or leave it out. @param {StoreKey} key @param {Options} [options] */
  async #lengthOf(key, options) {
    try {
      const { status, headers } = await request(this.#urlOf(key), { ...options, method: "HEAD" });
      // The length of what was compressed on its way is another one.
      if (status !== 200 || headers.has("Content-Encoding")) return undefined;
      return Number(headers.get("Content-Length")) || undefined;
    } catch {
      options?.signal?.throwIfAborted();
      return undefined;
    }
  }

  /** @param {StoreKey} key @param {ByteRange} range */
  async #partOfWhole(key, range) {
    const bytes = await this.#wholeOf(key);
    if (bytes === undefined) return undefined;
    return "suffixLength" in range
      ? bytes.subarray(Math.max(0, bytes.length - range.suffixLength))
      : bytes.subarray(range.offset, range.offset + range.length);
  }

  /** Reads a file once for all of its parts. @param {StoreKey} key */
  #wholeOf(key) {
    const known = this.#whole.get(key);
    if (known) return known;
    const reading = this.get(key);
    this.#whole.set(key, reading);
    reading.then(
      (bytes) => this.#keep(bytes?.length ?? 0),
      () => this.#whole.delete(key),
    );
    return reading;
  }

  /** @param {number} length */
  #keep(length) {
    this.#kept += length;
    if (this.#kept <= MOST_KEPT || this.#whole.size === 1) return;
    this.#whole.clear();
    this.#kept = 0;
  }
}

/**
 * Tells whether an answer is the end of a file: some servers send the beginning instead. Where the range of the answer is
 * not visible, because another page's server does not allow that, its length has to do.
 *
 * @param {import("./http.js").Answer} answer
 * @param {number} suffixLength
 */
function isSuffix({ headers, bytes }, suffixLength) {
  const [, last, size] = /^bytes \d+-(\d+)\/(\d+)$/.exec(headers.get("Content-Range") ?? "") ?? [];
  return bytes.length <= suffixLength && (last === undefined || Number(last) + 1 === Number(size));
}

/** Decodes a part of a path; to nothing where it was not encoded as it should be. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
