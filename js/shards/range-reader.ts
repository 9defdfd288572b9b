/** Reads parts of a file with few requests. */

import { ChunkLengthError, describe, invalidArgument } from "../errors.js";
import type { Allowed } from "../options.js";
import { bytesOf } from "../typed-array.js";
import type { ByteRange, RangeQuery, RangeSource, ReadOptions } from "./ranges.js";
import { SharedRequest, SharedRequests } from "./shared-requests.js";

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

/** A range that waits for the other calls of this moment. */
interface Queued {
  readonly range: ByteRange;
  readonly options: ReadOptions;
  readonly resolve: (bytes: Promise<Bytes>) => void;
}

/**
 * Reads ranges of a file. Concurrent calls share requests: for the same range, and for ranges that are close to each other
 * if they are asked for in the same turn of the event loop.
 */
export class RangeReader {
  readonly #source: RangeSource;
  readonly #maxGap: number;
  readonly #maxLength: number;
  /** The requests under way, by their ranges. */
  readonly #requests = new SharedRequests<Bytes>({ keepsResults: false });
  #queue: Queued[] = [];

  /** @throws InvalidArgumentError */
  constructor(
    source: RangeSource,
    { maxGap = MAX_GAP, maxRequestLength = MAX_REQUEST_LENGTH }: CoalesceOptions = {},
  ) {
    this.#source = source;
    this.#maxGap = expectLimit("maxGap", maxGap);
    this.#maxLength = expectLimit("maxRequestLength", maxRequestLength);
  }

  /** Reads a range. Other members of the options are passed on, those of the first caller where several share a request. */
  read(range: RangeQuery, options: ReadOptions = {}): Promise<Bytes> {
    const name = "offset" in range ? `${range.offset} ${range.length}` : `-${range.suffixLength}`;
    return this.#requests.wait(name, options.signal, (signal) => {
      const own = { ...options, signal };
      return "offset" in range ? this.#enqueue(range, own) : this.#request(range, own);
    });
  }

  /** Reads a range of a file that is known to exist. @throws ChunkLengthError (there is no such file) */
  async readAll(range: ByteRange, options?: ReadOptions): Promise<Uint8Array> {
    return (await this.read(range, options)) ?? expectLength(new Uint8Array(), range.length);
  }

  async #request(range: RangeQuery, options: ReadOptions): Promise<Bytes> {
    const value = await this.#source(range, options);
    // A plain view: the method `slice` of Node's Buffer copies nothing.
    const bytes = value && bytesOf(value, "source");
    return bytes && "suffixLength" in range ? expectLength(bytes, range.suffixLength) : bytes;
  }

  #enqueue(range: ByteRange, options: ReadOptions): Promise<Bytes> {
    // Callers that waited for the same promise continue before this microtask.
    if (this.#queue.length === 0) queueMicrotask(() => this.#flush());
    return new Promise((resolve) => {
      this.#queue.push({ range, options, resolve });
    });
  }

  #flush(): void {
    const queue = this.#queue.sort((a, b) => a.range.offset - b.range.offset);
    this.#queue = [];
    while (queue.length > 0) this.#requestFirst(queue);
  }

  /** Removes the first range, and those that are close to it, and requests them. */
  #requestFirst(queue: Queued[]): void {
    const { offset } = (queue[0] as Queued).range;
    let end = offset;
    const isClose = ({ range }: Queued, i: number) => {
      const next = Math.max(end, endOf(range));
      if (i > 0 && (range.offset - end > this.#maxGap || next - offset > this.#maxLength)) return false;
      end = next;
      return true;
    };
    const far = queue.findIndex((queued, i) => !isClose(queued, i));
    const group = queue.splice(0, far < 0 ? queue.length : far);
    const [{ options }] = group as [Queued];
    const range = { offset, length: end - offset };
    const request = new SharedRequest((signal) => this.#request(range, { ...options, signal }));
    for (const { range: part, options, resolve } of group) {
      const take = (bytes: Bytes) => bytes && partOf(bytes, range, part);
      resolve(request.wait(options.signal).then(take));
    }
  }
}

const endOf = ({ offset, length }: ByteRange): number => offset + length;

/**
 * Returns a part of what was read. What was read for several calls is copied, so that none of them can detach or keep the
 * memory of the others; a view of other memory, such as a store's own, stays one.
 *
 * @throws ChunkLengthError
 */
function partOf(bytes: Uint8Array, { offset, length }: ByteRange, part: ByteRange): Uint8Array {
  // A server that ignores ranges returns the whole file.
  if (bytes.byteLength > length) expectLength(bytes, length);
  const start = part.offset - offset;
  const isShared = part.length < length && bytes.byteLength === bytes.buffer.byteLength;
  const end = start + part.length;
  return expectLength(isShared ? bytes.slice(start, end) : bytes.subarray(start, end), part.length);
}

function expectLength(bytes: Uint8Array, expected: number): Uint8Array {
  const { byteLength: actual } = bytes;
  if (actual === expected) return bytes;
  const message = `the source returned ${actual} bytes, expected ${expected}`;
  throw new ChunkLengthError(message, { expected, actual });
}
