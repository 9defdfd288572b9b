// Says what is to be expected of a flipped bit.

import { endsWithChecksum } from "zarr-codecs/verify";
import { isShown } from "../../image/view.js";
import { hasOwnBytes } from "./element.js";

/**
 * @param {import("../../page.js").Page} page
 * @param {import("zarr-codecs/verify").ChunkLayout} layout of an array that can be broken
 * @param {boolean} isHiding whether a hidden bit of this array is flipped
 */
export function situation({ view, broken }, layout, isHiding) {
  const isVerified = endsWithChecksum(layout.codecs);
  const unnoticed = hasOwnBytes(layout)
    ? "This codec chain has no crc32c: the flipped bit goes unnoticed."
    : "This codec chain has no crc32c: the flipped bit is noticed only if decoding fails.";
  if (isHiding) {
    const hint = isVerified ? "“Verify all” below finds it." : "Without a crc32c, nothing can locate it.";
    return `One bit of this array is flipped now. ${hint}`;
  }
  const silence = isVerified ? "" : unnoticed;
  if (broken && !isShown(view, broken)) return `The flipped bit is not in this picture. ${silence}`;
  return silence;
}
