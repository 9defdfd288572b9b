/** The order in which units are verified: each run has the same, and neighbours are far from each other. */

const ROUNDS = 4;

/**
 * A permutation of the numbers below `count`, which needs no memory: a Feistel network over the next power of two, applied
 * again to numbers that are too large.
 */
export class Order {
  readonly #count: number;
  readonly #keys: readonly number[];
  /** A number is split into a low and a high half of these many values. */
  readonly #low: number;
  readonly #high: number;

  /** @param count at most 2 ** 53 */
  constructor(count: number, seed: number) {
    const bits = Math.max(2, Math.ceil(Math.log2(Math.max(count, 1))));
    this.#count = count;
    this.#low = 2 ** Math.floor(bits / 2);
    this.#high = 2 ** Math.ceil(bits / 2);
    this.#keys = Array.from({ length: ROUNDS }, (_, round) => mixed((seed | 0) ^ mixed(round + 1)));
  }

  /** Returns the number at a position. */
  at(position: number): number {
    let number = position;
    do number = this.#permuted(number);
    while (number >= this.#count);
    return number;
  }

  #permuted(number: number): number {
    let low = number % this.#low;
    let high = (number - low) / this.#low;
    for (const key of this.#keys) {
      high = (high ^ mixed(low ^ key)) & (this.#high - 1);
      low = (low ^ mixed(high ^ ~key)) & (this.#low - 1);
    }
    return high * this.#low + low;
  }
}

/** Mixes 32 bits: the end of MurmurHash3. */
function mixed(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
