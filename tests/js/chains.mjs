// Reads the vectors of chains (tests/vectors/README.md), given as parsed JSON. Runs in Node and in browsers.

import { ARRAY_TYPES, fromHex, inHostOrder } from "./vectors.mjs";

/** The number of arrays in each file of tests/vectors/chains, so that a test of none cannot pass. */
export const CHAIN_COUNTS = {
  "zarr-python.json": 254,
  "tensorstore.json": 216,
  "zarrs.json": 237,
  "zarr-python-rectilinear.json": 4,
  "zarrs-rectilinear.json": 4,
};

/** The number of damages in damaged.json. */
export const DAMAGE_COUNT = 931;

/** Codecs of this package whose output follows from their input alone. */
const OWN = [
  "transpose",
  "reshape",
  "bytes",
  "crc32c",
  "numcodecs.shuffle",
  "numcodecs.crc32c",
  "numcodecs.crc32",
  "numcodecs.adler32",
  "numcodecs.fletcher32",
];

/** Codecs for which this package uses the host's streams, in every environment. */
export const DEFLATE = ["gzip", "zlib", "numcodecs.gzip", "numcodecs.zlib"];

const namesOf = (metadata) => metadata.codecs.map(({ name }) => name);

/** Returns whether every codec of an array is one of these or of this package. */
export const consistsOf = (metadata, names = []) =>
  namesOf(metadata).every((name) => OWN.includes(name) || names.includes(name));

/** Yields every chunk of a file: `encoded` as stored, `components` as passed to the writer, in the host's byte order. */
export function* chainChunksOf({ writer, arrays }) {
  for (const { name, metadata, chunks } of arrays) {
    for (const { key, encoded, decoded, shape } of chunks) {
      const ArrayType = ARRAY_TYPES[metadata.data_type];
      yield {
        where: `${writer}, ${name}, ${key}`,
        name,
        key,
        metadata,
        shape: shape ?? metadata.chunk_grid.configuration.chunk_shape,
        // Only where the metadata do not state it.
        options: shape && { chunkShape: shape },
        encoded: fromHex(encoded),
        components: inHostOrder(ArrayType, fromHex(decoded)),
      };
    }
  }
}

/** What may happen to a chunk: each returns the damaged bytes, and `read` a chunk of another array in the same file. */
const DAMAGES = {
  flip: (bytes, { bit }) => bytes.with(bit >> 3, bytes[bit >> 3] ^ (1 << (bit & 7))),
  truncate: (bytes, { length }) => bytes.slice(0, length),
  append: (bytes, { bytes: more }) => Uint8Array.of(...bytes, ...fromHex(more)),
  replace(bytes, { offset, bytes: others }) {
    const damaged = bytes.slice();
    damaged.set(fromHex(others), offset);
    return damaged;
  },
  substitute: (_, { array, chunk }, read) => read(array, chunk),
};

/** Yields each damage of a file with the bytes it makes, `readFile` parsing a file of tests/vectors/chains. */
export function* damagedChunks(described, readFile) {
  for (const { file, array, chunk, damages } of described) {
    const { arrays } = readFile(file);
    const find = (name) => arrays.find((each) => each.name === name);
    const read = (name, key) => fromHex(find(name).chunks.find((each) => each.key === key).encoded);
    const sound = read(array, chunk);
    for (const { what, expected, damage, inner } of damages) {
      yield {
        where: `${file}, ${array}, ${chunk}: ${what}`,
        metadata: find(array).metadata,
        sound,
        damaged: DAMAGES[damage.kind](sound, damage, read),
        expected: [expected].flat(),
        inner,
      };
    }
  }
}

/** Returns a function that returns pseudo-random integers below a limit, the same in every run. */
export function randomIntegers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
