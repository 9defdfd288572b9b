// Suggests which bit of an element to flip, so that the picture changes and still looks plausible.

import { codecName } from "zarr-codecs/verify";
import { elementBytes, hasOwnBytes, typeName } from "./element.js";

/** The lowest bit of the exponent, which doubles or halves a number. @type {Record<string, number>} */
const EXPONENT = { float16: 10, float32: 23, float64: 52, complex64: 23, complex128: 52 };

/**
 * Suggests a bit of an element.
 *
 * @param {import("zarr-codecs/verify").ChunkLayout} layout
 * @param {[number, number] | undefined} window of the colours
 * @returns {[byte: number, bit: number]} in the element as it is stored
 */
export function suggestedBit(layout, window = [0, 1]) {
  const name = typeName(layout);
  if (!hasOwnBytes(layout)) return [0, 3];
  if (name === "bool" || /^r\d/.test(name)) return [0, 0];
  const bits = (8 * elementBytes(layout)) / (name.startsWith("complex") ? 2 : 1);
  // Changes the number by a good part of the window, if the type has such a bit.
  const byWindow = Math.max(0, Math.floor(Math.log2(Math.max(1, window[1] - window[0]))) - 1);
  const significance = EXPONENT[name] ?? Math.min(bits - 2, byWindow);
  const bytes = layout.codecs.find((codec) => codecName(codec) !== "crc32c");
  const isBig = typeof bytes === "object" && bytes.configuration?.endian === "big";
  const byte = significance >> 3;
  return [isBig ? bits / 8 - 1 - byte : byte, significance & 7];
}
