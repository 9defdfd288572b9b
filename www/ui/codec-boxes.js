// A codec chain as boxes in the order of encoding; a shard is a box around the chain of its chunks.

import "./codec-boxes.css";
import { codecName } from "zarr-codecs/verify";
import { h } from "./dom.js";

/** @param {(string | { name: string, configuration?: Record<string, any> })[]} codecs */
export function codecBoxes(codecs, label = "Codec chain") {
  return h("ol", { className: "chain", ariaLabel: label }, ...codecs.map((codec) => h("li", {}, box(codec))));
}

function box(codec) {
  const { codecs, index_codecs: indexCodecs, ...configuration } = codec.configuration ?? {};
  const values = Object.entries(configuration).map(([name, value]) =>
    h("span", { className: "configuration" }, `${name.replaceAll("_", " ")} ${[value].flat().join(" × ")}`),
  );
  const inner = codecs
    ? [
        h(
          "div",
          { className: "inner" },
          h("span", {}, "each chunk"),
          codecBoxes(codecs, "Codecs of a chunk"),
        ),
        h(
          "div",
          { className: "inner" },
          h("span", {}, "the index"),
          codecBoxes(indexCodecs, "Codecs of the index"),
        ),
      ]
    : [];
  return h("div", { className: "codec" }, h("strong", {}, codecName(codec)), ...values, ...inner);
}
