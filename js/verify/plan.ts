/** The units of a store, and which of them are verified in which order. */

import { Crc32c } from "../core.js";
import { invalidArgument } from "../errors.js";
import type { ArrayUnits } from "./array-units.js";
import { Order } from "./order.js";
import type { Settings } from "./settings.js";

export class Plan {
  /** Identifies arrays, sample and requirements. */
  readonly name: string;
  /** The number of units of the part. */
  readonly total: number;
  readonly #arrays: readonly ArrayUnits[];
  /** The number of the first unit of each array. */
  readonly #starts: readonly number[];
  readonly #order: Order;
  readonly #part: Settings["part"];

  constructor(arrays: readonly ArrayUnits[], settings: Settings) {
    const { part, sample } = settings;
    let count = 0;
    this.#arrays = arrays;
    this.#starts = arrays.map((array) => {
      const start = count;
      count += array.count;
      return start;
    });
    if (!Number.isSafeInteger(count)) throw invalidArgument("store", "fewer than 2 ** 53 chunks", `${count}`);
    this.#order = new Order(count, sample?.seed ?? 0);
    this.#part = part;
    const used = sample ? Math.ceil((count * sample.percent) / 100) : count;
    this.total = Math.max(0, Math.ceil((used - part.index) / part.count));
    this.name = nameOf(arrays, settings);
  }

  /** Returns the unit at a place in the order: its array, and its position there. */
  at(place: number): { array: ArrayUnits; position: readonly number[] } {
    const number = this.#order.at(this.#part.index + place * this.#part.count);
    const i = lastUpTo(this.#starts, number);
    const array = this.#arrays[i] as ArrayUnits;
    return { array, position: array.positionOf(number - (this.#starts[i] as number)) };
  }
}

/** Returns the last index of a sorted list whose number is at most this one. */
function lastUpTo(starts: readonly number[], number: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

function nameOf(arrays: readonly ArrayUnits[], { sample, require, missing }: Settings): string {
  const crc = new Crc32c();
  const add = (value: unknown) => crc.update(new TextEncoder().encode(JSON.stringify(value)));
  add([sample, require, missing]);
  for (const { path, reader, count } of arrays) {
    const { dataType, shape, metadata, stored } = reader;
    add([path, dataType, shape, metadata.codecs, stored.gridShape, count, stored.keyOf(stored.gridShape)]);
  }
  return crc.digest().toString(16).padStart(8, "0");
}
