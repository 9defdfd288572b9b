// What is measured. A case gives, for a size in bytes of encoded data, the ways to do one piece of work: ours first.
//
// Fresh output (a new array per call) and reused output (`out`) are cases of their own: what a fresh one costs is
// mostly up to the host's allocator.

import { crc32c, createCodecChain } from "zarr-codecs";
import { narrowByBits, widenByBits, widenByTable } from "./loops.js";
import { floats, halves, noise, truths } from "./samples.js";
import { TRANSPOSE_CASES } from "./transpose.js";
import { TYPE_CASES } from "./types.js";

export const SIZES = [256, 1 << 10, 4 << 10, 64 << 10, 1 << 20, 16 << 20];

/** The name of what all others are compared with. */
export const OURS = "zarr-codecs";
/** The peers' checksums that are worth combining with a decoder. */
const FAST_CHECKSUMS = ["hash-wasm", "@node-rs/crc32"];

/** Data types by the bytes of a component. */
const DATA_TYPES = /** @type {const} */ ({ 2: "uint16", 4: "float32", 8: "float64" });
/** @type {Record<NumberType, { new (length: number): Target, BYTES_PER_ELEMENT: number }>} */
const ARRAYS = { uint16: Uint16Array, float32: Float32Array, float64: Float64Array };
/** The bytes of an element. */
const BYTES = { bool: 1, uint8: 1, uint16: 2, float16: 2, float32: 4, float64: 8 };

/**
 * @typedef {"big" | "little"} Endian
 * @typedef {"uint16" | "float32" | "float64"} NumberType
 * @typedef {import("./loops.js").Target} Target
 */

/**
 * One way to do the work of a case.
 *
 * @typedef {object} Implementation
 * @property {string} name
 * @property {() => unknown} run
 * @property {(outcome: any) => unknown} [read] gives a number or an array that must equal that of the others
 * @property {boolean} [differs] it does other work, for comparison: its outcome is not that of the others
 */

/**
 * The ways of others to do the same work, as peers.js loads them.
 *
 * @typedef {object} Peers
 * @property {{ name: string, run: (bytes: Uint8Array) => unknown, read?: (outcome: any) => unknown }[]} checksums
 * @property {Swap[]} swaps
 * @property {(dataType: NumberType, length: number, endian: Endian) => { bytes: ZarritaCodec, crc32c: ZarritaCodec }} zarrita
 * @property {(shape: number[], order: number[]) => ZarritaCodec} zarritaTranspose
 */

/**
 * @typedef {{ name: string, swap: (bytes: Uint8Array, target: Target) => void }} Swap
 * @typedef {{ decode: (encoded: any) => any, encode: (decoded: any) => any }} ZarritaCodec
 */

/** @typedef {(size: number, peers: Peers) => Implementation[]} Prepare */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {boolean} [inTime] say how long it takes, not how many bytes that is per second
 * @property {number[]} [sizes] at which it is measured unless others are asked for: most often SIZES
 * @property {Prepare} prepare
 */

/** @type {Case[]} */
export const CASES = [
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
  ...TRANSPOSE_CASES,
  ...TYPE_CASES,
].map((one) => ({ sizes: SIZES, ...one }));

/**
 * Creates the chain for `size` bytes of data, `[bytes, crc32c]` or `[bytes]`.
 *
 * @template {keyof typeof BYTES} D
 * @param {D} dataType
 * @param {number} size
 * @param {Endian} endian
 * @param {string[]} checksums
 */
function chainOf(dataType, size, endian, checksums = []) {
  return createCodecChain(
    {
      dataType,
      shape: [size / BYTES[dataType]],
      codecs: [{ name: "bytes", configuration: { endian } }, ...checksums],
    },
    { float16: "float32" },
  );
}

/** @param {{ data: unknown }} decoded */
const dataOf = ({ data }) => data;

/** The limit: no way to decode or check bytes reads them faster than a copy that stays in the cache. @param {Uint8Array} bytes */
function copyReused(bytes) {
  const target = new Uint8Array(bytes.length);
  return { name: "Uint8Array.set", run: () => target.set(bytes), differs: true };
}

/** The limit where the output is new. @param {Uint8Array} bytes */
const copyFresh = (bytes) => ({ name: "slice", run: () => bytes.slice(), differs: true });

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
