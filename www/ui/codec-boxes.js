// Shows a codec chain as boxes in the order of encoding; the box of a shard contains the chains of its chunks and index.

import "./codec-boxes.css";
import { codecName } from "zarr-codecs/verify";
import { h } from "./dom.js";

/** @typedef {readonly import("zarr-codecs").CodecMetadata[]} Codecs */

/** @param {Codecs} codecs @param {string} [label] @returns {HTMLElement} */
export function codecBoxes(codecs, label = "Codec chain") {
  return h("ol", { className: "chain", ariaLabel: label }, ...codecs.map((codec) => h("li", {}, box(codec))));
}

/** @param {Codecs[number]} codec */
function box(codec) {
  const configuration = typeof codec === "string" ? {} : (codec.configuration ?? {});
  const { codecs, index_codecs: indexCodecs, ...others } = configuration;
  const values = Object.entries(others).map(([name, value]) =>
    h("span", { className: "configuration" }, `${name.replaceAll("_", " ")} ${[value].flat().join(" × ")}`),
  );
  const inner = [
    ["each chunk", codecs, "Codecs of a chunk"],
    ["the index", indexCodecs, "Codecs of the index"],
  ].flatMap(([title, chain, label]) =>
    Array.isArray(chain)
      ? [h("div", { className: "inner" }, h("span", {}, String(title)), codecBoxes(chain, String(label)))]
      : [],
  );
  return h("div", { className: "codec" }, h("strong", {}, codecName(codec)), ...values, ...inner);
}
