/** The grids that divide arrays into chunks. */

import type { Json } from "../json.js";
import { readExtension, readLength, readLengths, unexpected } from "./read-metadata.js";

/** The division of an axis. */
export interface AxisGrid {
  /** The number of chunks. */
  readonly count: number;
  /** The length of each chunk, in elements; of the last one, it may reach beyond the array. */
  lengthAt(index: number): number;
  /** The number of elements before a chunk. */
  startAt(index: number): number;
  /** The index of the chunk with an element. */
  indexOf(element: number): number;
}

/** Chunks of one length. */
const regularAxis = (arrayLength: number, length: number): AxisGrid => ({
  count: Math.ceil(arrayLength / length),
  lengthAt: () => length,
  startAt: (index) => index * length,
  indexOf: (element) => Math.floor(element / length),
});

/**
 * Reads a chunk grid: `regular`, or `rectilinear`, whose chunks have lengths of their own along each axis.
 *
 * @throws InvalidMetadataError
 */
export function readChunkGrid(chunkGrid: unknown, shape: readonly number[]): readonly AxisGrid[] {
  const { name, configuration } = readExtension(chunkGrid, "chunk_grid");
  if (name === "rectilinear") return rectilinearGrid(configuration, shape);
  if (name !== "regular") throw unexpected("chunk_grid.name", '"regular" or "rectilinear"', name);
  const lengths = readLengths(
    configuration.chunk_shape,
    "chunk_grid.configuration.chunk_shape",
    1,
    shape.length,
  );
  return shape.map((length, axis) => regularAxis(length, lengths[axis] as number));
}

function rectilinearGrid({ kind, chunk_shapes: axes }: Json, shape: readonly number[]): readonly AxisGrid[] {
  const path = "chunk_grid.configuration";
  if (kind !== "inline") throw unexpected(`${path}.kind`, '"inline"', kind);
  if (!Array.isArray(axes) || axes.length !== shape.length) {
    throw unexpected(`${path}.chunk_shapes`, `an array for ${shape.length} axes`, axes);
  }
  return shape.map((length, axis) => rectilinearAxis(axes[axis], length, `${path}.chunk_shapes[${axis}]`));
}

/** Chunks that follow each other: so many of one length. */
interface Run {
  readonly length: number;
  /** The number of elements before the first one, and its index. */
  readonly start: number;
  readonly first: number;
  /** The index of the first one after them. */
  readonly end: number;
}

/** @param lengths one length of all chunks, or a list of lengths and of pairs of a length and how often it is repeated */
function rectilinearAxis(lengths: unknown, arrayLength: number, path: string): AxisGrid {
  if (!Array.isArray(lengths)) return regularAxis(arrayLength, readLength(lengths, path, 1));
  const runs: Run[] = [];
  let rest = arrayLength;
  let count = 0;
  for (const [i, item] of lengths.entries()) {
    const [length, repeated] = readRun(item, `${path}[${i}]`);
    // Chunks beyond the array have no elements of it.
    const used = Math.min(repeated, Math.ceil(rest / length));
    runs.push({ length, start: arrayLength - rest, first: count, end: count + used });
    rest = Math.max(0, rest - used * length);
    count += used;
  }
  if (rest > 0) throw unexpected(path, `lengths of at least ${arrayLength} elements together`, lengths);
  const runOf = (index: number) => runs.find(({ end }) => index < end) as Run;
  return {
    count,
    // An array without elements has no chunks; its metadata is valid for chunks of some length.
    lengthAt: (index) => (count > 0 ? runOf(index) : runs[0])?.length ?? 1,
    startAt(index) {
      const { start, first, length } = runOf(index);
      return start + (index - first) * length;
    },
    indexOf(element) {
      const { start, first, length } = runs.filter((run) => run.start <= element).at(-1) as Run;
      return first + Math.floor((element - start) / length);
    },
  };
}

function readRun(item: unknown, path: string): readonly [length: number, repeated: number] {
  if (!Array.isArray(item)) return [readLength(item, path, 1), 1];
  return readLengths(item, path, 1, 2) as readonly number[] as [number, number];
}
