// The stores that are verified: 1 GiB in chunks of 1 MiB, and 100,000 small chunks, both with crc32c.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCodecChain } from "zarr-codecs";

/** Chunks of so many bytes, and how many of them. */
export const STORES = {
  large: { chunkLength: 2 ** 20, grid: [32, 32] },
  small: { chunkLength: 2 ** 10, grid: [100, 1000] },
};

const metadataOf = ({ chunkLength, grid: [rows, columns] }) => ({
  zarr_format: 3,
  node_type: "array",
  data_type: "uint8",
  shape: [rows, columns * chunkLength],
  fill_value: 0,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1, chunkLength] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  codecs: [{ name: "bytes" }, { name: "crc32c" }],
  attributes: {},
});

/** Writes a store, unless it is there. Returns its folder. */
export function ensureStore(root, name) {
  const folder = join(root, name);
  const metadata = metadataOf(STORES[name]);
  const text = JSON.stringify(metadata);
  if (existsSync(join(folder, "zarr.json")) && readFileSync(join(folder, "zarr.json"), "utf8") === text) {
    return folder;
  }
  rmSync(folder, { recursive: true, force: true });
  const {
    chunkLength,
    grid: [rows, columns],
  } = STORES[name];
  const chain = createCodecChain(metadata);
  const noise = Uint8Array.from({ length: chunkLength }, (_, i) => Math.imul(i, 2654435761) >>> 24);
  const view = new DataView(noise.buffer);
  for (let row = 0; row < rows; row++) {
    mkdirSync(join(folder, `c/${row}`), { recursive: true });
    for (let column = 0; column < columns; column++) {
      view.setUint32(0, row * columns + column);
      writeFileSync(join(folder, `c/${row}/${column}`), chain.encode(noise));
    }
  }
  writeFileSync(join(folder, "zarr.json"), text);
  return folder;
}
