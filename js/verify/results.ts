/** The results that users get of what was found. */

import { METADATA } from "../zarrita/stores/chunk-keys.js";
import type { ArrayUnits } from "./array-units.js";
import type { NodeProblem } from "./hierarchy.js";
import { type Finding, isEnough, type Outcome, plainError, stateOf } from "./outcome.js";
import { UnreadableError } from "./requests.js";
import type { Settings } from "./settings.js";
import { keyIn, withoutSlash } from "./store.js";
import type { UnitError, UnitResult } from "./types.js";

const NONE: readonly UnitResult[] = [];

/** Returns the results of a chunk or a shard: none, if it is plainly sound. */
export function resultsOf(
  outcome: Outcome,
  settings: Settings,
  array: ArrayUnits,
  position: readonly number[],
): readonly UnitResult[] {
  const { findings = [] } = outcome;
  const isWhole = findings.length === 0 || (outcome.state === "sound" && isInsufficient(outcome, settings));
  if (isWhole && isPlain(outcome, settings)) return NONE;
  const all: readonly Finding[] = isWhole ? [outcome, ...findings] : findings;
  const place = {
    array: withoutSlash(array.path),
    key: withoutSlash(array.keyOf(position)),
    chunk: position,
  };
  return all.map((finding) => ({
    ...place,
    ...describedBy(finding),
    ...(isInsufficient(finding, settings) && { insufficient: true as const }),
  }));
}

function isPlain(outcome: Outcome, settings: Settings): boolean {
  if (settings.all || outcome.isTransient || isInsufficient(outcome, settings)) return false;
  return outcome.state === "sound" || (outcome.state === "missing" && settings.missing === "allow");
}

function isInsufficient({ state, proof, isTransient }: Finding, { require, missing }: Settings): boolean {
  if (state === "missing") return missing === "fail";
  return state === "sound" && !(isTransient && proof === "none") && !isEnough(proof, require);
}

function describedBy({ inner, state, proof, byteLength, range, error, isTransient }: Finding) {
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
  if (error) return { ...place, state: stateOf(error), error: plainError(error) };
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
