// What a chunk is called on the page.

/**
 * Returns the key of a chunk and, in a shard, its position there.
 *
 * @param {string} path of the array
 * @param {import("zarr-codecs/verify").ChunkLayout} layout
 * @param {readonly number[]} position
 */
export function chunkLabel(path, layout, position) {
  const { key, inner } = layout.locate(position);
  const fullKey = path === "/" ? key : `${path.slice(1)}/${key}`;
  return inner ? `${fullKey} [${inner.join(", ")}]` : fullKey;
}
