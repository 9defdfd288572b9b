/** A request for one range, or for several that are close to each other. */

import { ChunkLengthError } from "../errors.js";
import { type ByteRange, isWithin, type RangeQuery, type ReadOptions } from "./ranges.js";
import type { SharedRequest } from "./shared-requests.js";
import { endTurn, pauseBeforeTurn } from "./turns.js";

type Bytes = Uint8Array | undefined;

/** A range that a caller waits for. */
export interface Wanted<R extends RangeQuery = RangeQuery> {
  readonly range: R;
  readonly options: ReadOptions;
  readonly resolve: (bytes: Bytes) => void;
  readonly reject: (error: unknown) => void;
}

export class JoinedRequest {
  readonly #range: RangeQuery;
  readonly #request: SharedRequest<Bytes>;
  readonly #callers: Wanted[] = [];

  /** @param request reads the range */
  constructor(range: RangeQuery, request: SharedRequest<Bytes>) {
    this.#range = range;
    this.#request = request;
    const reject = (error: unknown) => {
      for (const caller of this.#callers) caller.reject(error);
    };
    request.result.then((bytes) => this.#handOver(bytes), reject);
  }

  /** Returns whether a range that begins at the same place, or is as long a suffix, can be taken from what is read. */
  serves(range: RangeQuery): boolean {
    const whole = this.#range;
    if (this.#request.isAborted) return false;
    return "suffixLength" in whole || ("offset" in range && isWithin(range, whole));
  }

  /** Adds a caller. Aborting rejects only that one. */
  add(caller: Wanted): void {
    this.#callers.push(caller);
    const { signal } = caller.options;
    const waiting = this.#request.wait(signal);
    if (signal) waiting.catch(caller.reject);
  }

  async #handOver(bytes: Bytes): Promise<void> {
    for (const { range, options, resolve, reject } of this.#callers) {
      for (let pause = pauseBeforeTurn(); pause; pause = pauseBeforeTurn()) await pause;
      try {
        if (options.signal?.aborted) throw options.signal.reason; // During a pause, nothing else waits for it.
        const part = bytes && this.#partOf(bytes, range);
        resolve(part);
        endTurn(part?.byteLength ?? 0);
      } catch (error) {
        reject(error);
      }
    }
  }

  /**
   * Returns a part of what was read. What was read for several calls is copied, so that none of them can detach or keep the
   * memory of the others; a view of other memory, such as a store's own, stays one.
   *
   * @throws ChunkLengthError
   */
  #partOf(bytes: Uint8Array, part: RangeQuery): Uint8Array {
    if ("suffixLength" in part) return expectLength(bytes, part.suffixLength);
    const { offset, length } = this.#range as ByteRange;
    // A server that ignores ranges returns the whole file.
    if (bytes.byteLength > length) expectLength(bytes, length);
    const start = part.offset - offset;
    const end = start + part.length;
    const isShared = this.#callers.length > 1 && bytes.byteLength === bytes.buffer.byteLength;
    return expectLength(isShared ? bytes.slice(start, end) : bytes.subarray(start, end), part.length);
  }
}

/** Checks the length of an answer. Returns the answer. @throws ChunkLengthError */
export function expectLength(bytes: Uint8Array, expected: number): Uint8Array {
  if (bytes.byteLength === expected) return bytes;
  throw lengthError(bytes, expected);
}

/** Creates the error for an answer of another length. */
export function lengthError({ byteLength: actual }: Uint8Array, expected: number): ChunkLengthError {
  const message = `the source returned ${actual} bytes, expected ${expected}`;
  return new ChunkLengthError(message, { expected, actual });
}
