/** Checks one stored value of an array without producing elements. */

import { type Awaitable, isPromise, then } from "../awaitable.js";
import { isDamage, readAgain } from "../shard/read-again.js";
import { ShardCheck } from "./check-shard.js";
import { type Checked, stateOf } from "./checked.js";
import { type CheckOutcome, MISSING, NO_PARTS } from "./outcome.js";

/** Returns what is found, at once if the store and the codecs answer at once. */
export function checkValue(checked: Checked): Awaitable<CheckOutcome> {
  if (checked.form.division.levels.length > 0) return new ShardCheck(checked).run();
  try {
    const outcome = checkChunk(checked);
    return isPromise(outcome) ? outcome.catch((error) => confirm(checked, error)) : outcome;
  } catch (error) {
    return confirm(checked, error);
  }
}

function checkChunk({ store, key, check, options }: Checked): Awaitable<CheckOutcome> {
  return then(store.get(key, options), (read) => {
    if (read === undefined) return MISSING;
    const value = check.isAsync ? store.kept(read) : read;
    const { byteLength } = value;
    return then(check.check(value), (proof) => ({
      state: "sound",
      proof,
      byteLength,
      chunks: 1,
      parts: NO_PARTS,
      value,
    }));
  });
}

/** Reads a chunk again that was wrong. */
async function confirm(checked: Checked, first: unknown): Promise<CheckOutcome> {
  const { signal, retries = 1 } = checked.options;
  try {
    if (!isDamage(first)) throw first;
    const outcome = await readAgain(first, retries, () => checkChunk(checked));
    return { ...outcome, error: first, isTransient: true };
  } catch (error) {
    return { state: stateOf(error, signal), proof: "none", chunks: 1, parts: NO_PARTS, error };
  }
}
