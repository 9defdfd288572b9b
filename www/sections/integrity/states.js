// The states of chunks as the page names them.

export const STATES = {
  unchecked: "not checked",
  verified: "verified",
  decoded: "decoded",
  failed: "failed",
  missing: "missing",
};

/** @typedef {keyof typeof STATES} State */

export const STATE_NAMES = /** @type {State[]} */ (Object.keys(STATES));

/** @typedef {import("../../workers/verifier.js").Outcome} Outcome */

/** Returns the state of a chunk; without a checksum it is not verified, even if it can be decoded. @returns {State} */
export function stateOf(/** @type {Outcome} */ { state, proof }) {
  if (state === "missing") return "missing";
  if (state !== "sound") return "failed";
  if (proof === "checksum") return "verified";
  return proof === "decoded" ? "decoded" : "unchecked";
}

/** Says why a chunk without an error is not verified. */
export function noteOf(/** @type {Outcome} */ { proof }) {
  if (proof === "length") return "no checksum in the codec chain: only the length was checked";
  if (proof === "decoded") return "no checksum in the codec chain: it decoded to the right length";
  if (proof === "present") return "no checksum, and a codec that this page does not have";
  return undefined;
}
