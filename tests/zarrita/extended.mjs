// Arrays of complex numbers, for the tests of withExtendedTypes.

import { withExtendedTypes } from "zarr-codecs/zarrita";
import { arrayMetadata, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

export const big = { name: "bytes", configuration: { endian: "big" } };
export const little = { name: "bytes", configuration: { endian: "little" } };
export const crc32c = { name: "crc32c" };

export const json = (value) => new TextEncoder().encode(JSON.stringify(value));
export const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

export const zarrita = VERSIONS["0.7"];

export const grid = (...chunk_shape) => ({ name: "regular", configuration: { chunk_shape } });

/** Returns the metadata of a complex64 array of 3 elements in chunks of 2. */
export const complex = (others) =>
  arrayMetadata({
    dataType: "complex64",
    shape: [3],
    chunk_grid: grid(2),
    codecs: [big],
    fill_value: [0, 0],
    ...others,
  });

/** Returns the big-endian bytes of floats. */
export function floats(...values) {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    view.setFloat32(4 * i, value);
  });
  return [...new Uint8Array(view.buffer)];
}

/** Returns the bits of each float, which distinguish NaN and -0. */
export const bitsOf = (data) =>
  Array.from(new Uint32Array(Float32Array.from(data, (value) => value).buffer), (bits) => bits.toString(16));

export async function open(store, version = zarrita) {
  return version.open.v3(withExtendedTypes(store), { kind: "array" });
}

/** Opens an array with this metadata, and no chunks. */
export const openWith = (metadata, version) => open(storeWith(metadata), version);
