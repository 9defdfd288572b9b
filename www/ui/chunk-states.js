// The states of chunks as the page names them: what is proven of a sound one, or what is wrong. Also used in workers.

/** In the order of what matters more: of several chunks that share a cell, it shows the last one of these. */
export const STATES = /** @type {const} */ ([
  "unchecked",
  "missing",
  "checksum",
  "decoded",
  "length",
  "present",
  "transient",
  "unreadable",
  "damaged",
]);

/** @typedef {typeof STATES[number]} State */

/** A state as a number, as typed arrays hold it. @param {State} state */
export const codeOf = (state) => STATES.indexOf(state);

export const UNCHECKED = codeOf("unchecked");
export const TRANSIENT = codeOf("transient");
export const UNREADABLE = codeOf("unreadable");
export const DAMAGED = codeOf("damaged");

/** What a state is called, and its sign. @type {Record<State, { name: string, sign: string, className: string }>} */
export const TEXTS = {
  unchecked: { name: "not checked", sign: "", className: "" },
  missing: { name: "missing", sign: "", className: "" },
  checksum: { name: "checksum verified", sign: "✓ ", className: "good" },
  decoded: { name: "decoded, no checksum", sign: "◐ ", className: "" },
  length: { name: "right length, no checksum", sign: "– ", className: "" },
  present: { name: "present, not decoded", sign: "· ", className: "" },
  transient: { name: "wrong once", sign: "! ", className: "warn" },
  unreadable: { name: "unreadable", sign: "? ", className: "warn" },
  damaged: { name: "damaged", sign: "✗ ", className: "bad" },
};

/** Says what a state proves. @type {Record<State, string | undefined>} */
export const MEANINGS = {
  unchecked: undefined,
  missing: "The store does not have it: all of its elements are the fill value.",
  checksum: "All of its bytes are covered by a checksum, which is right.",
  decoded:
    "It decoded to the right length, but no checksum covers it: changed elements would not be noticed.",
  length: "It has the right length, but no checksum covers it: changed elements would not be noticed.",
  present:
    "No checksum covers it, and it could not be decoded to a known length: all that is known is that it is there.",
  transient:
    "Wrong when it was read first, right when it was read again. Suspect the disk, the network or a cache.",
  unreadable: "The store did not return it, so nothing is known about it.",
  damaged: undefined,
};

/**
 * Returns the state of a chunk.
 *
 * @param {Pick<import("zarr-codecs/verify").UnitResult, "state" | "proof" | "transient">} result
 * @returns {State}
 */
export function stateOf({ state, proof, transient }) {
  if (state === "damaged" || state === "unreadable" || state === "missing") return state;
  if (transient) return "transient";
  return proof === "none" || state === "stray" ? "unchecked" : proof;
}
