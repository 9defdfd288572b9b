/** Requests that several callers wait for. */

import type { Signal } from "./ranges.js";

export class SharedRequests<T> {
  readonly #requests = new Map<string, SharedRequest<T>>();
  readonly #keepsResults: boolean;

  /** @param keepsResults whether to keep what requests return, until they are forgotten. Errors are never kept */
  constructor({ keepsResults }: { keepsResults: boolean }) {
    this.#keepsResults = keepsResults;
  }

  /**
   * Waits for the request of a name, and begins it unless there is one. Aborting rejects only this call; the request itself
   * is aborted once all of its callers have been.
   */
  async wait(name: string, signal: Signal | undefined, begin: (signal: Signal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const known = this.#requests.get(name);
    if (known && !known.isAborted) return known.wait(signal);
    const request = new SharedRequest(begin);
    this.#requests.set(name, request);
    const remove = () => {
      if (this.#requests.get(name) === request) this.#requests.delete(name);
    };
    request.onEnd(this.#keepsResults ? () => {} : remove, remove);
    return request.wait(signal);
  }
}

/** One of them. */
export class SharedRequest<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  /** The number of callers that wait; infinite once one of them cannot abort. */
  #waiting = 0;

  constructor(begin: (signal: Signal) => Promise<T>) {
    this.#result = begin(this.#controller.signal);
  }

  /** Whether all callers have aborted. */
  get isAborted(): boolean {
    return this.#controller.signal.aborted;
  }

  onEnd(onResult: () => void, onError: () => void): void {
    this.#result.then(onResult, onError);
  }

  wait(signal: Signal | undefined): Promise<T> {
    this.#waiting += signal === undefined ? Number.POSITIVE_INFINITY : 1;
    if (signal === undefined) return this.#result;
    return new Promise((resolve, reject) => {
      const abort = () => {
        reject(signal.reason);
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#controller.abort(signal.reason);
      };
      const end = () => signal.removeEventListener("abort", abort);
      signal.addEventListener("abort", abort, { once: true });
      this.#result.then(resolve, reject).then(end);
    });
  }
}
