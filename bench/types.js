// Cases of numbers that JavaScript has no array for, beside a loop that looks each up in a table.

import { createCodecChain } from "zarr-codecs";
import { noise } from "./samples.js";

/** @typedef {import("./cases.js").Case} Case */

const SIZES = [4 << 10, 64 << 10, 1 << 20, 16 << 20];

/** @typedef {{ name: string, bits: 8 | 16, Target: Int8ArrayConstructor | Float32ArrayConstructor }} Type */

/** @type {Type[]} */
const TYPES = [
  { name: "bfloat16", bits: 16, Target: Float32Array },
  { name: "float8_e4m3fn", bits: 8, Target: Float32Array },
  { name: "float8_e5m2", bits: 8, Target: Float32Array },
  { name: "int4", bits: 8, Target: Int8Array },
];

/** @type {Omit<Case, "sizes">[]} */
const cases = TYPES.flatMap((type) =>
  [false, true].map((reused) => ({
    name: `${type.name}-decode${reused ? "-out" : ""}`,
    title: `\`decode\`, ${type.name} to \`${type.Target.name}\`, ${reused ? "`out`" : "fresh output"}`,
    prepare: prepare(type, reused),
  })),
);

/** @type {Case[]} */
export const TYPE_CASES = cases.map((one) => ({ sizes: SIZES, ...one }));

/** @param {string} dataType @param {number} length */
const chainOf = (dataType, length) =>
  createCodecChain({
    dataType,
    shape: [length],
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  });

/** The number of every code. @param {Type} type */
function tableOf({ name, bits }) {
  const all = bits === 8 ? new Uint8Array(1 << bits) : new Uint16Array(1 << bits);
  for (let code = 0; code < all.length; code += 1) all[code] = code;
  return chainOf(name, all.length).decode(all).data;
}

/**
 * @param {Type} type
 * @param {boolean} reused
 * @returns {import("./cases.js").Prepare}
 */
function prepare(type, reused) {
  return (size) => {
    const length = (size * 8) / type.bits;
    const chain = chainOf(type.name, length);
    const table = /** @type {Float32Array} */ (tableOf(type));
    // NaN, which not every host keeps bit for bit, becomes 0.
    const codes = new (type.bits === 8 ? Uint8Array : Uint16Array)(noise(size).buffer);
    for (let i = 0; i < length; i += 1) if (Number.isNaN(table[codes[i]])) codes[i] = 0;
    const options = reused ? { out: new type.Target(length) } : undefined;
    const target = new type.Target(length);
    return [
      { name: "zarr-codecs", run: () => chain.decode(codes, options), read: ({ data }) => data },
      {
        name: "loop with a table",
        run: () => {
          const to = reused ? target : new type.Target(length);
          for (let i = 0; i < length; i += 1) to[i] = table[codes[i]];
          return to;
        },
      },
    ];
  };
}
