// A chunk of the open store, to be decoded by hand.

import { chunkLayout } from "zarr-codecs/verify";
import { positionAt, sizeOf } from "../../image/view.js";
import { chunkLabel } from "../../ui/chunk-label.js";

/**
 * A chunk and the metadata that describe it.
 *
 * @typedef {{ name: string, metadata: object, bytes: Uint8Array<ArrayBuffer> }} StoreChunk
 */

/** Reads the chunk in the middle of what the viewer shows, an inner chunk where there are shards. @param {import("../../page.js").Page} page @returns {Promise<StoreChunk>} */
export async function readShownChunk(page) {
  if (!page.hasView) throw new Error("No store is open.");
  const { array, view } = page;
  const layout = chunkLayout(array.metadata);
  const [height, width] = sizeOf(view);
  const position = positionAt(view, height >> 1, width >> 1).map((at, axis) =>
    Math.floor(at / layout.chunkShape[axis]),
  );
  const name = chunkLabel(view.path, layout, position);
  const stored = await page.workers.ours.bytes(array, position, 0);
  if (stored === undefined)
    throw new Error(`${name} is missing: all of it is the fill value. Move to another one.`);
  const { dataType, chunkShape: shape, codecs } = layout;
  return { name, metadata: { dataType, shape, codecs }, bytes: Uint8Array.from(stored.bytes) };
}
