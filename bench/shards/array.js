// The arrays that are read: shards of 64 MiB in 64 inner chunks of 1 MiB or 4096 of 16 KiB, with checksums. They are slabs: the
// elements of smaller cubes are copied in short runs by zarrita, which takes longer than everything that is compared here.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createCodecChain } from "zarr-codecs";

const SHAPE = [512, 256, 256];

/** The shapes of inner chunks. */
export const CHUNKS = { 64: [8, 256, 256], 4096: [1, 32, 256] };

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/** Returns the metadata of an array of uint16 in one shard. */
function metadataOf(endian, count) {
  const configuration = {
    chunk_shape: CHUNKS[count],
    codecs: [{ name: "bytes", configuration: { endian } }, { name: "crc32c" }],
    index_codecs: [LITTLE, { name: "crc32c" }],
    index_location: "end",
  };
  return {
    zarr_format: 3,
    node_type: "array",
    shape: SHAPE,
    data_type: "uint16",
    chunk_grid: { name: "regular", configuration: { chunk_shape: SHAPE } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs: [{ name: "sharding_indexed", configuration }],
    attributes: {},
  };
}

/** Returns the files of an array whose shard has so many inner chunks. */
export function createFiles(endian, count = 64) {
  const metadata = metadataOf(endian, count);
  const length = SHAPE.reduce((product, n) => product * n, 1);
  const data = Uint16Array.from({ length }, (_, i) => Math.imul(i, 2654435761) >>> 16);
  return new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
    ["/c/0/0/0", createCodecChain(metadata).encode(data)],
  ]);
}

/** Writes files to a folder. */
export function writeFiles(files, folder) {
  for (const [key, bytes] of files) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), bytes);
  }
}

/** Coordinates of inner chunks that look random, always the same. */
export const SOME = Array.from({ length: 16 }, (_, i) => [(i * 37 + 11) % 64, 0, 0]);
