// Runs cases, in any JavaScript host.

import { compare, timeInRounds } from "./measure.js";

/**
 * One case at one size.
 *
 * @typedef {object} Result
 * @property {string} name the case
 * @property {number} size in bytes
 * @property {{ name: string, seconds: object, ratio?: object, later?: object }[]} implementations ours first, see `compare`
 */

/**
 * Which implementations of one case have the same outcome at one size.
 *
 * @typedef {object} Agreement
 * @property {string} name the case
 * @property {number} size in bytes
 * @property {string[]} implementations
 */

/**
 * Makes sure that all implementations of all cases agree, telling each {@link Agreement}, and then measures: yields
 * undefined after each round, and a {@link Result} after each case and size. Without `sizes`, each case has its own.
 */
export function* runSuite({ cases, sizes, rounds, peers, onAgreement = () => {} }) {
  const all = cases.flatMap((one) => (sizes ?? one.sizes).map((size) => ({ ...one, size })));
  for (const { name, size, prepare } of all) {
    const implementations = expectAgreement(`${name}, ${size} bytes`, prepare(size, peers));
    onAgreement({ name, size, implementations });
  }
  for (const { name, size, prepare } of all) {
    const implementations = prepare(size, peers);
    const samples = yield* timeInRounds(
      implementations.map(({ run }) => run),
      rounds,
    );
    const compared = compare(samples).map((timing, i) => ({ name: implementations[i].name, ...timing }));
    yield { name, size, implementations: compared };
  }
}

/** Throws unless all implementations of the same work have the same outcome; gives their names. */
function expectAgreement(where, implementations) {
  const [ours, ...others] = implementations.filter(({ differs }) => !differs);
  const outcome = ({ run, read = (outcome) => outcome }) => plain(read(run()));
  const expected = outcome(ours);
  for (const other of others) {
    const actual = outcome(other);
    const agree = actual.length === expected.length && actual.every((byte, i) => byte === expected[i]);
    if (!agree) throw new Error(`${where}: ${other.name} and ${ours.name} have different outcomes`);
  }
  return [ours, ...others].map(({ name }) => name);
}

/** A number, or the bytes of an array. */
const plain = (outcome) =>
  typeof outcome === "number"
    ? [outcome]
    : new Uint8Array(outcome.buffer, outcome.byteOffset, outcome.byteLength);
