/** The inner chunks of a shard, in the order in which they are read. */

import { coordinatesOf, inOrderOf, type Level, type LocatedIndex } from "../core.js";
import { type ByteRange, ChunkLengthError } from "../errors.js";
import { endOf } from "../shards/ranges.js";

// Inner chunks are read together where they are close to each other, and released before the next ones are read.
const MAX_GAP = 2 ** 15;
export const MAX_LENGTH = 2 ** 22;

/** An inner chunk, or a shard that is one. */
export class Inner {
  readonly range: ByteRange;
  readonly #level: Level;
  readonly #around: readonly number[];
  readonly #number: number;

  constructor(level: Level, around: readonly number[], number: number, range: ByteRange) {
    this.#level = level;
    this.#around = around;
    this.#number = number;
    this.range = range;
  }

  /** Its coordinates, after those of the shards around it. */
  get at(): readonly number[] {
    return coordinatesAt(this.#level, this.#around, this.#number);
  }
}

function coordinatesAt(
  { axes, layout }: Level,
  around: readonly number[],
  number: number,
): readonly number[] {
  return [...around, ...inOrderOf(axes, coordinatesOf(number, layout.gridShape))];
}

/** The inner chunks that an index names, in the order of their bytes. */
export class InnerChunks {
  readonly #index: LocatedIndex;
  readonly #level: Level;
  readonly #around: readonly number[];
  readonly #numbers: readonly number[];

  constructor(index: LocatedIndex, level: Level, around: readonly number[]) {
    this.#index = index;
    this.#level = level;
    this.#around = around;
    this.#numbers = inOrderOfBytes(index);
  }

  /** Where the last one ends in the file. */
  get end(): number {
    const last = this.#numbers.at(-1);
    return last === undefined ? 0 : endOf(this.#index.rangeAt(last) as ByteRange);
  }

  *[Symbol.iterator](): Generator<Inner> {
    for (const number of this.#numbers) {
      yield new Inner(this.#level, this.#around, number, this.#index.rangeAt(number) as ByteRange);
    }
  }
}

/** Yields the coordinates of those that are missing. */
export function* missingIn(
  index: LocatedIndex,
  level: Level,
  around: readonly number[],
): Generator<readonly number[]> {
  for (let i = 0; i < index.count; i++) {
    if (index.rangeAt(i) === undefined) yield coordinatesAt(level, around, i);
  }
}

/** Returns the numbers of the inner chunks that are there: most writers store them in their order. */
function inOrderOfBytes(index: LocatedIndex): number[] {
  const offsets = new Float64Array(index.count);
  const numbers: number[] = [];
  let end = 0;
  let isOrdered = true;
  for (let i = 0; i < index.count; i++) {
    const range = index.rangeAt(i);
    if (range === undefined) continue;
    numbers.push(i);
    offsets[i] = range.offset;
    isOrdered &&= range.offset >= end;
    end = range.offset;
  }
  const isBefore = (a: number, b: number) => (offsets[a] as number) - (offsets[b] as number);
  return isOrdered ? numbers : numbers.sort(isBefore);
}

/** Divides inner chunks, sorted by their offsets, into groups that are read with one request. */
export function* groupsOf(present: Iterable<Inner>): Generator<readonly Inner[]> {
  let group: Inner[] = [];
  for (const inner of present) {
    const [first, last] = [group[0], group.at(-1)];
    const isClose =
      first === undefined ||
      last === undefined ||
      (inner.range.offset - endOf(last.range) <= MAX_GAP &&
        endOf(inner.range) - first.range.offset <= MAX_LENGTH);
    if (!isClose) {
      yield group;
      group = [];
    }
    group.push(inner);
  }
  if (group.length > 0) yield group;
}

export function extentOf(group: readonly Inner[]): ByteRange {
  const [{ range: first }, { range: last }] = [group[0], group.at(-1)] as [Inner, Inner];
  return { offset: first.offset, length: endOf(last) - first.offset };
}

/** Returns the bytes of an inner chunk. @throws ChunkLengthError (the file has fewer than the index says) */
export function expectWhole(bytes: Uint8Array, { length: expected }: ByteRange): Uint8Array {
  const { byteLength: actual } = bytes;
  if (actual === expected) return bytes;
  const message = `inner chunk is ${actual} bytes, expected ${expected} (index of the shard)`;
  throw new ChunkLengthError(message, { expected, actual });
}
