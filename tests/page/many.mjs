// An array of 102,400 chunks as a folder of so many files.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCodecChain } from "zarr-codecs";
import { encoded } from "./server.mjs";

const SIDE = 320;

/** How long the folder may take to open, in milliseconds. */
export const MOST_TO_OPEN_MS = 10_000;

/** Writes the array, of which one chunk is damaged: `c/3/7`. */
export function writeMany(store) {
  const codecs = ["bytes", "crc32c"];
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [4 * SIDE, 4 * SIDE],
    codecs,
    data_type: "uint8",
    fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 4] } },
    chunk_key_encoding: { name: "default" },
  };
  const chain = createCodecChain({ dataType: "uint8", shape: [4, 4], codecs });
  mkdirSync(store);
  writeFileSync(join(store, "zarr.json"), encoded(metadata));
  for (let row = 0; row < SIDE; row += 1) {
    mkdirSync(join(store, "c", String(row)), { recursive: true });
    for (let column = 0; column < SIDE; column += 1) {
      const chunk = chain.encode(new Uint8Array(16).fill(row + column));
      if (row === 3 && column === 7) chunk[3] ^= 8;
      writeFileSync(join(store, "c", String(row), String(column)), chunk);
    }
  }
}
