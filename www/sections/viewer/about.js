// What the metadata say about the array that is shown, and how large its pixels are.

import { imageOf } from "../../image/ome.js";
import { codecBoxes } from "../../ui/codec-boxes.js";
import { facts, h } from "../../ui/dom.js";
import { fillText, typeText } from "../../ui/metadata-text.js";

/**
 * Describes an array.
 *
 * @param {HTMLElement} element
 * @param {import("../../store/nodes.js").Node} array
 * @param {import("zarr-codecs/verify").ChunkLayout} layout
 */
export function describe(element, { path, metadata }, layout) {
  const { shard, chunkShape, shape, chunks } = layout;
  const codecs = /** @type {import("../../ui/codec-boxes.js").Codecs} */ (metadata.codecs);
  const type = /** @type {import("../../ui/metadata-text.js").DataType} */ (metadata.data_type);
  element.replaceChildren(
    h(
      "div",
      {},
      h("h3", {}, path === "/" ? "The array" : path.slice(1)),
      facts({
        "Data type": typeText(type),
        Shape: shape.join(" × ") || "one element",
        Chunks: `${chunks.toLocaleString("en")}, each ${chunkShape.join(" × ") || "one element"}`,
        Shards: shard && `each ${shard.shape.join(" × ")}`,
        "Fill value": fillText(type, metadata.fill_value),
      }),
    ),
    h("div", {}, h("h3", {}, "Codec chain"), codecBoxes(codecs)),
    h(
      "details",
      {},
      h("summary", {}, "zarr.json"),
      h("pre", { tabIndex: 0 }, JSON.stringify(metadata, null, 2)),
    ),
  );
}

/**
 * Shows a bar of a round length, if the image says how long a pixel is.
 *
 * @param {HTMLElement} bar
 * @param {import("../../page.js").Page} page
 * @param {number} share of the array's width that is visible
 */
export function showScale(bar, { nodes, view }, share) {
  const image = imageOf(nodes, view.path);
  const scale = image?.levels.find(({ path }) => path === view.path)?.scale;
  const axis = view.plane[view.plane.length - 1];
  const unit = image?.axes[axis]?.unit;
  bar.hidden = !scale || !unit;
  if (!scale || !unit) return;
  const width = view.shape[axis] * share * scale[axis];
  const power = 10 ** Math.floor(Math.log10(width / 4));
  const length = power * (width / 4 / power >= 5 ? 5 : width / 4 / power >= 2 ? 2 : 1);
  bar.style.width = `${(100 * length) / width}%`;
  bar.textContent = `${+length.toPrecision(3)} ${unit.replace("micrometer", "µm")}`;
}
