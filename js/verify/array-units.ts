/** The units of an array: its chunks, or whole shards. */

import type { ArrayStore } from "../array/store-reader.js";
import { type Awaitable, isPromise, then } from "../awaitable.js";
import {
  type ArrayReader,
  type CheckOptions,
  type CheckOutcome,
  type CodecRegistry,
  coordinatesOf,
  isDamage,
  openArray,
  readAgain,
} from "../core.js";
import type { StoreNode } from "../store/node.js";
import { countOf } from "../stride.js";
import type { Requests } from "./requests.js";
import { checkWholeValue } from "./whole-value.js";

/** What units are verified with. */
export interface Verifying {
  readonly requests: Requests;
  /** The store, by way of these requests. */
  readonly store: ArrayStore;
  readonly codecs: CodecRegistry | undefined;
  readonly options: CheckOptions;
}

export class ArrayUnits {
  readonly reader: ArrayReader;
  readonly path: StoreNode["path"];
  /** The number of units. */
  readonly count: number;
  /** How many bytes of memory verifying a unit takes, about: the first one, if their shapes differ. */
  readonly memory: number;
  readonly #verifying: Verifying;

  private constructor(reader: ArrayReader, path: StoreNode["path"], memory: number, verifying: Verifying) {
    this.reader = reader;
    this.path = path;
    this.count = countOf(reader.stored.gridShape);
    this.memory = memory;
    this.#verifying = verifying;
  }

  /** Opens an array, and loads its codecs. @throws InvalidMetadataError */
  static async load({ path, metadata }: StoreNode, verifying: Verifying): Promise<ArrayUnits> {
    const { store, codecs } = verifying;
    const reader = await openArray(store, path, { codecs, metadata });
    return new ArrayUnits(reader, path, await reader.checkMemory(), verifying);
  }

  /** Returns the position of a unit in the grid. */
  positionOf(number: number): readonly number[] {
    return coordinatesOf(number, this.reader.stored.gridShape);
  }

  verify(position: readonly number[]): Awaitable<CheckOutcome> {
    const { requests, options } = this.#verifying;
    const checking = this.reader.check(position, options);
    if (!requests.hasChecksums) return checking;
    // Kept before anything is waited for.
    const outcome = isPromise(checking) ? checking : withKeptValue(checking, requests);
    return then(outcome, (outcome) => this.#withChecksum(position, outcome));
  }

  /** Verifies a checksum that the store has of a value, if the codecs prove less. */
  async #withChecksum(position: readonly number[], outcome: CheckOutcome): Promise<CheckOutcome> {
    const { state, proof, value, parts } = outcome;
    const isMissing = state === "missing" && parts.length === 0;
    if (!(state === "sound" || state === "missing") || isMissing || proof === "checksum") return outcome;
    const { requests, options } = this.#verifying;
    const key = this.reader.stored.keyOf(position);
    const check = (bytes: Uint8Array | undefined) => checkWholeValue(requests, key, bytes);
    try {
      if (await check(value)) return covered(outcome);
    } catch (error) {
      return this.#checkedAgain(outcome, error, async () => {
        const again = await this.reader.check(position, options);
        return (await check(again.value)) ? covered(again) : again;
      });
    }
    return outcome;
  }

  async #checkedAgain(
    outcome: CheckOutcome,
    first: unknown,
    check: () => Promise<CheckOutcome>,
  ): Promise<CheckOutcome> {
    try {
      if (!isDamage(first)) throw first;
      const again = await readAgain(first, this.#verifying.options.retries ?? 1, check);
      return { ...again, error: first, isTransient: true };
    } catch (error) {
      const { chunks, parts } = outcome;
      const failed = { state: isDamage(error) ? ("damaged" as const) : ("unreadable" as const), error };
      if (parts.length === 0) return { ...failed, proof: "none", chunks, parts };
      return { ...outcome, ...failed, proof: "none", parts: [...parts, { ...failed, proof: "none" }] };
    }
  }
}

/** Returns an outcome whose value stays what it is when the next request is sent. */
function withKeptValue(outcome: CheckOutcome, requests: Requests): CheckOutcome {
  return outcome.value ? { ...outcome, value: requests.kept(outcome.value) } : outcome;
}

/** Returns the outcome for a value of which all bytes are covered by a checksum. */
function covered(outcome: CheckOutcome): CheckOutcome {
  const isSound = ({ state, isTransient }: CheckOutcome["parts"][number]) =>
    state === "sound" && !isTransient;
  const parts = outcome.parts.map((part) => (isSound(part) ? { ...part, proof: "checksum" as const } : part));
  const proof = outcome.state === "sound" ? "checksum" : outcome.proof;
  return { ...outcome, proof, parts };
}
