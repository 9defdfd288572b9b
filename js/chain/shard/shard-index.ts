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

  /** Returns the inner chunks that have bytes, by their indexes in C order, in the order of their bytes in the shard. */
  inOrder(): Uint32Array {
    const places = this.#places;
    const count = places.length / 2;
    const offsetOf = (index: number) => places[index] as number;
    const present = Uint32Array.from({ length: count }, (_, index) => index).filter(
      (index) => offsetOf(index) < (places[count + index] as number),
    );
    const isInOrder = present.every(
      (index, i) => i === 0 || offsetOf(present[i - 1] as number) < offsetOf(index),
    );
    return isInOrder ? present : present.sort((a, b) => offsetOf(a) - offsetOf(b));
  }
}

/** Returns the coordinates in a grid of the inner chunk with this index in C order. */
export function coordinatesOf(index: number, gridShape: readonly number[]): number[] {
  let rest = index;
  const coordinates = [...gridShape];
  for (let axis = gridShape.length - 1; axis >= 0; axis--) {
    const length = gridShape[axis] as number;
    coordinates[axis] = rest % length;
    rest = Math.floor(rest / length);
  }
  return coordinates;
}
