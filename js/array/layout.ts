/** How an array is divided into stored values: chunks, or shards. */

import type { Json } from "../json.js";
import type { CodecMetadata, NamedConfiguration } from "../metadata.js";
import { type AxisGrid, readChunkGrid } from "./chunk-grid.js";
import { type ChunkKeys, chunkKeysOf } from "./chunk-keys.js";
import { readCodecs, readExtension, readLengths, unexpected } from "./read-metadata.js";

export interface ArrayLayout {
  readonly dataType: string | NamedConfiguration;
  readonly shape: readonly number[];
  readonly fillValue: unknown;
  readonly codecs: readonly CodecMetadata[];
  readonly axes: readonly AxisGrid[];
  /** Whether all stored values have one shape. */
  readonly isRegular: boolean;
  /** The number of stored values along each axis. */
  readonly grid: readonly number[];
  /** Their keys, below the array's path. */
  readonly keys: ChunkKeys;
}

/**
 * Reads from the metadata of an array how it is divided.
 *
 * @param metadata the parsed `zarr.json`
 * @throws InvalidMetadataError
 */
export function arrayLayout(metadata: Json): ArrayLayout {
  const shape = readLengths(metadata.shape, "shape", 0);
  const codecs = readCodecs(metadata.codecs, "codecs");
  const axes = readChunkGrid(metadata.chunk_grid, shape);
  return {
    dataType: metadata.data_type as ArrayLayout["dataType"],
    shape,
    fillValue: metadata.fill_value,
    codecs,
    axes,
    isRegular: readExtension(metadata.chunk_grid, "chunk_grid").name === "regular",
    grid: axes.map(({ count }) => count),
    keys: readChunkKeys(metadata.chunk_key_encoding, shape.length),
  };
}

/** Returns the shape of a stored value, which may reach beyond the array. */
export const storedShapeAt = ({ axes }: ArrayLayout, coords: readonly number[]): number[] =>
  axes.map((axis, i) => axis.lengthAt(coords[i] as number));

/** Returns the first element of a stored value. */
export const originOf = ({ axes }: ArrayLayout, coords: readonly number[]): number[] =>
  axes.map((axis, i) => axis.startAt(coords[i] as number));

function readChunkKeys(encoding: unknown, rank: number): ChunkKeys {
  const { name, configuration } = readExtension(encoding, "chunk_key_encoding");
  if (name !== "default" && name !== "v2")
    throw unexpected("chunk_key_encoding.name", '"default" or "v2"', name);
  const { separator = "/" } = configuration;
  if (separator !== "/" && separator !== ".") {
    throw unexpected("chunk_key_encoding.configuration.separator", '"/" or "."', separator);
  }
  return chunkKeysOf(encoding, rank);
}
