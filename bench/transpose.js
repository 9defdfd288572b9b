// Cases of `transpose`: float32 of two and three dimensions, stored in the reverse order of their dimensions.

import { createCodecChain } from "zarr-codecs";
import { blockedTranspose } from "./loops.js";
import { floats } from "./samples.js";

/** @typedef {import("./cases.js").Case} Case @typedef {import("./cases.js").Implementation} Implementation */

const SIZES = [64 << 10, 256 << 10, 1 << 20, 16 << 20];

/** The shape of `size` bytes of float32. @param {number} size @param {number} rank */
function shapeOf(size, rank) {
  const bits = Math.log2(size / 4);
  return Array.from({ length: rank }, (_, axis) => 2 ** Math.floor((bits + axis) / rank));
}

/** @param {number} rank @returns {Omit<Case, "sizes">[]} */
const casesOf = (rank) =>
  /** @type {const} */ (["decode", "encode"]).flatMap((direction) =>
    [false, true].map((reused) => ({
      name: `transpose-${rank}d-${direction}${reused ? "-out" : ""}`,
      title: `\`${direction}\`, \`[transpose, bytes little]\`, ${rank} dimensions of float32, ${reused ? "`out`" : "fresh output"}`,
      sizes: SIZES,
      prepare: prepare(rank, direction, reused),
    })),
  );

/** @type {Omit<Case, "sizes">[]} */
export const TRANSPOSE_CASES = [...casesOf(2), ...casesOf(3)];

/**
 * @param {number} rank
 * @param {"decode" | "encode"} direction
 * @param {boolean} reused
 * @returns {import("./cases.js").Prepare}
 */
function prepare(rank, direction, reused) {
  return (size, peers) => {
    const shape = shapeOf(size, rank);
    const order = shape.map((_, axis) => rank - 1 - axis);
    const chain = createCodecChain({
      dataType: "float32",
      shape,
      codecs: [
        { name: "transpose", configuration: { order } },
        { name: "bytes", configuration: { endian: "little" } },
      ],
    });
    const data = floats(Float32Array, size);
    const encoded = chain.encode(data);
    const zarrita = peers.zarritaTranspose(shape, order);
    const stored = new Float32Array(encoded.buffer);
    const decodes = direction === "decode";
    const [source, from] = decodes ? [stored, shape.toReversed()] : [data, shape];
    const decoding = reused ? { out: new Float32Array(size / 4) } : undefined;
    const bytes = new Uint8Array(size);
    const encoding = reused ? { out: bytes } : undefined;
    const target = new Float32Array(size / 4);
    return [
      {
        name: "zarr-codecs",
        run: () => (decodes ? chain.decode(encoded, decoding).data : chain.encode(data, encoding)),
      },
      { name: "zarrita", run: () => (decodes ? zarrita.decode(encoded) : zarrita.encode(data)) },
      {
        name: "blocked loop",
        run: () => {
          const fresh = reused ? target : new Float32Array(size / 4);
          blockedTranspose(source, from, fresh);
          return fresh;
        },
      },
      reused
        ? { name: "Uint8Array.set", run: () => bytes.set(encoded), differs: true }
        : { name: "slice", run: () => encoded.slice(), differs: true },
    ];
  };
}
