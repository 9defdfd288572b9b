// Requests to servers: bounded in number, repeated where that may help, ended where nothing arrives.

import pLimit from "p-limit";
import { UnreadableError } from "./errors.js";

/** How many requests are open at once: over HTTP/2 all of them are on their way, over HTTP/1.1 browsers send six. */
const CONCURRENT = 128;
/** How long to wait before the next attempts, in milliseconds. */
const PAUSES = [300, 1200];
/** How long a server may send nothing, in milliseconds. */
const PATIENCE = 10_000;

const limit = pLimit(CONCURRENT);

/**
 * What a server answered.
 *
 * @typedef {{ status: number, headers: Headers, bytes: Uint8Array }} Answer the bytes are empty if the status is not 200 or 206
 */

/**
 * Sends a request, several times if it fails in a way that may pass. Statuses that mean something to a store are returned:
 * 200, 206, 404, 416.
 *
 * @param {string} url
 * @param {{ range?: string, method?: string, signal?: AbortSignal, refusesWhole?: boolean }} [options] `refusesWhole` ends
 *   an answer of 200 unread
 * @returns {Promise<Answer>}
 * @throws {UnreadableError}
 */
export function request(url, options = {}) {
  return limit(async () => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(url, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (attempt === PAUSES.length || !error.mayPass) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSES[attempt]));
      }
    }
  });
}

/** The number of requests that have been sent, the last of these that was answered, and when a server sent something. */
const seen = { sent: 0, answered: 0, at: 0 };

/**
 * Watches a request. Browsers keep requests waiting, in the order in which they were sent, while others to the same server are
 * under way: as long as answers arrive, and none to a later request, it has not stalled.
 */
class Watch {
  #stalled = new AbortController();
  #number = ++seen.sent;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  isAnswered = false;

  constructor() {
    this.wait();
  }

  get signal() {
    return this.#stalled.signal;
  }

  /** Begins to wait for the next sign. */
  wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), PATIENCE);
  }

  /** Notes that something has arrived. */
  heard() {
    this.isAnswered = true;
    seen.answered = Math.max(seen.answered, this.#number);
    seen.at = performance.now();
    this.wait();
  }

  #check() {
    const isHeard = performance.now() - seen.at < PATIENCE;
    if (isHeard && !this.isAnswered && seen.answered < this.#number) this.wait();
    else this.#stalled.abort();
  }

  end() {
    clearTimeout(this.#timer);
  }
}

/** @param {string} url @param {{ range?: string, method?: string, signal?: AbortSignal, refusesWhole?: boolean }} options */
async function once(url, { range, method, signal, refusesWhole }) {
  const watch = new Watch();
  const unwanted = new AbortController();
  const signals = [watch.signal, unwanted.signal, ...(signal ? [signal] : [])];
  /** @type {number | undefined} */
  let status;
  try {
    const headers = range ? { Range: range } : undefined;
    const response = await fetch(url, { method, headers, signal: AbortSignal.any(signals) });
    watch.heard();
    status = response.status;
    const { headers: answered } = response;
    const none = { status, headers: answered, bytes: new Uint8Array() };
    if (refusesWhole && status === 200) {
      unwanted.abort();
      return none;
    }
    // Also where its bytes are not wanted: the next request can use the connection of an answer that has been read.
    const bytes = await readAll(response, () => watch.heard());
    if (status === 404 || status === 416 || method === "HEAD") return none;
    if (status !== 200 && status !== 206)
      throw new Error(`the server answered ${status} ${response.statusText}`.trim());
    // No part is empty, but Chromium's cache may answer so while another request for the same file is under way.
    if (status === 206 && bytes.length === 0) throw new Error("the answer is empty");
    return { status, headers: answered, bytes };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const hasStalled = watch.signal.aborted;
    const message = hasStalled ? `the server sent nothing for ${PATIENCE / 1000} s` : explain(cause);
    const isRefused =
      status !== undefined && status >= 400 && status < 500 && status !== 429 && status !== 408;
    throw new UnreadableError(message, { status, cause, mayPass: !isRefused && !hasStalled });
  } finally {
    watch.end();
  }
}

/** @param {Response} response @param {() => void} onProgress */
async function readAll(response, onProgress) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  // Firefox and Safari cannot iterate a stream.
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    onProgress();
    parts.push(part.value);
    length += part.value.length;
  }
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Explains a failed request, of which browsers say no more than that. @param {Error} error */
function explain(error) {
  if (error.name !== "TypeError") return error.message;
  return "the server did not answer, or it does not allow other pages to read from it (CORS)";
}
