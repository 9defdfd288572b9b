// Cases of `bytes` and `crc32c`.

import { crc32c } from "zarr-codecs";
import { floats, noise } from "./samples.js";
import { chainOf, copyFresh, copyReused, dataOf, OURS, SIZES } from "./shared.js";

/**
 * @typedef {import("./cases.js").Case} Case
 * @typedef {import("./cases.js").Endian} Endian
 * @typedef {import("./cases.js").Implementation} Implementation
 * @typedef {import("./cases.js").NumberType} NumberType
 * @typedef {import("./cases.js").Peers} Peers
 * @typedef {import("./cases.js").Prepare} Prepare
 * @typedef {import("./cases.js").Swap} Swap
 * @typedef {import("./cases.js").Target} Target
 */

/** The peers' checksums that are worth combining with a decoder. */
const FAST_CHECKSUMS = ["hash-wasm", "@node-rs/crc32"];

/** Data types by the bytes of a component. */
const DATA_TYPES = /** @type {const} */ ({ 2: "uint16", 4: "float32", 8: "float64" });
/** @type {Record<NumberType, { new (length: number): Target, BYTES_PER_ELEMENT: number }>} */
const ARRAYS = { uint16: Uint16Array, float32: Float32Array, float64: Float64Array };

/** @type {Omit<Case, "sizes">[]} */
export const BYTES_CASES = [
  { name: "crc32c", title: "`crc32c(bytes)`", prepare: checksum },
  .../** @type {const} */ ([2, 4, 8]).map((component) => ({
    name: `decode-big-${component}`,
    title: `\`decode\`, \`bytes\` big, ${component}-byte components, fresh output`,
    prepare: decodeBig(DATA_TYPES[component]),
  })),
  .../** @type {const} */ ([2, 4, 8]).map((component) => ({
    name: `decode-big-${component}-out`,
    title: `\`decode\`, \`bytes\` big, ${component}-byte components, \`out\``,
    prepare: decodeBigInto(DATA_TYPES[component]),
  })),
  {
    name: "decode-big-crc32c",
    title: "`decode`, `[bytes big, crc32c]`, verified, fresh output",
    prepare: decodeBigChecked(false),
  },
  {
    name: "decode-big-crc32c-out",
    title: "`decode`, `[bytes big, crc32c]`, verified, `out`",
    prepare: decodeBigChecked(true),
  },
  {
    name: "decode-little-crc32c",
    title: "`decode`, `[bytes little, crc32c]`, verified, a view of the input",
    prepare: decodeLittleChecked,
  },
  {
    name: "decode-little",
    title: "`decode`, `bytes` little, a view of the input",
    inTime: true,
    prepare: decodeLittle,
  },
  ...encodeCases("big"),
  ...encodeCases("big", "crc32c"),
  ...encodeCases("little", "crc32c"),
];

/** @type {Prepare} */
function checksum(size, peers) {
  const bytes = noise(size);
  return [
    { name: OURS, run: () => crc32c(bytes) },
    ...peers.checksums.map(({ name, run, read }) => ({ name, run: () => run(bytes), read })),
    copyReused(bytes),
  ];
}

/** @param {NumberType} dataType @param {number} size @param {string[]} [checksums] */
function bigEndian(dataType, size, checksums) {
  const chain = chainOf(dataType, size, "big", checksums);
  return { chain, encoded: chain.encode(floats(ARRAYS[dataType], size)) };
}

/** @param {NumberType} dataType @param {Uint8Array} encoded @param {Peers} peers */
function zarritaDecodes(dataType, encoded, peers) {
  const { bytes } = peers.zarrita(dataType, encoded.length / ARRAYS[dataType].BYTES_PER_ELEMENT, "big");
  return { name: "zarrita", run: () => bytes.decode(encoded), read: dataOf };
}

/** @param {NumberType} dataType @returns {Prepare} */
function decodeBig(dataType) {
  return (size, peers) => {
    const { chain, encoded } = bigEndian(dataType, size);
    const create = () => new ARRAYS[dataType](size / ARRAYS[dataType].BYTES_PER_ELEMENT);
    /** @param {Swap} peer */
    const swap = ({ name, swap }) => ({
      name,
      run: () => {
        const target = create();
        swap(encoded, target);
        return target;
      },
    });
    return [
      { name: OURS, run: () => chain.decode(encoded), read: dataOf },
      zarritaDecodes(dataType, encoded, peers),
      ...peers.swaps.map(swap),
      copyFresh(encoded),
      copyReused(encoded),
    ];
  };
}

/** @param {NumberType} dataType @returns {Prepare} */
function decodeBigInto(dataType) {
  return (size, peers) => {
    const { chain, encoded } = bigEndian(dataType, size);
    const create = () => new ARRAYS[dataType](size / ARRAYS[dataType].BYTES_PER_ELEMENT);
    const out = create();
    /** @param {Swap} peer */
    const swap = ({ name, swap }) => {
      const target = create();
      return {
        name,
        run: () => {
          swap(encoded, target);
          return target;
        },
      };
    };
    return [
      { name: OURS, run: () => chain.decode(encoded, { out }), read: dataOf },
      // It has no reused output.
      zarritaDecodes(dataType, encoded, peers),
      ...peers.swaps.map(swap),
      copyReused(encoded),
    ];
  };
}

/** @param {boolean} reused @returns {Prepare} */
function decodeBigChecked(reused) {
  return (size, peers) => {
    const { chain, encoded } = bigEndian("float32", size, ["crc32c"]);
    const options = reused ? { out: new Float32Array(size / 4) } : undefined;
    const zarrita = peers.zarrita("float32", size / 4, "big");
    const data = encoded.subarray(0, size);
    /** @param {Peers["checksums"][number]} peer */
    const combined = ({ name, run }) => ({
      name: `${name}, then zarrita`,
      run: () => {
        run(data);
        return zarrita.bytes.decode(zarrita.crc32c.decode(encoded));
      },
      read: dataOf,
    });
    return [
      { name: OURS, run: () => chain.decode(encoded, options), read: dataOf },
      {
        name: "zarrita (unverified)",
        run: () => zarrita.bytes.decode(zarrita.crc32c.decode(encoded)),
        read: dataOf,
      },
      ...peers.checksums.filter(({ name }) => FAST_CHECKSUMS.includes(name)).map(combined),
      copyReused(data),
    ];
  };
}

/** @type {Prepare} */
function decodeLittleChecked(size, peers) {
  const chain = chainOf("float32", size, "little", ["crc32c"]);
  const encoded = chain.encode(floats(Float32Array, size));
  const data = encoded.subarray(0, size);
  /** @param {Peers["checksums"][number]} peer @returns {Implementation} */
  const checksumOnly = ({ name, run }) => ({ name, run: () => run(data), differs: true });
  return [
    { name: OURS, run: () => chain.decode(encoded), read: dataOf },
    { name: "our crc32c", run: () => crc32c(data), differs: true },
    ...peers.checksums.filter(({ name }) => FAST_CHECKSUMS.includes(name)).map(checksumOnly),
    copyReused(data),
  ];
}

/** @type {Prepare} */
function decodeLittle(size, peers) {
  const chain = chainOf("float32", size, "little");
  const encoded = chain.encode(floats(Float32Array, size));
  const small = chainOf("float32", SIZES[0], "little");
  const smallEncoded = encoded.slice(0, SIZES[0]);
  const zarrita = peers.zarrita("float32", size / 4, "little");
  return [
    { name: OURS, run: () => chain.decode(encoded), read: dataOf },
    { name: "ours of 256 B", run: () => small.decode(smallEncoded), differs: true },
    { name: "zarrita", run: () => zarrita.bytes.decode(encoded), read: dataOf },
  ];
}

/** Encoding beside decoding of the same chain, into fresh output and reused. @param {Endian} endian @param {...string} checksums @returns {Omit<Case, "sizes">[]} */
function encodeCases(endian, ...checksums) {
  const chain = `[${[`bytes ${endian}`, ...checksums].join(", ")}]`;
  const name = ["encode", endian, ...checksums].join("-");
  const prepare = (/** @type {boolean} */ reused) => encodeAndDecode(endian, checksums, reused);
  return [
    { name, title: `\`encode\`, \`${chain}\`, fresh output`, prepare: prepare(false) },
    { name: `${name}-out`, title: `\`encode\`, \`${chain}\`, \`out\``, prepare: prepare(true) },
  ];
}

/** @param {Endian} endian @param {string[]} checksums @param {boolean} reused @returns {Prepare} */
function encodeAndDecode(endian, checksums, reused) {
  return (size, peers) => {
    const chain = chainOf("float32", size, endian, checksums);
    const data = floats(Float32Array, size);
    const encoded = chain.encode(data);
    const encodeOptions = reused ? { out: encoded.slice() } : undefined;
    const decodeOptions = reused ? { out: data.slice() } : { copy: true };
    const zarrita = peers.zarrita("float32", size / 4, endian);
    const canZarrita = checksums.length === 0; // It does not write checksums.
    return [
      { name: OURS, run: () => chain.encode(data, encodeOptions) },
      { name: "our decode", run: () => chain.decode(encoded, decodeOptions), differs: true },
      ...(canZarrita ? [{ name: "zarrita", run: () => zarrita.bytes.encode({ data }) }] : []),
      copyReused(encoded),
    ];
  };
}
