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

  /** Returns the inner chunks that are stored, by their indexes in C order, in the order of their bytes in the shard. */
  inOrder(): Uint32Array {
    const places = this.#places;
    const count = places.length / 2;
    const present = new Uint32Array(count);
    let [length, isInOrder, last] = [0, true, 0];
    for (let index = 0; index < count; index++) {
      const offset = places[index] as number;
      if (offset === Number.POSITIVE_INFINITY) continue;
      isInOrder &&= offset >= last;
      last = places[count + index] as number;
      present[length++] = index;
    }
    const inOrder = present.subarray(0, length);
    const compare = (at: number, a: number, b: number) =>
      (places[at + a] as number) - (places[at + b] as number);
    // Chunks without bytes come before the one at the same offset.
    return isInOrder ? inOrder : inOrder.sort((a, b) => compare(0, a, b) || compare(count, a, b));
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
