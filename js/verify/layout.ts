/** How an array is divided into chunks, and under which keys a store has them. */

import { divide, type Level } from "../core.js";
import type { CodecMetadata, NamedConfiguration } from "../metadata.js";
import { countOf } from "../stride.js";
import { type ChunkKeys, chunkKeysOf } from "../zarrita/stores/chunk-keys.js";
import type { Json } from "../zarrita/stores/json.js";
import { type AxisGrid, readChunkGrid } from "./chunk-grid.js";
import { readCodecs, readExtension, readLengths, unexpected } from "./metadata.js";

/** The division of an array into chunks, or into shards. */
export interface ArrayLayout {
  readonly dataType: string | NamedConfiguration;
  readonly shape: readonly number[];
  readonly fillValue: unknown;
  readonly codecs: readonly CodecMetadata[];
  readonly axes: readonly AxisGrid[];
  /** Whether all chunks have one shape. */
  readonly isRegular: boolean;
  /** The number of chunks along each axis. */
  readonly grid: readonly number[];
  /** The keys of chunks, below the array's path. */
  readonly keys: ChunkKeys;
}

/**
 * Reads from the metadata of an array how it is divided into chunks.
 *
 * @param metadata the parsed `zarr.json`
 * @throws InvalidMetadataError
 */
export function arrayLayout(metadata: Json): ArrayLayout {
  const shape = readLengths(metadata.shape, "shape", 0);
  const codecs = readCodecs(metadata.codecs, "codecs");
  const axes = readChunkGrid(metadata.chunk_grid, shape);
  const dataType = metadata.data_type as ArrayLayout["dataType"];
  return {
    ...{ dataType, shape, fillValue: metadata.fill_value, codecs, axes },
    isRegular: readExtension(metadata.chunk_grid, "chunk_grid").name === "regular",
    grid: axes.map(({ count }) => count),
    keys: readChunkKeys(metadata),
  };
}

/** Returns the shape of a chunk, which may reach beyond the array. */
export const chunkShapeAt = ({ axes }: ArrayLayout, position: readonly number[]): number[] =>
  axes.map((axis, i) => axis.lengthAt(position[i] as number));

/** Returns the first element of a chunk. */
export const originOf = ({ axes }: ArrayLayout, position: readonly number[]): number[] =>
  axes.map((axis, i) => axis.startAt(position[i] as number));

function readChunkKeys(metadata: Json): ChunkKeys {
  const { name, configuration } = readExtension(metadata.chunk_key_encoding, "chunk_key_encoding");
  if (name !== "default" && name !== "v2")
    throw unexpected("chunk_key_encoding.name", '"default" or "v2"', name);
  const { separator = "/" } = configuration;
  if (separator !== "/" && separator !== ".") {
    throw unexpected("chunk_key_encoding.configuration.separator", '"/" or "."', separator);
  }
  return chunkKeysOf(metadata);
}

/** The division of an array into chunks; where it has shards, into the inner chunks. */
export interface ChunkLayout {
  readonly dataType: string | NamedConfiguration;
  readonly shape: readonly number[];
  readonly chunkShape: readonly number[];
  /** The codecs of a chunk. */
  readonly codecs: readonly CodecMetadata[];
  /** The number of chunks along each axis. */
  readonly grid: readonly number[];
  /** The number of chunks. */
  readonly chunks: number;
  readonly shard: ShardDivision | undefined;
  /** Finds the chunk at a position of the grid. */
  locate(position: readonly number[]): ChunkAddress;
}

/** The division of a shard into inner chunks. */
interface ShardDivision extends Level {
  readonly shape: readonly number[];
}

/** Where a chunk is stored. */
export interface ChunkAddress {
  /** The key below the array's path, of the shard where there is one. */
  readonly key: string;
  /** The position in the grid of chunks, or of shards. */
  readonly chunk: readonly number[];
  /** The position in the shard. */
  readonly inner?: readonly number[];
}

/**
 * Reads from the metadata of an array with a regular grid how it is divided into chunks.
 *
 * Shards are opened one level deep, and only where no codec follows them or precedes them other than `transpose`; other shards
 * are chunks of a codec that nobody provides.
 *
 * @param metadata the parsed `zarr.json`
 * @throws InvalidMetadataError
 */
export function chunkLayout(metadata: Json): ChunkLayout {
  const { dataType, shape, codecs, axes, keys, isRegular } = arrayLayout(metadata);
  if (!isRegular) throw unexpected("chunk_grid.name", '"regular"', "rectilinear");
  const stored = axes.map((axis) => axis.lengthAt(0));
  const division = divide(stored, codecs, 1);
  const [level] = division.levels;
  const shard = level && { ...level, shape: stored };
  const chunkShape = stored.map((length, axis) => (shard ? length / lengthAt(shard.grid, axis) : length));
  const grid = shape.map((length, axis) => Math.ceil(length / lengthAt(chunkShape, axis)));
  return {
    ...{ dataType, shape, chunkShape, grid, chunks: countOf(grid), shard },
    codecs: [...division.transposes, ...division.codecs],
    locate(position) {
      if (shard === undefined) return { key: keys.encode(position), chunk: position };
      const chunk = position.map((at, axis) => Math.floor(at / lengthAt(shard.grid, axis)));
      const inner = position.map((at, axis) => at % lengthAt(shard.grid, axis));
      return { key: keys.encode(chunk), chunk, inner };
    },
  };
}

/** A length that is there: both shapes have been read with the same number of axes. */
const lengthAt = (shape: readonly number[], axis: number): number => shape[axis] as number;
