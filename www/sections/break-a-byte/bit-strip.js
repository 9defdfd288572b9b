// Shows the stored bits of an element, each as a switch.

import { h } from "../../ui/dom.js";

/**
 * @param {Uint8Array} bytes of the element
 * @param {(byte: number, bit: number) => boolean} isFlipped
 * @param {(byte: number, bit: number) => void} onFlip
 */
export function bitStrip(bytes, isFlipped, onFlip) {
  return Array.from(bytes, (value, byte) =>
    h(
      "span",
      { className: "byte", role: "group", ariaLabel: `byte ${byte} of the element` },
      h("code", {}, value.toString(16).padStart(2, "0")),
      ...[7, 6, 5, 4, 3, 2, 1, 0].map((bit) => {
        const flipped = isFlipped(byte, bit);
        return h(
          "button",
          {
            type: "button",
            className: flipped ? "bit flipped" : "bit",
            ariaPressed: String(flipped),
            ariaLabel: `${(value >> bit) & 1}: byte ${byte}, bit ${bit}`,
            onclick: () => onFlip(byte, bit),
          },
          String((value >> bit) & 1),
        );
      }),
    ),
  );
}
