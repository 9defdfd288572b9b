/** Reads parts of a file with few requests. */

import { type Awaitable, isPromise, then } from "../awaitable.js";
import { describe, invalidArgument } from "../errors.js";
import type { Allowed } from "../options.js";
import { bytesOf } from "../typed-array.js";
import { expectLength, JoinedRequest, type Wanted } from "./joined-request.js";
import {
  type ByteRange,
  endOf,
  type RangeQuery,
  type RangeSource,
  type ReadOptions,
  type Signal,
} from "./ranges.js";
import { SharedRequest } from "./shared-requests.js";

type Bytes = Uint8Array | undefined;

/** Which ranges are read with one request. */
export interface CoalesceOptions {
  /**
   * How many bytes may lie between two ranges that are read with one request; they are read and dropped. Default: 32768.
   */
  readonly maxGap?: number | undefined;
  /** The length of a request, in bytes, above which no further range is added to it. Default: 16 MiB. */
  readonly maxRequestLength?: number | undefined;
}

/** Checked by {@link RangeReader}. */
export const COALESCE_OPTIONS: Allowed<CoalesceOptions> = { maxGap: undefined, maxRequestLength: undefined };

const MAX_GAP = 2 ** 15;
const MAX_REQUEST_LENGTH = 2 ** 24;

function expectLimit(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0) return value;
  throw invalidArgument(`options.${name}`, "a number of at least 0", describe(value));
}

/**
 * Reads ranges of a file. Concurrent calls share requests: for the same range, and for ranges that are close to each other
 * if they are asked for in the same turn of the event loop.
 */
export class RangeReader {
  readonly #source: RangeSource;
  readonly #maxGap: number;
  readonly #maxLength: number;
  /** The requests under way, by the names of their ranges. */
  readonly #requests = new Map<number, JoinedRequest>();
  #queue: Wanted<ByteRange>[] = [];
  /** Whether the source answers without a promise: then nothing is gained by joining requests. */
  #isImmediate = false;

  /** @throws InvalidArgumentError */
  constructor(
    source: RangeSource,
    { maxGap = MAX_GAP, maxRequestLength = MAX_REQUEST_LENGTH }: CoalesceOptions = {},
  ) {
    this.#source = source;
    this.#maxGap = expectLimit("maxGap", maxGap);
    this.#maxLength = expectLimit("maxRequestLength", maxRequestLength);
  }

  /**
   * Reads a range. Other members of the options are passed on; if several callers share a request, the first caller's are. Returns no
   * promise if the source answers at once.
   *
   * @throws ChunkLengthError
   */
  read(range: RangeQuery, options: ReadOptions): Awaitable<Bytes> {
    const joined = (read: (wanted: Wanted) => void) =>
      new Promise<Bytes>((resolve, reject) => read({ range, options, resolve, reject }));
    if (!this.#isImmediate) return joined((wanted) => this.#add(wanted));
    options.signal?.throwIfAborted();
    const answer = this.#ask(range, options);
    if (!isPromise(answer)) return answer && expectLength(answer, lengthOf(range));
    return joined((wanted) => new JoinedRequest(range, new SharedRequest(false, () => answer)).add(wanted));
  }

  /** Requests a range of the source. */
  #ask(range: RangeQuery, options: ReadOptions): Awaitable<Bytes> {
    const answer = this.#source(range, options);
    // Indexes may be kept in memory by a source that waits for all else.
    this.#isImmediate = "offset" in range && !isPromise(answer);
    // A plain view: the method `slice` of Node's Buffer copies nothing.
    return then(answer, (bytes) => bytes && bytesOf(bytes, "source"));
  }

  #add(wanted: Wanted): void {
    const { range, options, reject } = wanted;
    const known = this.#requests.get(nameOf(range));
    if (options.signal?.aborted) reject(options.signal.reason);
    else if (known?.serves(range)) known.add(wanted);
    else if ("offset" in range) this.#enqueue(wanted as Wanted<ByteRange>);
    else this.#request(range, [wanted]);
  }

  #enqueue(wanted: Wanted<ByteRange>): void {
    // Callers that waited for the same promise continue before this microtask.
    if (this.#queue.length === 0) queueMicrotask(() => this.#flush());
    this.#queue.push(wanted);
  }

  #flush(): void {
    const queue = this.#queue.filter(isWanted).sort((a, b) => a.range.offset - b.range.offset);
    this.#queue = [];
    while (queue.length > 0) this.#requestFirst(queue);
  }

  /** Removes the first range, and those that are close to it, and requests them. */
  #requestFirst(queue: Wanted<ByteRange>[]): void {
    const { offset } = (queue[0] as Wanted<ByteRange>).range;
    let end = offset;
    const isClose = ({ range }: Wanted<ByteRange>, i: number) => {
      const next = Math.max(end, endOf(range));
      if (i > 0 && (range.offset - end > this.#maxGap || next - offset > this.#maxLength)) return false;
      end = next;
      return true;
    };
    const far = queue.findIndex((queued, i) => !isClose(queued, i));
    const group = queue.splice(0, far < 0 ? queue.length : far);
    this.#request({ offset, length: end - offset }, group);
  }

  /** Requests a range for callers that each want a part of it. */
  #request(range: RangeQuery, callers: readonly Wanted[]): void {
    const [first] = callers as [Wanted];
    const isAbortable = callers.every(({ options }) => options.signal !== undefined);
    const begin = async (signal: Signal | undefined) => this.#ask(range, { ...first.options, signal });
    const shared = new SharedRequest(isAbortable, begin);
    const names = callers.map(({ range }) => nameOf(range));
    const remove = () => {
      for (const name of names) if (this.#requests.get(name) === request) this.#requests.delete(name);
    };
    shared.result.then(remove, remove); // Before anything is handed over: for callers that come later it is read again.
    const request = new JoinedRequest(range, shared);
    for (const name of names) this.#requests.set(name, request);
    for (const caller of callers) request.add(caller);
  }
}

/** Returns whether a range is still wanted. Rejects it if not. */
function isWanted({ options: { signal }, reject }: Wanted): boolean {
  if (signal?.aborted) reject(signal.reason);
  return !signal?.aborted;
}

const lengthOf = (range: RangeQuery): number => ("offset" in range ? range.length : range.suffixLength);

/** Returns a number that the ranges have which may be the same. */
const nameOf = (range: RangeQuery): number => ("offset" in range ? range.offset : -range.suffixLength);

/** Returns what was read of a file that exists. @throws ChunkLengthError (there is no such file) */
export function expectPresent(bytes: Bytes, { length }: ByteRange): Uint8Array {
  return bytes ?? expectLength(new Uint8Array(), length);
}
