/** How an array with a regular grid is divided into chunks, as the page shows it. */

import { arrayLayout } from "../array/layout.js";
import { unexpected } from "../array/read-metadata.js";
import { type Division, divide, inOrderOf } from "../core.js";
import type { Json } from "../json.js";
import type { CodecMetadata, NamedConfiguration } from "../metadata.js";
import { countOf } from "../stride.js";

/** The division of an array into the smallest chunks that can be read on their own. */
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
  /** The division of a shard. */
  readonly shard: ShardDivision | undefined;
  /** Returns which stored value has the chunk at a position of the grid. */
  locate(position: readonly number[]): ChunkAddress;
}

interface ShardDivision {
  readonly shape: readonly number[];
  /** The number of chunks along each axis. */
  readonly grid: readonly number[];
  /** For each level of shards, from the outermost, the number of inner chunks along each axis. */
  readonly levels: readonly (readonly number[])[];
  readonly indexCodecs: readonly CodecMetadata[];
}

/** Where a chunk is stored. */
export interface ChunkAddress {
  /** The key below the array's path, of the shard if there is one. */
  readonly key: string;
  /** The position in the grid of chunks, or of shards. */
  readonly chunk: readonly number[];
  /** The position in the shard. */
  readonly inner?: readonly number[];
}

/**
 * Reads from the metadata of an array with a regular grid how it is divided into chunks.
 *
 * @param metadata the parsed `zarr.json`
 * @throws InvalidMetadataError
 */
export function chunkLayout(metadata: Json): ChunkLayout {
  const { dataType, shape, codecs, axes, keys, isRegular } = arrayLayout(metadata);
  if (!isRegular) throw unexpected("chunk_grid.name", '"regular"', "rectilinear");
  const stored = axes.map((axis) => axis.lengthAt(0));
  const division = divide(stored, codecs);
  const chunkShape = inOrderOf(division.axes, division.shape);
  const shard = shardDivision(stored, division, chunkShape);
  const grid = shape.map((length, axis) => Math.ceil(length / at(chunkShape, axis)));
  return {
    dataType,
    shape,
    chunkShape,
    grid,
    chunks: countOf(grid),
    shard,
    codecs: shard ? [...division.transposes, ...division.codecs] : codecs,
    locate(position) {
      if (shard === undefined) return { key: keys.encode(position), chunk: position };
      const chunk = position.map((n, axis) => Math.floor(n / at(shard.grid, axis)));
      const inner = position.map((n, axis) => n % at(shard.grid, axis));
      return { key: keys.encode(chunk), chunk, inner };
    },
  };
}

function shardDivision(
  shape: readonly number[],
  { levels }: Division,
  chunkShape: readonly number[],
): ShardDivision | undefined {
  const [outermost] = levels;
  return (
    outermost && {
      shape,
      grid: shape.map((length, axis) => length / at(chunkShape, axis)),
      levels: levels.map(({ grid }) => grid),
      indexCodecs: outermost.indexCodecs,
    }
  );
}

/** A length that is there: both shapes have been read with the same number of axes. */
const at = (shape: readonly number[], axis: number): number => shape[axis] as number;
