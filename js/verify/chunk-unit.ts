/** Verifies chunks that are values of a store. */

import { type Awaitable, isPromise, then } from "../awaitable.js";
import type { BytesCheck } from "./check.js";
import { MISSING, type Outcome, readAgain, stateOf } from "./outcome.js";
import type { Requests } from "./requests.js";
import type { StoreKey } from "./store.js";
import type { Proof } from "./types.js";
import { checkValue } from "./whole-value.js";

export class ChunkUnit {
  readonly #requests: Requests;
  readonly #check: BytesCheck;
  readonly #retries: number;

  constructor(requests: Requests, check: BytesCheck, retries: number) {
    this.#requests = requests;
    this.#check = check;
    this.#retries = retries;
  }

  /** How many bytes of memory verifying takes, about. */
  get memory(): number {
    return this.#check.memory;
  }

  verify(key: StoreKey): Awaitable<Outcome> {
    try {
      const outcome = this.#read(key);
      return isPromise(outcome) ? outcome.catch((error) => this.#confirm(key, error)) : outcome;
    } catch (error) {
      return this.#confirm(key, error);
    }
  }

  #read(key: StoreKey): Awaitable<Outcome> {
    return then(this.#requests.get(key), (bytes) =>
      bytes === undefined ? MISSING : this.#inspect(key, bytes),
    );
  }

  #inspect(key: StoreKey, read: Uint8Array): Awaitable<Outcome> {
    const { isAsync, check } = this.#check;
    const bytes = isAsync || this.#requests.hasChecksums ? this.#requests.kept(read) : read;
    const { byteLength } = bytes;
    return then(check(bytes), (proof) => {
      if (proof === "checksum" || !this.#requests.hasChecksums) return sound(proof, byteLength);
      return checkValue(this.#requests, key, bytes).then((has) =>
        sound(has ? "checksum" : proof, byteLength),
      );
    });
  }

  /** Reads a chunk again that was wrong. */
  async #confirm(key: StoreKey, first: unknown): Promise<Outcome> {
    try {
      if (stateOf(first) === "unreadable") throw first;
      const outcome = await readAgain(first, this.#retries, () => this.#read(key));
      return { ...outcome, error: first, isTransient: true };
    } catch (error) {
      return { state: stateOf(error), proof: "none", chunks: 1, error };
    }
  }
}

const sound = (proof: Proof, byteLength: number): Outcome => ({
  state: "sound",
  proof,
  byteLength,
  chunks: 1,
});
