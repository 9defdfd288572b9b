/** How an array is divided into chunks, and under which keys a store has them. */

import type { CodecMetadata, NamedConfiguration } from "zarr-codecs";
import { codecName } from "./codecs.js";
import { positionsIn, product } from "./grid.js";
import { type Json, readCodecs, readExtension, readLengths, unexpected } from "./metadata.js";

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
  readonly shard: ShardLayout | undefined;
  /** Finds the chunk at a position of the grid. */
  locate(position: readonly number[]): ChunkAddress;
}

/** The division of a shard into inner chunks. */
export interface ShardLayout {
  readonly shape: readonly number[];
  /** The number of inner chunks along each axis. */
  readonly grid: readonly number[];
  readonly indexCodecs: readonly CodecMetadata[];
  readonly isIndexFirst: boolean;
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
 * Reads from the metadata of an array how it is divided into chunks.
 *
 * Shards are opened one level deep, and only where no other codec surrounds them; other shards are chunks of a codec that
 * nobody provides.
 *
 * @param metadata the parsed `zarr.json`
 * @throws InvalidMetadataError
 */
export function chunkLayout(metadata: Json): ChunkLayout {
  const shape = readLengths(metadata.shape, "shape", 0);
  const codecs = readCodecs(metadata.codecs, "codecs");
  const stored = storedShape(metadata.chunk_grid, shape.length);
  const sharding = shardingOf(codecs, stored);
  const chunkShape = sharding?.chunkShape ?? stored;
  const grid = shape.map((length, axis) => Math.ceil(length / lengthAt(chunkShape, axis)));
  const keyOf = chunkKeys(metadata.chunk_key_encoding);
  return {
    dataType: metadata.data_type as string | NamedConfiguration,
    shape,
    chunkShape,
    codecs: sharding?.codecs ?? codecs,
    grid,
    chunks: product(grid),
    shard: sharding?.shard,
    locate(position) {
      if (sharding === undefined) return { key: keyOf(position), chunk: position };
      const perShard = sharding.shard.grid;
      const chunk = position.map((at, axis) => Math.floor(at / lengthAt(perShard, axis)));
      const inner = position.map((at, axis) => at % lengthAt(perShard, axis));
      return { key: keyOf(chunk), chunk, inner };
    },
  };
}

/** Yields the position of every chunk, file by file: all inner chunks of a shard before those of the next. */
export function* chunksOf({ grid, shard }: ChunkLayout): Generator<readonly number[]> {
  if (shard === undefined) {
    yield* positionsIn(grid);
    return;
  }
  const shards = grid.map((length, axis) => Math.ceil(length / lengthAt(shard.grid, axis)));
  for (const outer of positionsIn(shards)) {
    for (const inner of positionsIn(shard.grid)) {
      const position = outer.map((at, axis) => at * lengthAt(shard.grid, axis) + lengthAt(inner, axis));
      // A shard at the edge of the array has room for more chunks than there are.
      if (position.every((at, axis) => at < lengthAt(grid, axis))) yield position;
    }
  }
}

function storedShape(chunkGrid: unknown, axes: number): readonly number[] {
  const { name, configuration } = readExtension(chunkGrid, "chunk_grid");
  if (name !== "regular") throw unexpected("chunk_grid.name", '"regular"', name);
  return readLengths(configuration.chunk_shape, "chunk_grid.configuration.chunk_shape", 1, axes);
}

function shardingOf(codecs: readonly CodecMetadata[], shape: readonly number[]) {
  const [first, ...others] = codecs;
  if (first === undefined || codecName(first) !== "sharding_indexed" || others.length > 0) return undefined;
  const path = "codecs[0].configuration";
  const { configuration } = readExtension(first, "codecs[0]");
  const { chunk_shape, codecs: inner, index_codecs, index_location = "end" } = configuration;
  const chunkShape = readLengths(chunk_shape, `${path}.chunk_shape`, 1, shape.length);
  const grid = shape.map((length, axis) => length / lengthAt(chunkShape, axis));
  if (!grid.every(Number.isInteger)) {
    throw unexpected(`${path}.chunk_shape`, `a divisor of each length of [${shape}]`, chunkShape);
  }
  if (index_location !== "start" && index_location !== "end") {
    throw unexpected(`${path}.index_location`, '"start" or "end"', index_location);
  }
  const shard: ShardLayout = {
    shape,
    grid,
    indexCodecs: readCodecs(index_codecs, `${path}.index_codecs`),
    isIndexFirst: index_location === "start",
  };
  return { shard, chunkShape, codecs: readCodecs(inner, `${path}.codecs`) };
}

function chunkKeys(encoding: unknown): (position: readonly number[]) => string {
  const { name, configuration } = readExtension(encoding, "chunk_key_encoding");
  if (name !== "default" && name !== "v2")
    throw unexpected("chunk_key_encoding.name", '"default" or "v2"', name);
  const { separator = name === "v2" ? "." : "/" } = configuration;
  if (separator !== "/" && separator !== ".") {
    throw unexpected("chunk_key_encoding.configuration.separator", '"/" or "."', separator);
  }
  if (name === "v2") return (position) => position.join(separator) || "0";
  return (position) => ["c", ...position].join(separator);
}

/** A length that is there: both shapes have been read with the same number of axes. */
const lengthAt = (shape: readonly number[], axis: number): number => shape[axis] as number;
