// Encodes the vectors' elements with zarr-codecs, for read_back.py to read with other implementations:
//
//     node write_stores.mjs <folder>

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createCodecChain } from "zarr-codecs";
import { ARRAY_TYPES } from "../js/vectors.mjs";

// Unsigned integers by the bytes of a component. Floats are made from these, as reading a float into
// a JavaScript number may change the payload of a NaN.
const BITS = {
  1: [Uint8Array, "getUint8"],
  2: [Uint16Array, "getUint16"],
  4: [Uint32Array, "getUint32"],
  8: [BigUint64Array, "getBigUint64"],
};

function typedArray(dataType, littleEndianBytes) {
  const ArrayType = ARRAY_TYPES[dataType];
  const size = ArrayType.BYTES_PER_ELEMENT;
  const [BitsArray, getter] = BITS[size];
  const view = new DataView(Uint8Array.from(littleEndianBytes).buffer);
  const bits = new BitsArray(view.byteLength / size).map((_, i) => view[getter](i * size, true));
  return new ArrayType(bits.buffer);
}

function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

function writeStore(store, { metadata, chunks }) {
  const chain = createCodecChain(metadata, { float16: "bits" });
  write(join(store, "zarr.json"), JSON.stringify(metadata));
  for (const { key, decoded } of chunks) {
    const elements = typedArray(metadata.data_type, Buffer.from(decoded, "hex"));
    write(join(store, key), chain.encode(elements));
  }
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node write_stores.mjs <folder>");
  process.exit(2);
}
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".json"));
for (const file of files) {
  const { arrays } = JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"));
  for (const array of arrays) writeStore(join(folder, file.replace(/\.json$/, ""), array.name), array);
  console.log(`${file}: ${arrays.length} stores`);
}
