/** The index of a shard: where its inner chunks are. */

import type { ByteRange } from "../../errors.js";

/** The verified index of one shard. */
export class ShardIndex {
  /** The number of inner chunks in each dimension. */
  readonly gridShape: readonly number[];
  /** The offsets of all inner chunks, then those of their ends, as Rust writes them: infinite where one is missing. */
  readonly #places: Float64Array;

  /** Use {@link ShardLayout.readIndex}. */
  constructor(gridShape: readonly number[], places: Float64Array) {
    this.gridShape = gridShape;
    this.#places = places;
  }

  /** Returns the bytes of the inner chunk at these coordinates in the grid; undefined if it is missing. */
  range(coordinates: readonly number[]): ByteRange | undefined {
    const index = this.gridShape.reduce(
      (index, length, axis) => index * length + (coordinates[axis] as number),
      0,
    );
    return this.rangeAt(index);
  }

  /** Returns the bytes of the inner chunk with this index in C order; undefined if it is missing. */
  rangeAt(index: number): ByteRange | undefined {
    const offset = this.#places[index] as number;
    if (offset === Number.POSITIVE_INFINITY) return undefined;
    return { offset, length: (this.#places[this.#places.length / 2 + index] as number) - offset };
  }
}

/** Returns the coordinates in a grid of the inner chunk with this index in C order. */
export function coordinatesOf(index: number, gridShape: readonly number[]): number[] {
  let rest = index;
  return gridShape.reduceRight<number[]>((coordinates, length) => {
    coordinates.unshift(rest % length);
    rest = Math.floor(rest / length);
    return coordinates;
  }, []);
}
