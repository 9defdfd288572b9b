// Cases of elements that are converted or checked: float16 and bool.

import { narrowByBits, widenByBits, widenByTable } from "./loops.js";
import { halves, truths } from "./samples.js";
import { chainOf, copyFresh, copyReused, dataOf, OURS, SIZES } from "./shared.js";

/** @typedef {import("./cases.js").Case} Case @typedef {import("./cases.js").Prepare} Prepare */

/** @type {(Omit<Case, "sizes"> & Partial<Case>)[]} */
export const CONVERSION_CASES = [
  { name: "float16-decode", title: "`decode`, float16 to `Float32Array`, fresh output", prepare: widen },
  { name: "float16-decode-out", title: "`decode`, float16 to `Float32Array`, `out`", prepare: widenInto },
  { name: "float16-encode", title: "`encode`, `Float32Array` to float16, fresh output", prepare: narrow },
  { name: "float16-encode-out", title: "`encode`, `Float32Array` to float16, `out`", prepare: narrowInto },
  { name: "bool", title: "`decode`, bool, validated, a view of the input", prepare: validate },
  {
    name: "bool-copy",
    title: "`decode`, bool, validated, fresh output",
    // More than allocators keep: the copy is always to memory fresh from the system.
    sizes: [...SIZES, 64 << 20],
    prepare: validateCopy,
  },
];

/** @type {Prepare} */
function widen(size) {
  const { chain, encoded, bits } = float16(size);
  /** @param {string} name @param {(bits: Uint16Array, target: Float32Array) => void} convert */
  const loop = (name, convert) => ({
    name,
    run: () => {
      const target = new Float32Array(bits.length);
      convert(bits, target);
      return target;
    },
  });
  return [
    { name: OURS, run: () => chain.decode(encoded), read: dataOf },
    loop("loop over bits", widenByBits),
    loop("loop with a table", widenByTable),
  ];
}

/** @type {Prepare} */
function widenInto(size) {
  const { chain, encoded, bits } = float16(size);
  const out = new Float32Array(bits.length);
  /** @param {string} name @param {(bits: Uint16Array, target: Float32Array) => void} convert */
  const loop = (name, convert) => {
    const target = new Float32Array(bits.length);
    return {
      name,
      run: () => {
        convert(bits, target);
        return target;
      },
    };
  };
  return [
    { name: OURS, run: () => chain.decode(encoded, { out }), read: dataOf },
    loop("loop over bits", widenByBits),
    loop("loop with a table", widenByTable),
  ];
}

/** @type {Prepare} */
function narrow(size) {
  const { chain, encoded } = float16(size);
  const values = /** @type {Float32Array} */ (chain.decode(encoded).data);
  const convert = () => {
    const target = new Uint16Array(values.length);
    narrowByBits(values, target);
    return target;
  };
  return [
    { name: OURS, run: () => chain.encode(values) },
    { name: "loop over bits", run: convert },
  ];
}

/** @type {Prepare} */
function narrowInto(size) {
  const { chain, encoded } = float16(size);
  const values = /** @type {Float32Array} */ (chain.decode(encoded).data);
  const out = new Uint8Array(encoded.length);
  const target = new Uint16Array(values.length);
  const convert = () => {
    narrowByBits(values, target);
    return target;
  };
  return [
    { name: OURS, run: () => chain.encode(values, { out }) },
    { name: "loop over bits", run: convert },
  ];
}

/** @param {number} size */
function float16(size) {
  const encoded = halves(size);
  return {
    chain: chainOf("float16", size, "little"),
    encoded,
    bits: new Uint16Array(encoded.buffer),
  };
}

/** @type {Prepare} */
function validate(size) {
  const encoded = truths(size);
  const chain = chainOf("bool", size, "little");
  return [
    { name: OURS, run: () => chain.decode(encoded), read: dataOf },
    copyFresh(encoded),
    copyReused(encoded),
  ];
}

/** @type {Prepare} */
function validateCopy(size) {
  const encoded = truths(size);
  const chain = chainOf("bool", size, "little");
  const unchecked = chainOf("uint8", size, "little");
  return [
    { name: OURS, run: () => chain.decode(encoded, { copy: true }), read: dataOf },
    { name: "ours of uint8", run: () => unchecked.decode(encoded, { copy: true }), read: dataOf },
    copyFresh(encoded),
    copyReused(encoded),
  ];
}
