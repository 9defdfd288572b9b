/**
 * A store through which zarrita opens arrays of data types that it does not support, as arrays of types that it does.
 *
 * It translates the metadata, from which zarrita learns the data type. An added axis adds an index to the keys of chunks,
 * which it removes.
 */

import type { ZarritaArray } from "./extended-store.js";
import { type ExtendedStore, lazyStore, type ReadableStore } from "./lazy-store.js";

/**
 * Wraps a store, so that arrays of more data types can be opened from it.
 *
 * | `data_type` | opens as |
 * | --- | --- |
 * | `complex64`, `complex128`, `complex_*` | `float32` or `float64` with an additional last axis of length 2: real and imaginary component |
 * | `r8`, `r16`, ..., `raw_bytes`, `null_terminated_bytes` | `uint8` with an additional last axis: the bytes of an element |
 * | `struct`, `structured` | the same, with multi-byte fields in the host's byte order |
 * | `fixed_length_utf32` | `uint32` with an additional last axis: the code points |
 * | `numpy.datetime64`, `numpy.timedelta64` | `int64`: the number of units; the smallest one is "not a time". The attribute `zarr-codecs.data_type` has the unit |
 * | `bfloat16`, floating-point numbers of 8 bits or fewer | `float32` |
 * | `int2`, `int4`, `uint2`, `uint4` | `int8`, `uint8` |
 * | `float16`, where the host has no `Float16Array` | `float32` |
 *
 * All but plain components (`complex64`, `complex_float32`, raw bytes, code points, times) need codecs registered by
 * `register`.
 *
 * An added axis is in one chunk, and its dimension name is `null` if the array has dimension names. Codecs, data types and
 * chunk key encodings are shown in the form that zarrita reads, be it a name or an object. Other metadata is passed through
 * byte for byte.
 *
 * Metadata that was read can be written back, also with other attributes, lengths or names of the array's own axes: the
 * store then holds the original form of all else. Other changes to what was translated throw an InvalidMetadataError.
 *
 * Opening an array throws an InvalidMetadataError if its data type has a configuration and is not in the table, or if it
 * is in the table and has array-to-array codecs other than `transpose` (`numpy.datetime64` and `numpy.timedelta64` may
 * have any). A fill value whose components differ (`[1, 2]`) or are NaN with a payload requires zarrita 0.7 and an array
 * without shards: otherwise opening the array or reading a missing chunk throws an InvalidMetadataError.
 *
 * Caches and consolidated metadata may be inside or around the returned store.
 *
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { withExtendedTypes } from "zarr-codecs/zarrita";
 * import { open } from "zarrita";
 *
 * const metadata = {
 *   zarr_format: 3, node_type: "array", shape: [64, 64], data_type: "complex64", fill_value: [0, 0], attributes: {},
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [8, 8] } },
 *   chunk_key_encoding: { name: "default" },
 *   codecs: [{ name: "bytes", configuration: { endian: "little" } }],
 * };
 * const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
 * const array = await open(withExtendedTypes(store), { kind: "array" });
 * array.dtype; // => "float32"
 * array.shape; // => [64, 64, 2]
 * ```
 */
export function withExtendedTypes<S extends ReadableStore>(store: S): ExtendedStore<S> {
  return lazyStore(
    store,
    async (store) => new (await import("../../translation.js")).TranslatedStore(store),
    (use) => ({
      arrayExtensions: [
        ...((store as { arrayExtensions?: readonly unknown[] }).arrayExtensions ?? []),
        (array: ZarritaArray) => use((store) => store.extend(array)),
      ],
    }),
  );
}
