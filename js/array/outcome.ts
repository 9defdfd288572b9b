/** What checking a stored value finds out. */

import type { ByteRange } from "../errors.js";

/**
 * What is proven of a chunk, from most to least:
 *
 * - `checksum`: all bytes that its elements come from are covered by a checksum, which is right.
 * - `decoded`: it decodes to the right length.
 * - `length`: there are as many bytes as there have to be.
 * - `present`: there are some.
 * - `none`: it is not sound.
 */
export type Proof = "checksum" | "decoded" | "length" | "present" | "none";

/** The outcome of checking an inner chunk of a shard, an inner shard, or the index of a shard. */
export interface InnerOutcome {
  /** The position in the shard; for shards in shards, followed by that in the inner one. Absent for the outermost index. */
  readonly inner?: readonly number[];
  /**
   * - `sound`: all that could be checked is right.
   * - `damaged`: its bytes are wrong, and were so when they were read again.
   * - `missing`: it is not stored, so all of it is fill value.
   * - `unreadable`: the store failed, so nothing is known of it.
   */
  readonly state: "sound" | "damaged" | "missing" | "unreadable";
  readonly proof: Proof;
  /** The number of bytes that were checked. */
  readonly byteLength?: number;
  /** Where it is in the stored value. */
  readonly range?: ByteRange | undefined;
  /** Why it is damaged or unreadable, or was wrong when it was read first. */
  readonly error?: unknown;
  /** Set if it was wrong when it was read first, and right when it was read again. */
  readonly isTransient?: boolean;
}

/** The outcome of checking a stored value. */
export interface CheckOutcome extends InnerOutcome {
  /** The number of chunks that were stored: inner ones, or 1. */
  readonly chunks: number;
  /** Of a shard: what is not plainly sound in it, and what else the options ask for, in the order of bytes. */
  readonly parts: readonly InnerOutcome[];
  /** The value, if it was read whole. If the store's memory {@link ArrayStore.isReused}, it is valid until the next request. */
  readonly value?: Uint8Array | undefined;
}

export const NO_PARTS: readonly InnerOutcome[] = [];

export const MISSING: CheckOutcome = { state: "missing", proof: "none", chunks: 0, parts: NO_PARTS };

const PROOFS: readonly Proof[] = ["none", "present", "length", "decoded", "checksum"];

/** Returns whether a proof is at least another one. */
export const isEnough = (proof: Proof, required: Proof): boolean =>
  PROOFS.indexOf(proof) >= PROOFS.indexOf(required);

/** Returns the least of two proofs. */
export const least = (a: Proof, b: Proof): Proof => (isEnough(a, b) ? b : a);
