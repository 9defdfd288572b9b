/** What comes of verifying one unit. */

import { type AnyZarrCodecError, type ByteRange, isZarrCodecError } from "../errors.js";
import { UnreadableError } from "./requests.js";
import type { Proof, UnitError, UnitState } from "./types.js";

/** A part of a shard that is not plainly sound: an inner chunk, or the index. */
export interface Finding {
  readonly inner?: readonly number[];
  readonly state: UnitState;
  readonly proof: Proof;
  /** The number of bytes that were checked. */
  readonly byteLength?: number;
  readonly range?: ByteRange | undefined;
  readonly error?: unknown;
  readonly isTransient?: boolean;
}

/** What is known of a chunk or a shard. */
export interface Outcome extends Finding {
  /** The number of chunks that were there: inner ones, or 1. */
  readonly chunks: number;
  /** Of a shard. */
  readonly findings?: readonly Finding[];
}

export const MISSING: Outcome = { state: "missing", proof: "none", chunks: 0 };

const PROOFS: readonly Proof[] = ["none", "present", "length", "decoded", "checksum"];

/** Returns whether a proof is at least another one. */
export const isEnough = (proof: Proof, required: Proof): boolean =>
  PROOFS.indexOf(proof) >= PROOFS.indexOf(required);

/** Returns the least of two proofs. */
export const least = (a: Proof, b: Proof): Proof => (isEnough(a, b) ? b : a);

/** Returns whether an error says that bytes are wrong, rather than that they could not be read or decoded here. */
export const isDamage = (error: unknown): error is AnyZarrCodecError =>
  isZarrCodecError(error) && error.code !== "invalid_argument" && !isFailure(error);

/** Returns whether an external codec failed, for a reason of its own. */
const isFailure = ({ code, cause }: AnyZarrCodecError): boolean =>
  code === "external_codec" && cause !== undefined;

/**
 * Returns the state that an error leaves a unit in.
 *
 * @throws the error, if it is none that bytes or a store cause
 */
export function stateOf(error: unknown): "damaged" | "unreadable" {
  if (isDamage(error)) return "damaged";
  if (error instanceof UnreadableError || isZarrCodecError(error)) return "unreadable";
  throw error;
}

/** The members of errors that a result names. */
const FIELDS = ["status", "range", "path", "expected", "actual", "stored", "computed", "diagnosis"];

/** Returns an error as plain data. */
export function plainError(error: unknown): UnitError {
  const { code, message } = error as { code: string; message: string };
  const fields = FIELDS.map((name) => [name, (error as Record<string, unknown>)[name]]);
  const known = fields.filter(([, value]) => value !== undefined);
  return { code, message, ...structuredClone(Object.fromEntries(known)) };
}

/**
 * Reads and checks bytes again that were wrong: until they are right, or wrong in the same way.
 *
 * @param read reads and checks them
 * @throws the last error
 */
export async function readAgain<T>(first: unknown, retries: number, read: () => T | Promise<T>): Promise<T> {
  let last = first;
  for (let i = 0; i < Math.max(1, retries); i++) {
    try {
      return await read();
    } catch (error) {
      const isSame = (error as Error).message === (last as Error).message;
      last = error;
      if (isSame || !isDamage(error)) break;
    }
  }
  throw last;
}
