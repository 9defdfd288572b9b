// Says what is to be expected of a flipped bit.

import { codecName, hasChecksum } from "zarr-codecs/verify";
import { isShown } from "../../image/view.js";
import { hasOwnBytes } from "./element.js";

/** Tells whether the frames of a codec end with a checksum. @param {import("zarr-codecs").CodecMetadata} codec */
const isZstdWithChecksum = (codec) =>
  typeof codec === "object" && codecName(codec) === "zstd" && codec.configuration?.checksum === true;

/**
 * @param {import("../../page.js").Page} page
 * @param {import("zarr-codecs/verify").ChunkLayout} layout of an array that can be broken
 * @param {boolean} isHiding whether a hidden bit of this array is flipped
 */
export function situation({ view, broken }, layout, isHiding) {
  const isVerified = hasChecksum(layout.codecs) || layout.codecs.some(isZstdWithChecksum);
  const unnoticed = hasOwnBytes(layout)
    ? "This codec chain has no checksum: a flipped bit goes unnoticed."
    : "This codec chain has no checksum: a flipped bit is noticed only if decoding fails.";
  if (isHiding) {
    const hint = isVerified ? "“Verify all” below finds it." : "Without a checksum, nothing can locate it.";
    return `One bit of this array is flipped now. ${hint}`;
  }
  const silence = isVerified ? "" : unnoticed;
  if (broken && !isShown(view, broken)) return `The flipped bit is not in this picture. ${silence}`;
  return silence;
}
