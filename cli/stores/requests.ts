/** Requests to web servers, and their answers. */

import { type RangeQuery, RequestError } from "./store.js";

/** Sends a request. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

export const OK = 200;
export const PARTIAL = 206;
/** There is no such key. */
export const MISSING: readonly number[] = [404, 410];

/** Sends a request. @throws RequestError (no answer) */
export async function request(send: Send, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, init);
  } catch (error) {
    throw new RequestError(`the request failed: ${reasonOf(error)}`, undefined, { cause: error });
  }
}

/** Reads the body of an answer. @throws RequestError (it ended early) */
export async function bodyOf(response: Response): Promise<Uint8Array> {
  const bytes =
    (await response.bytes?.().catch(failed)) ?? new Uint8Array(await response.arrayBuffer().catch(failed));
  const announced = response.headers.get("content-length");
  const isEncoded = response.headers.has("content-encoding");
  if (announced === null || isEncoded || Number(announced) === bytes.length) return bytes;
  throw new RequestError(`the server sent ${bytes.length} of ${announced} bytes`);
}

function failed(error: unknown): never {
  throw new RequestError(`the answer ended early: ${reasonOf(error)}`, undefined, { cause: error });
}

/** Returns the innermost reason of a failed request: `fetch` itself only says that it failed. */
export function reasonOf(error: unknown): string {
  const { message, cause, code } = error as Error & { code?: string };
  return cause instanceof Error ? reasonOf(cause) : message || code || String(error);
}

export function rangeHeader(range: RangeQuery): string {
  return "suffixLength" in range
    ? `bytes=-${range.suffixLength}`
    : `bytes=${range.offset}-${range.offset + range.length - 1}`;
}

/** Says in words what a server answered. */
export function explain({ status, statusText }: Response): string {
  const what = `the server answered ${status}${statusText && ` (${statusText})`}`;
  if (status === 401 || status === 403) return `${what}: no access`;
  return what;
}
