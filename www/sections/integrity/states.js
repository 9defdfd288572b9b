// The states of chunks as the page names them.

export const STATES = {
  unchecked: "not checked",
  verified: "verified",
  failed: "failed",
  missing: "missing",
};

/** @typedef {keyof typeof STATES} State */

export const STATE_NAMES = /** @type {State[]} */ (Object.keys(STATES));

/** @typedef {import("../../workers/verifier.js").Outcome} Outcome */

/** Returns the state of a chunk; without a checksum nothing has been verified. @returns {State} */
export function stateOf(/** @type {Outcome} */ { state, proof }) {
  if (state === "missing") return "missing";
  if (state !== "sound") return "failed";
  return proof === "checksum" ? "verified" : "unchecked";
}

/** Says why a chunk without an error is not verified. */
export function noteOf(/** @type {Outcome} */ { proof }) {
  if (proof === "length") return "no checksum in the codec chain: only the length was checked";
  if (proof === "present") return "no checksum, and codecs that this package does not decode";
  return undefined;
}
