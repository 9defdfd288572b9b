/**
 * Verifies stores: reads every chunk, checks it as far as its codecs and checksums allow, and says what that proves.
 *
 * Uses neither the DOM nor Node, so that a page, a worker and a command can share it.
 *
 * @module
 */

export { isZarrCodecError } from "./errors.js";
export { mergeSummaries } from "./verify/merge.js";
export type {
  ObjectChecksum,
  Part,
  Proof,
  Sample,
  Stored,
  StoreEntry,
  StoreOptions,
  Summary,
  UnitError,
  UnitResult,
  UnitState,
  Verdict,
  VerifiableStore,
  VerifyOptions,
} from "./verify/types.js";
export { verifyStore } from "./verify/verify-store.js";
