// Which bit of an element to flip, so that its picture changes but looks as plausible as before.

import { codecName } from "zarr-codecs/verify";

/** The lowest bit of the exponent: the number is doubled or halved. */
const EXPONENT = { float16: 10, float32: 23, float64: 52, complex64: 23, complex128: 52 };

/**
 * @param {import("zarr-codecs/verify").ChunkLayout} layout
 * @param {[number, number] | undefined} window of the colours
 * @returns {[byte: number, bit: number]} in the element as it is stored
 */
export function suggestedBit({ dataType, codecs }, window = [0, 1]) {
  const name = typeof dataType === "string" ? dataType : dataType.name;
  if (name === "bool" || /^r\d/.test(name)) return [0, 0];
  const bits = Number(/\d+$/.exec(name)[0]) / (name.startsWith("complex") ? 2 : 1);
  // A good part of what the colours span, if that is a bit of the type.
  const byWindow = Math.max(0, Math.floor(Math.log2(Math.max(1, window[1] - window[0]))) - 1);
  const significance = EXPONENT[name] ?? Math.min(bits - 2, byWindow);
  const isBig = codecs.find((codec) => codecName(codec) !== "crc32c")?.configuration?.endian === "big";
  const byte = significance >> 3;
  return [isBig ? bits / 8 - 1 - byte : byte, significance & 7];
}
