/** What is wrong with a unit, where, and what can be done, in words. */

import type { UnitError, UnitResult } from "zarr-codecs/verify";
import { formatNumber } from "./text.js";

/** Returns where a unit is, in one line. */
export function placeOf({ key, chunk, inner, range }: UnitResult): string {
  const place = [key];
  if (inner) place.push(`inner chunk [${inner.join(", ")}]`);
  else if (chunk && chunk.length === 0) place.push("the only chunk");
  if (range)
    place.push(`bytes ${formatNumber(range.offset)} to ${formatNumber(range.offset + range.length - 1)}`);
  return place.join(", ");
}

/** Returns what is wrong with a unit, a sentence for each line. */
export function reasonsOf({ state, proof, error, transient, insufficient }: UnitResult): string[] {
  const reasons: string[] = [];
  if (error) reasons.push(error.message);
  const diagnosis = error?.diagnosis?.message;
  if (diagnosis && !error.message.includes(diagnosis)) reasons.push(diagnosis);
  const since = sinceOf(error);
  if (since) reasons.push(since);
  if (transient)
    reasons.push(`a second read was ${state}: the first one was wrong, so suspect disk, memory or network`);
  if (state === "missing" && !error)
    reasons.push("the store does not have it; readers return the fill value");
  if (state === "stray") reasons.push("no array or group of the store uses this key");
  if (state === "sound" && insufficient) reasons.push(`its proof is only "${proof}"`);
  return reasons;
}

/** Returns the first byte that is known to be wrong. */
function sinceOf(error: UnitError | undefined): string | undefined {
  const { expected, actual, diagnosis, code } = error ?? {};
  if (diagnosis?.byteOffset !== undefined) {
    const bit = diagnosis.bit === undefined ? "" : `, bit ${diagnosis.bit}`;
    return `wrong at byte ${formatNumber(diagnosis.byteOffset)}${bit} of the chunk`;
  }
  if (code !== "chunk_length" || expected === undefined || actual === undefined) return undefined;
  return actual < expected
    ? `${formatNumber(expected - actual)} bytes are missing from byte ${formatNumber(actual)} on`
    : `${formatNumber(actual - expected)} bytes too many from byte ${formatNumber(expected)} on`;
}

/** What can be done about a result, by kind. Each advice is printed once. */
export type Advice =
  | "flipped_bit"
  | "damaged"
  | "metadata"
  | "missing"
  | "access"
  | "unreadable"
  | "stray"
  | "transient"
  | "insufficient";

/** Returns the kind of advice that a result calls for. */
export function adviceOf({
  state,
  key,
  chunk,
  error,
  transient,
  insufficient,
}: UnitResult): Advice | undefined {
  if (state === "damaged") {
    if (!chunk || key.endsWith("zarr.json")) return "metadata";
    if (error?.diagnosis?.code === "flipped_bit") return "flipped_bit";
    return "damaged";
  }
  if (state === "unreadable") return error?.status === 401 || error?.status === 403 ? "access" : "unreadable";
  if (error?.code === "missing_node") return "metadata";
  if (state === "missing" || state === "stray") return state;
  if (transient) return "transient";
  return insufficient ? "insufficient" : undefined;
}

export const ADVICE: Readonly<Record<Advice, string>> = {
  flipped_bit:
    "Where probably a single bit is flipped, repairFlippedBit of this package restores it. Compare the chunk with another copy if there is one, and test the memory and disk it came through.",
  damaged:
    "Copy damaged chunks again from another copy, or write them again from their source, and verify once more.",
  metadata: "Restore zarr.json: without it, or with a wrong one, no reader finds or decodes the array.",
  missing: "A missing chunk is all fill value: right for empty regions, a loss where there were data.",
  access:
    "The server denied access. Check the credentials; S3 also answers 403 for missing keys without the permission to list the bucket.",
  unreadable: "Nothing is known of unreadable chunks: try again, with more --retries or less --concurrency.",
  stray:
    "Stray keys are left over from an array that was deleted or became smaller, or are not part of the store.",
  transient:
    "The first read returned other bytes than the second one. The file is intact; disk, memory, network or cache is not reliable.",
  insufficient: 'Write chunks with the codec crc32c for the proof "checksum".',
};
