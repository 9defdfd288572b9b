/** The results that users get of what was found. */

import { keyIn, METADATA, withoutSlash } from "../array/keys.js";
import { isEnough } from "../array/outcome.js";
import { type CheckOutcome, type InnerOutcome, isDamage } from "../core.js";
import type { NodeProblem } from "../store/hierarchy.js";
import { UnreadableError } from "../store/unreadable-error.js";
import type { ArrayUnits } from "./array-units.js";
import { plainError } from "./outcome.js";
import type { Settings } from "./settings.js";
import type { UnitError, UnitResult } from "./types.js";

const NONE: readonly UnitResult[] = [];

/** Returns the results of a chunk or a shard: none, if it is plainly sound. */
export function resultsOf(
  outcome: CheckOutcome,
  settings: Settings,
  array: ArrayUnits,
  position: readonly number[],
): readonly UnitResult[] {
  const { parts } = outcome;
  const isWhole = parts.length === 0 || (outcome.state === "sound" && isInsufficient(outcome, settings));
  if (isWhole && isPlain(outcome, settings)) return NONE;
  const all: readonly InnerOutcome[] = isWhole ? [outcome, ...parts] : parts;
  const place = {
    array: withoutSlash(array.path),
    key: withoutSlash(array.reader.stored.keyOf(position)),
    chunk: position,
  };
  return all.map((part) => ({
    ...place,
    ...describedBy(part),
    ...(isInsufficient(part, settings) && { insufficient: true as const }),
  }));
}

function isPlain(outcome: CheckOutcome, settings: Settings): boolean {
  if (settings.all || outcome.isTransient || isInsufficient(outcome, settings)) return false;
  return outcome.state === "sound" || (outcome.state === "missing" && settings.missing === "allow");
}

function isInsufficient(
  { state, proof, isTransient }: InnerOutcome,
  { require, missing }: Settings,
): boolean {
  if (state === "missing") return missing === "fail";
  return state === "sound" && !(isTransient && proof === "none") && !isEnough(proof, require);
}

function describedBy({ inner, state, proof, byteLength, range, error, isTransient }: InnerOutcome) {
  const plain = error === undefined ? undefined : plainError(error);
  return {
    ...(inner && { inner }),
    state,
    proof,
    ...(byteLength !== undefined && { byteLength }),
    ...(range && { range }),
    ...(plain && { error: range && !plain.range ? { ...plain, range } : plain }),
    ...(isTransient && { transient: true as const }),
  };
}

/** Returns the result of metadata that are wrong. */
export function problemResult({ path, error, namedBy }: NodeProblem): UnitResult {
  const key = withoutSlash(keyIn(path, METADATA));
  const place = { array: withoutSlash(path), key, proof: "none" as const };
  if (error) return { ...place, state: isDamage(error) ? "damaged" : "unreadable", error: plainError(error) };
  const source = withoutSlash(keyIn(namedBy ?? "/", METADATA));
  const missing: UnitError = {
    code: "missing_node",
    message: `${source} names ${place.array}, but there is no ${key}`,
  };
  return { ...place, state: "missing", error: missing };
}

/** Returns the result of keys that could not be listed. */
export const unlistedResult = (key: string, error: unknown): UnitResult => ({
  array: "",
  key: withoutSlash(key),
  state: "unreadable",
  proof: "none",
  error: plainError(new UnreadableError(error)),
});
