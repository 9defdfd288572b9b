// Whether the bytes of a chunk are what was written, by this package.

import { crc32c, createCodecChain } from "zarr-codecs";
import { hasChecksum, isOurs } from "../array/layout.js";
import { plainError } from "./errors.js";

/**
 * @typedef {"unchecked" | "verified" | "failed" | "missing"} State
 * @typedef {{ state: State, bytes?: number, milliseconds?: number, stored?: number, computed?: number,
 *   error?: object, note?: string }} Outcome
 */

/**
 * What checks the chunks of an array.
 *
 * @param {ReturnType<typeof import("../array/layout.js").chunkLayout>} layout
 * @returns {(encoded: Uint8Array) => Outcome}
 */
export function checkerOf({ dataType, chunkShape, codecs }) {
  const hasSum = hasChecksum(codecs);
  if (isOurs(codecs)) {
    const chain = createCodecChain({ dataType, shape: chunkShape, codecs });
    const note = hasSum ? undefined : "no checksum in the codec chain: its length is right";
    return (encoded) => check(encoded, chain, hasSum, note);
  }
  if (hasSum) {
    // What the other codecs made of the elements is so many bytes to this one.
    return (encoded) => {
      const shape = [Math.max(0, encoded.length - 4)];
      return check(
        encoded,
        createCodecChain({ dataType: "uint8", shape, codecs: ["bytes", "crc32c"] }),
        true,
      );
    };
  }
  const note = "no checksum, and codecs that are not of this package";
  return (encoded) => ({ state: "unchecked", bytes: encoded.length, note });
}

function check(encoded, chain, hasSum, note) {
  const start = performance.now();
  const outcome = { state: hasSum ? "verified" : "unchecked", bytes: encoded.length, note };
  try {
    chain.decode(encoded);
  } catch (error) {
    Object.assign(outcome, { state: "failed", error: plainError(error), note: undefined });
  }
  outcome.milliseconds = performance.now() - start;
  // The end of a chunk that was cut is no checksum.
  const isCut = outcome.error?.code === "chunk_length";
  return hasSum && !isCut ? { ...outcome, ...checksums(encoded) } : outcome;
}

/** The checksum at the end of a chunk, and the one of the bytes before it. */
function checksums(encoded) {
  const data = encoded.subarray(0, -4);
  const stored = new DataView(encoded.buffer, encoded.byteOffset + data.length).getUint32(0, true);
  return { stored, computed: crc32c(data) };
}
