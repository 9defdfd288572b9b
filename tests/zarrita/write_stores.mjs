// Writes arrays through zarrita with our codecs, for read_back.py to read with other implementations:
//
//     node write_stores.mjs <folder>

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { register } from "zarr-codecs/zarrita";
import { ARRAY_TYPES } from "../js/vectors.mjs";
import { MemoryStore } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c", configuration: {} };
const LAYOUTS = {
  little: [little],
  "little-checksum": [little, crc32c],
  "big-checksum": [big, crc32c],
  "big-two-checksums": [big, crc32c, crc32c],
  transposed: [{ name: "transpose", configuration: { order: [1, 0] } }, big, crc32c],
};
// Data types that zarrita supports.
const DATA_TYPES = [
  "int8",
  "int16",
  "int32",
  "int64",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "float32",
  "float64",
];
const ARRAYS = Object.fromEntries(DATA_TYPES.map((name) => [name, ARRAY_TYPES[name]]));
const SHAPE = [5, 6];
const CHUNKS = [2, 3];

/** Returns the values 0, 0.5, 1, ...; read_back.py computes the same. */
function valuesOf(ArrayType, length) {
  const isBig = ArrayType === BigInt64Array || ArrayType === BigUint64Array;
  return ArrayType.from({ length }, (_, i) => (isBig ? BigInt(i) : i / 2));
}

const product = (shape) => shape.reduce((all, n) => all * n, 1);

async function write(zarrita, store, dataType, codecs) {
  await zarrita.create(store, {
    shape: SHAPE,
    codecs,
    chunkShape: CHUNKS,
    dtype: dataType,
    fillValue: dataType === "bool" ? false : 0,
    // The names before zarrita 0.7.
    chunk_shape: CHUNKS,
    data_type: dataType,
    fill_value: dataType === "bool" ? false : 0,
  });
  const array = await zarrita.open.v3(store, { kind: "array" });
  const isBool = dataType === "bool";
  const data = isBool
    ? new zarrita.BoolArray(Array.from({ length: product(SHAPE) }, (_, i) => i % 3 === 0))
    : valuesOf(ARRAYS[dataType], product(SHAPE));
  await zarrita.set(array, null, { data, shape: SHAPE, stride: [SHAPE[1], 1] });
}

function save(folder, store) {
  for (const [key, bytes] of store) {
    const path = join(folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node write_stores.mjs <folder>");
  process.exit(2);
}
for (const [version, zarrita] of Object.entries(VERSIONS)) {
  register(zarrita.registry);
  let count = 0;
  for (const [layout, codecs] of Object.entries(LAYOUTS)) {
    for (const dataType of ["bool", ...Object.keys(ARRAYS)]) {
      const store = new MemoryStore();
      await write(zarrita, store, dataType, codecs);
      save(join(folder, version, `${dataType}-${layout}`), store);
      count += 1;
    }
  }
  console.log(`zarrita ${version}: ${count} arrays`);
}
