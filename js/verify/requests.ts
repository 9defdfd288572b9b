/** Requests to a store: repeated where they fail, ended where they take too long or are no longer needed. */

import type { StoreKey } from "../array/keys.js";
import type { ArrayStore } from "../array/store-reader.js";
import { isPromise, then } from "../awaitable.js";
import type { RangeQuery } from "../errors.js";
import { isZarrCodecError } from "../errors.js";
import { UnreadableError } from "../store/unreadable-error.js";
import { bytesOf } from "../typed-array.js";
import type { Settings } from "./settings.js";
import type { ObjectChecksum, Stored, StoreOptions, VerifiableStore } from "./types.js";

/** How long to wait before a request is repeated for the first time, in milliseconds; four times as long before each other. */
const FIRST_DELAY = 200;

/** What a store's error says with a status as of HTTP: there is no such key. */
const MISSING_STATUSES: readonly unknown[] = [404, 410];

/** What it says where a range is beyond the end of a value. */
const NOT_SATISFIABLE = 416;
const NO_BYTES = new Uint8Array();

class Timeout extends Error {}

export class Requests {
  readonly #store: VerifiableStore;
  readonly #limits: Pick<Settings, "timeout" | "retries">;
  readonly #underWay = new Set<AbortController>();
  /** Of the next request: where one is answered at once, its signal serves the next one too. */
  #next = newRequest();
  #end: { readonly reason: unknown } | undefined;

  constructor(store: VerifiableStore, limits: Pick<Settings, "timeout" | "retries">) {
    this.#store = store;
    this.#limits = limits;
  }

  /** Returns the store, by way of these requests. */
  asStore(): ArrayStore {
    const { getRange, byteLengthOf, isReused = false } = this.#store;
    return {
      get: (key) => this.get(key),
      ...(getRange && { getRange: (key, range) => this.getRange(key, range) }),
      ...(byteLengthOf && { byteLengthOf: (key) => this.#store.byteLengthOf?.(key) }),
      isReused,
    };
  }

  get hasChecksums(): boolean {
    return this.#store.checksumOf !== undefined;
  }

  /** Reads a value; undefined where there is none. @throws UnreadableError */
  get(key: StoreKey): Stored {
    return this.#send((options) => then(this.#store.get(key, options), expectBytes));
  }

  /** Reads a part of a value, as much of it as there is, if the store reads ranges. @throws UnreadableError */
  getRange(key: StoreKey, range: RangeQuery): Stored {
    return this.#send(
      (options) => then(this.#store.getRange?.(key, range, options), (bytes) => expectPart(bytes, range)),
      NO_BYTES,
    );
  }

  /** Returns the checksum that the store has of a value. @throws UnreadableError */
  checksumOf(key: StoreKey): Stored<ObjectChecksum> {
    return this.#send((options) => this.#store.checksumOf?.(key, options));
  }

  /** Returns bytes that stay what they are when the next request is sent. */
  kept(bytes: Uint8Array): Uint8Array {
    return this.#store.isReused ? bytes.slice() : bytes;
  }

  /** Ends all requests: they reject with this reason. */
  end(reason: unknown): void {
    this.#end ??= { reason };
    for (const controller of this.#underWay) controller.abort(reason);
  }

  /** @param beyond the answer where a range is beyond the end of the value */
  #send<T>(send: (options: StoreOptions) => Stored<T>, beyond?: T): Stored<T> {
    try {
      const answer = this.#once(send);
      return isPromise(answer) ? answer.catch((error) => this.#again(send, beyond, error)) : answer;
    } catch (error) {
      return this.#again(send, beyond, error);
    }
  }

  #once<T>(send: (options: StoreOptions) => Stored<T>): Stored<T> {
    this.#throwIfEnded();
    const { controller, options } = this.#next;
    const answer = send(options);
    if (!isPromise(answer)) return answer;
    this.#next = newRequest();
    return this.#wait(answer, controller, this.#limits.timeout);
  }

  async #again<T>(
    send: (options: StoreOptions) => Stored<T>,
    beyond: T | undefined,
    first: unknown,
  ): Promise<T | undefined> {
    let failure = first;
    for (let delay = FIRST_DELAY, repeated = 0; ; delay *= 4, repeated++) {
      this.#throwIfEnded();
      const { status } = Object(failure) as { status?: unknown };
      if (MISSING_STATUSES.includes(status)) return undefined;
      if (beyond !== undefined && status === NOT_SATISFIABLE) return beyond;
      // A store that verifies what it reads.
      if (isZarrCodecError(failure)) throw failure;
      if (repeated === this.#limits.retries)
        throw new UnreadableError(failure, failure instanceof Timeout ? "timeout" : "unreadable");
      await this.#wait(after(delay * (0.5 + Math.random() / 2)), new AbortController(), Infinity);
      try {
        return await this.#once(send);
      } catch (error) {
        failure = error;
      }
    }
  }

  /** Waits for an answer, whether or not the store heeds its signal. */
  #wait<T>(answer: Promise<T>, controller: AbortController, timeout: number): Promise<T> {
    const { signal } = controller;
    this.#underWay.add(controller);
    return new Promise<T>((resolve, reject) => {
      const giveUp = () => controller.abort(new Timeout(`no answer within ${timeout} ms`));
      const timer = timeout < Infinity ? setTimeout(giveUp, timeout) : undefined;
      const finish = () => {
        clearTimeout(timer);
        this.#underWay.delete(controller);
      };
      const abort = () => {
        finish();
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      answer.then(resolve, reject).then(finish);
    });
  }

  #throwIfEnded(): void {
    if (this.#end) throw this.#end.reason;
  }
}

function newRequest() {
  const controller = new AbortController();
  return { controller, options: { signal: controller.signal } };
}

const after = (delay: number) => new Promise<void>((resolve) => setTimeout(resolve, delay));

function expectBytes(value: Uint8Array | undefined): Uint8Array | undefined {
  const isAsExpected = value === undefined || value instanceof Uint8Array;
  return isAsExpected ? value : bytesOf(value, "the value of the store");
}

/** Servers that ignore ranges return the whole value. */
function expectPart(value: Uint8Array | undefined, range: RangeQuery): Uint8Array | undefined {
  const bytes = expectBytes(value);
  const most = "offset" in range ? range.length : range.suffixLength;
  if (bytes === undefined || bytes.byteLength <= most) return bytes;
  throw new RangeError(`the store returned ${bytes.byteLength} bytes of a value, expected at most ${most}`);
}
