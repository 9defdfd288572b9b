/** Requests that several callers wait for. */

import { onAbort } from "./abort.js";
import type { Signal } from "./ranges.js";

/** Requests by their names, whose results are kept, but no errors. */
export class SharedRequests<T> {
  readonly #requests = new Map<string, SharedRequest<T>>();
  readonly #results = new Map<string, T>();

  /**
   * Returns the result for a name, or waits for the request for it, which is begun unless there is one. Aborting rejects only
   * this call.
   */
  get(
    name: string,
    signal: Signal | undefined,
    begin: (signal: Signal | undefined) => Promise<T>,
  ): T | Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#results.has(name)) return this.#results.get(name) as T;
    const known = this.#requests.get(name);
    if (known && !known.isAborted) return known.wait(signal);
    const request = new SharedRequest(signal !== undefined, begin);
    this.#requests.set(name, request);
    const remove = () => {
      if (this.#requests.get(name) === request) this.#requests.delete(name);
    };
    request.result.then((result) => {
      remove();
      this.#results.set(name, result);
    }, remove);
    return request.wait(signal);
  }
}

/** One request. It is aborted once all of its callers have been. */
export class SharedRequest<T> {
  readonly result: Promise<T>;
  readonly #controller: AbortController | undefined;
  /** The number of callers that have not aborted. */
  #waiting = 0;

  /** @param isAbortable whether the first callers can all abort */
  constructor(isAbortable: boolean, begin: (signal: Signal | undefined) => Promise<T>) {
    this.#controller = isAbortable ? new AbortController() : undefined;
    this.result = begin(this.#controller?.signal);
  }

  /** Whether all callers have aborted. */
  get isAborted(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  /** Waits for the result. @param signal not aborted yet */
  wait(signal: Signal | undefined): Promise<T> {
    this.#waiting += 1;
    if (signal === undefined) return this.result;
    return new Promise((resolve, reject) => {
      const end = onAbort(signal, () => {
        reject(signal.reason);
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#controller?.abort(signal.reason);
      });
      this.result.then(resolve, reject).then(end);
    });
  }
}
