// Shows what became of the metadata and the chunk: the codec chain and its sizes, or the error with its fields.

import { codecBoxes } from "../../ui/codec-boxes.js";
import { facts, h, hex } from "../../ui/dom.js";

/** The fields that are checksums. */
const CHECKSUMS = ["stored", "computed"];

/** @param {import("./open-chunk.js").ChainDescription} chain @param {number} [byteLength] of the chunk */
export function chainFacts({ dataType, shape, codecs, decodedByteLength, encodedByteLength }, byteLength) {
  const bytes = (/** @type {number | undefined} */ count) =>
    count === undefined ? "of any length" : `${count.toLocaleString("en")} bytes`;
  const sizes = facts({
    elements: `${dataType}${shape.length > 0 ? `, ${shape.join(" × ")}` : ", one"}`,
    "decoded chunk": bytes(decodedByteLength),
    "encoded chunk": bytes(encodedByteLength),
    "this file": byteLength === undefined ? undefined : bytes(byteLength),
  });
  return h("div", { className: "columns" }, codecBoxes(codecs), sizes);
}

/**
 * Shows an error with its class, code and fields.
 *
 * @param {import("../../workers/errors.js").PlainError} error
 * @param {import("./metadata.js").Place} [place] of the error in the metadata
 * @param {(place: import("./metadata.js").Place) => void} [onSelect] shows that place
 */
export function errorBox({ name, message, ...fields }, place, onSelect) {
  const shown = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === "number" && CHECKSUMS.includes(field) ? hex(value) : String(value),
  ]);
  const box = h(
    "div",
    { className: "error stack" },
    h("p", {}, h("strong", {}, name), ": ", message),
    facts({
      ...Object.fromEntries(shown),
      ...(place && { place: `line ${place.line}, column ${place.column} of the metadata` }),
    }),
  );
  if (place && onSelect) {
    const button = h("button", { type: "button" }, "Show it in the metadata");
    button.addEventListener("click", () => onSelect(place));
    box.append(h("div", {}, button));
  }
  return box;
}
