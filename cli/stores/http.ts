/** A store on a web server, which cannot list its keys. */

import { boundsOf, viewRange } from "../../js/shard/ranges.js";
import { HttpFile } from "./http-file.js";
import { isZip } from "./keys.js";
import { bodyOf, explain, MISSING, OK, PARTIAL, rangeHeader, request, type Send } from "./requests.js";
import {
  type ObjectChecksum,
  type OpenedStore,
  type RangeQuery,
  RequestError,
  StoreError,
  type StoreKey,
  type StoreOptions,
  type StoreSettings,
} from "./store.js";

const RANGE_NOT_SATISFIABLE = 416;
/** How servers answer that do not know ranges of the last bytes. */
const NO_SUFFIXES = [400, RANGE_NOT_SATISFIABLE, 501];

/** Checksums are asked for after their value was read, among so many others. */
const MOST_CHECKSUMS = 4096;

/** Opens a store on a web server. @throws StoreError */
export async function openHttp(location: string, settings: StoreSettings): Promise<OpenedStore> {
  const url = new URL(location);
  url.hash = "";
  if (isZip(url.pathname)) {
    const name = `${url.origin}${url.pathname}`;
    const { openZipIn } = await import("./zip.js");
    return openZipIn(await HttpFile.open(url.href, fetch, name), name, settings);
  }
  const store = new HttpStore(url, fetch);
  await store.refuseCatchAll();
  return store;
}

/** Reads the values below an address. */
export class HttpStore implements OpenedStore {
  readonly name: string;
  readonly limits: readonly string[] = [
    "A web server does not list its keys: stray keys and arrays that no metadata name are not found.",
  ];
  readonly #base: string;
  readonly #query: string;
  readonly #send: Send;
  readonly #checksums = new Map<string, ObjectChecksum>();

  /** @param url of the store, whose query every request gets */
  constructor(url: URL, send: Send, name = `${url.origin}${url.pathname}`) {
    this.#base = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
    this.#query = url.search;
    this.#send = send;
    this.name = name;
  }

  async get(key: StoreKey, options?: StoreOptions): Promise<Uint8Array | undefined> {
    const response = await this.#request(key, options);
    if (response === undefined) return undefined;
    this.#keepChecksum(key, response.headers);
    return bodyOf(response);
  }

  async getRange(key: StoreKey, range: RangeQuery, options?: StoreOptions): Promise<Uint8Array | undefined> {
    try {
      return await this.#getPart(key, range, options);
    } catch (error) {
      const { status } = error as RequestError;
      if (!("suffixLength" in range) || !NO_SUFFIXES.includes(status ?? 0)) throw error;
      const head = await this.#request(key, options, { method: "HEAD" });
      if (head === undefined) return undefined;
      const { start, end } = boundsOf(range, Number(head.headers.get("content-length")));
      return this.#getPart(key, { offset: start, length: end - start }, options);
    }
  }

  async checksumOf(key: StoreKey, options?: StoreOptions): Promise<ObjectChecksum | undefined> {
    const known = this.#checksums.get(key);
    if (known) return known;
    const response = await this.#request(key, options, { method: "HEAD" });
    return response && checksumIn(response.headers);
  }

  /** Rejects servers that answer every key, as those of web applications do: chunks that are missing would look damaged. */
  async refuseCatchAll(): Promise<void> {
    const key = `/zarr-codecs-asks-for-a-missing-key-${Date.now().toString(36)}`;
    const response = await this.#request(key as StoreKey, undefined, { method: "HEAD" }).catch(
      () => undefined,
    );
    if (response === undefined) return;
    throw new StoreError(
      `${this.name}: the server answers ${response.status} for a key that does not exist, so missing chunks cannot be noticed; ` +
        "check the address",
    );
  }

  async #getPart(key: StoreKey, range: RangeQuery, options?: StoreOptions): Promise<Uint8Array | undefined> {
    if ("offset" in range && range.length === 0) return new Uint8Array(0);
    const response = await this.#request(key, options, { headers: { range: rangeHeader(range) } });
    const bytes = response && (await bodyOf(response));
    if (bytes === undefined || response?.status !== OK) return bytes;
    // The server ignored the range.
    return viewRange(bytes, range);
  }

  /** Sends a request. Returns undefined where there is no such key. @throws RequestError */
  async #request(key: StoreKey, options?: StoreOptions, init?: RequestInit): Promise<Response | undefined> {
    const url = this.#base + encodeKey(key) + this.#query;
    // Compressed transfer would hide the length and the checksum of what is stored. For ranges, `fetch` says so itself, and twice
    // it would not be what was signed.
    const headers = init?.headers ?? { "accept-encoding": "identity" };
    const signal = (options?.signal as AbortSignal | undefined) ?? null;
    const response = await request(this.#send, url, { ...init, headers, signal });
    if (response.status === OK || response.status === PARTIAL) return response;
    await response.body?.cancel();
    if (MISSING.includes(response.status)) return undefined;
    throw new RequestError(explain(response), response.status);
  }

  #keepChecksum(key: string, headers: Headers): void {
    const checksum = checksumIn(headers);
    if (checksum === undefined) return;
    this.#checksums.set(key, checksum);
    if (this.#checksums.size <= MOST_CHECKSUMS) return;
    this.#checksums.delete(this.#checksums.keys().next().value as string);
  }
}

const encodeKey = (key: string): string => key.split("/").map(encodeURIComponent).join("/");

/** Reads the checksums of a whole object from the headers of Google Cloud Storage and S3. */
function checksumIn(headers: Headers): ObjectChecksum | undefined {
  const isTransformed = headers.has("content-encoding");
  // The checksum of an object of several parts is one of their checksums.
  const isComposite = headers.get("x-amz-checksum-type") === "COMPOSITE";
  const google = /(?:^|,)\s*crc32c=([^,\s]+)/.exec(headers.get("x-goog-hash") ?? "")?.[1];
  const crc32c = number(isComposite ? undefined : (headers.get("x-amz-checksum-crc32c") ?? google));
  const crc32 = number(isComposite ? undefined : headers.get("x-amz-checksum-crc32"));
  return isTransformed || (crc32c ?? crc32) === undefined ? undefined : { crc32c, crc32 };
}

/** Decodes four bytes in base 64, the highest first. */
function number(text: string | null | undefined): number | undefined {
  const bytes = Buffer.from(text ?? "", "base64");
  return bytes.length === 4 && !text?.includes("-") ? bytes.readUInt32BE() : undefined;
}
