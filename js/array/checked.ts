/** Stored values that are checked, and how. */

import type { ReadOptions, Signal } from "../shard/ranges.js";
import { isDamage } from "../shard/read-again.js";
import type { ChunkCheck } from "./chunk-check.js";
import type { StoreKey } from "./keys.js";
import type { ArrayLayout } from "./layout.js";
import type { StoreReader } from "./store-reader.js";
import type { StoredForm } from "./stored-form.js";

/** Options of {@link ArrayReader.check}. */
export interface CheckOptions extends ReadOptions {
  /** How often bytes are read again that are wrong in another way each time; at least once. Default: 1. */
  readonly retries?: number | undefined;
  /** Whether the outcome names inner chunks that are sound. Default: false. */
  readonly sound?: boolean | undefined;
  /** Whether the outcome names inner chunks that are missing, unless they lie outside the array. Default: false. */
  readonly missing?: boolean | undefined;
}

/** A stored value that is checked. */
export interface Checked {
  readonly store: StoreReader;
  readonly layout: ArrayLayout;
  /** In the grid of stored values. */
  readonly coordinates: readonly number[];
  readonly key: StoreKey;
  readonly form: StoredForm;
  readonly check: ChunkCheck;
  readonly options: CheckOptions;
}

/** Returns the state that an error leaves a value in. @throws the reason, if the check was aborted */
export function stateOf(error: unknown, signal: Signal | undefined): "damaged" | "unreadable" {
  signal?.throwIfAborted();
  return isDamage(error) ? "damaged" : "unreadable";
}
