/** A file on a web server, which is read by ranges. */

import type { Awaitable } from "../../js/awaitable.js";
import type { ByteSource } from "./bytes.js";
import { bodyOf, explain, MISSING, OK, PARTIAL, rangeHeader, request, type Send } from "./requests.js";
import { retrying } from "./retry.js";
import { RequestError, StoreError, type StoreOptions } from "./store.js";

export class HttpFile implements ByteSource {
  readonly isRemote = true;
  readonly byteLength: number;
  readonly #url: string;
  readonly #send: Send;
  /** Identifies the content: offsets are those of the file as it was at first. */
  readonly #tag: string | null;

  private constructor(url: string, send: Send, byteLength: number, tag: string | null) {
    this.#url = url;
    this.#send = send;
    this.byteLength = byteLength;
    this.#tag = tag;
  }

  /** Asks for one byte: the answer says how long the file is, if the server knows ranges. @throws StoreError */
  static async open(url: string, send: Send, name: string): Promise<HttpFile> {
    const init = { headers: { range: rangeHeader({ offset: 0, length: 1 }) } };
    const { status, headers, reason } = await retrying(async () => {
      const response = await request(send, url, init);
      await response.body?.cancel();
      if (response.status >= 500) throw new RequestError(explain(response), response.status);
      return { status: response.status, headers: response.headers, reason: explain(response) };
    }).catch((error) => {
      throw new StoreError(`${name}: ${error.message}`);
    });
    const [, total] = /^bytes 0-0\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
    if (status === PARTIAL && total !== undefined)
      return new HttpFile(url, send, Number(total), headers.get("etag"));
    if (MISSING.includes(status)) throw new StoreError(`${name}: no such file; folders end with a slash`);
    if (status !== OK && status !== PARTIAL) throw new StoreError(`${name}: ${reason}`);
    throw new StoreError(
      `${name}: the server sends whole files only (no ranges), so a zip file on it cannot be read in parts; ` +
        "download it and verify the copy",
    );
  }

  read(offset: number, length: number, options?: StoreOptions): Awaitable<Uint8Array> {
    const wanted = Math.min(length, this.byteLength - offset);
    return wanted > 0 ? this.#read(offset, wanted, options) : new Uint8Array();
  }

  close(): void {}

  async #read(offset: number, length: number, options?: StoreOptions): Promise<Uint8Array> {
    const signal = (options?.signal as AbortSignal | undefined) ?? null;
    const headers = { range: rangeHeader({ offset, length }) };
    const response = await request(this.#send, this.#url, { headers, signal });
    const tag = response.headers.get("etag");
    const hasChanged = tag !== this.#tag && tag !== null;
    if (response.status !== PARTIAL || hasChanged) {
      await response.body?.cancel();
      throw hasChanged
        ? new RequestError("the zip file has changed since it was opened")
        : new RequestError(explain(response), 500);
    }
    const bytes = await bodyOf(response);
    if (bytes.length === length) return bytes;
    throw new RequestError(`the server sent ${bytes.length} of ${length} bytes`);
  }
}
