// What became of metadata and a chunk: the codec chain and its sizes, or the error with all it says.

import { codecBoxes } from "../../ui/codec-boxes.js";
import { facts, h, hex } from "../../ui/dom.js";

/** Fields that are checksums. */
const CHECKSUMS = ["stored", "computed"];

export function chainFacts({ dataType, shape, codecs, decodedByteLength, encodedByteLength }, byteLength) {
  const bytes = (count) => `${count.toLocaleString("en")} bytes`;
  const sizes = facts({
    elements: `${dataType}${shape.length > 0 ? `, ${shape.join(" × ")}` : ", one"}`,
    "decoded chunk": bytes(decodedByteLength),
    "encoded chunk": bytes(encodedByteLength),
    "this file": byteLength === undefined ? undefined : bytes(byteLength),
  });
  return h("div", { className: "columns" }, codecBoxes(codecs), sizes);
}

/**
 * An error with its class, code and fields.
 *
 * @param {object} error as plainError makes it
 * @param {import("./metadata.js").Place} [place] what it is about, which `onSelect` shows
 */
export function errorBox({ name, message, ...fields }, place, onSelect) {
  const shown = Object.entries(fields).map(([field, value]) => [
    field,
    CHECKSUMS.includes(field) ? hex(value) : String(value),
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
  if (place) {
    const button = h("button", { type: "button" }, "Show it in the metadata");
    button.addEventListener("click", () => onSelect(place));
    box.append(h("div", {}, button));
  }
  return box;
}
