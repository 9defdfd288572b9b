// The arrays that are read: 64 MiB of uint16, in chunks of 1 MiB, in shards of 64 of them, or in shards of 4096 of 16 KiB. Chunks
// are slabs: the elements of smaller cubes are copied in short runs by zarrita, which takes longer than all that is compared.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createCodecChain, loadCodecChain } from "zarr-codecs";
import { registry } from "zarrita";

const SHAPE = [512, 256, 256];
const CHUNK = [8, 256, 256];
const SMALL_CHUNK = [1, 32, 256];

const bytes = (endian) => ({ name: "bytes", configuration: { endian } });
const CRC32C = { name: "crc32c" };
const ZSTD = { name: "zstd", configuration: { level: 0, checksum: false } };

const shard = (shape, codecs) => ({
  name: "sharding_indexed",
  configuration: {
    chunk_shape: shape,
    codecs,
    index_codecs: [bytes("little"), CRC32C],
    index_location: "end",
  },
});

/** The arrays by name: the shape of what is stored under a key, and the codecs. */
export const ARRAYS = {
  "little endian": { stored: CHUNK, codecs: [bytes("little")] },
  "little endian, crc32c": { stored: CHUNK, codecs: [bytes("little"), CRC32C] },
  "big endian, crc32c": { stored: CHUNK, codecs: [bytes("big"), CRC32C] },
  zstd: { stored: CHUNK, codecs: [bytes("little"), ZSTD] },
  "64 inner chunks, little endian, crc32c": {
    stored: SHAPE,
    codecs: [shard(CHUNK, [bytes("little"), CRC32C])],
  },
  "64 inner chunks, big endian, crc32c": { stored: SHAPE, codecs: [shard(CHUNK, [bytes("big"), CRC32C])] },
  "4096 inner chunks, little endian, crc32c": {
    stored: SHAPE,
    codecs: [shard(SMALL_CHUNK, [bytes("little"), CRC32C])],
  },
};

/** Smooth, with noise in the low bits, as images are. */
function elements() {
  const data = new Uint16Array(SHAPE.reduce((product, n) => product * n, 1));
  for (let i = 0; i < data.length; i += 1) {
    const noise = Math.imul(i, 2654435761) >>> 28;
    data[i] = 2000 + 1000 * Math.sin((i % 256) / 40) + 500 * Math.cos((i >>> 8) / 90) + noise;
  }
  return data;
}

/** Returns the files of an array. */
export async function createFiles({ stored, codecs }) {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: SHAPE,
    data_type: "uint16",
    chunk_grid: { name: "regular", configuration: { chunk_shape: stored } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs,
    attributes: {},
  };
  const chain = codecs.includes(ZSTD)
    ? await loadCodecChain(metadata, { codecs: registry })
    : createCodecChain(metadata);
  const data = elements();
  const length = stored.reduce((product, n) => product * n, 1);
  const files = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
  for (let i = 0; i < data.length / length; i += 1) {
    files.set(`/c/${i}/0/0`, await chain.encode(data.subarray(i * length, (i + 1) * length)));
  }
  return files;
}

/** Returns the files of an OME-Zarr image of one level, whose planes are the chunks of an array. */
export function imageOf(files) {
  const image = new Map();
  const array = JSON.parse(new TextDecoder().decode(files.get("/zarr.json")));
  const axes = ["t", "c", "z", "y", "x"];
  const datasets = [{ path: "0", coordinateTransformations: [{ type: "scale", scale: axes.map(() => 1) }] }];
  const ome = {
    version: "0.5",
    multiscales: [
      { axes: axes.map((name) => ({ name, type: "zyx".includes(name) ? "space" : "time" })), datasets },
    ],
    omero: { channels: [{ label: "0", color: "FFFFFF", active: true, window: { start: 0, end: 65535 } }] },
  };
  const text = (value) => new TextEncoder().encode(JSON.stringify(value));
  image.set("/zarr.json", text({ zarr_format: 3, node_type: "group", attributes: { ome } }));
  const chunk_grid = { name: "regular", configuration: { chunk_shape: [1, 1, 1, 512, 1024] } };
  const shape = [1, 1, 64, 512, 1024];
  image.set("/0/zarr.json", text({ ...array, shape, chunk_grid, dimension_names: axes }));
  for (let z = 0; z < 64; z += 1) image.set(`/0/c/0/0/${z}/0/0`, files.get(`/c/${z}/0/0`));
  return image;
}

/** Writes files to a folder. */
export function writeFiles(files, folder) {
  for (const [key, contents] of files) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), contents);
  }
}

/** Coordinates of inner chunks that look random, always the same. */
export const SOME = Array.from({ length: 16 }, (_, i) => [(i * 37 + 11) % 64, 0, 0]);
