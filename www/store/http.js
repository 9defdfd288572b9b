// Requests to servers: bounded in number, repeated where that may help, ended where nothing arrives.

import pLimit from "p-limit";
import { UnreadableError } from "./errors.js";

/** How many requests are open at once. */
const CONCURRENT = 16;
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

/** @param {string} url @param {{ range?: string, method?: string, signal?: AbortSignal, refusesWhole?: boolean }} options */
async function once(url, { range, method, signal, refusesWhole }) {
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), PATIENCE);
  const signals = signal ? [signal, stalled.signal] : [stalled.signal];
  /** @type {number | undefined} */
  let status;
  try {
    const headers = range ? { Range: range } : undefined;
    const response = await fetch(url, { method, headers, signal: AbortSignal.any(signals) });
    status = response.status;
    const { headers: answered } = response;
    const none = { status, headers: answered, bytes: new Uint8Array() };
    if (status === 404 || status === 416 || method === "HEAD" || (refusesWhole && status === 200)) {
      stalled.abort();
      return none;
    }
    if (status !== 200 && status !== 206)
      throw new Error(`the server answered ${status} ${response.statusText}`.trim());
    const bytes = await readAll(response, () => {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), PATIENCE);
    });
    return { status, headers: answered, bytes };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const message = stalled.signal.aborted
      ? `the server sent nothing for ${PATIENCE / 1000} s`
      : explain(cause);
    const isRefused = status !== undefined && status < 500 && status !== 429 && status !== 408;
    throw new UnreadableError(message, { status, cause, mayPass: !isRefused && !stalled.signal.aborted });
  } finally {
    clearTimeout(timer);
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
