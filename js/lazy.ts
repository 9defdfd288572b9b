/**
 * The functions that load the code that calls Rust when they need it: one file of the built package, which does not import that
 * code, so that bundlers put it into a file of its own in programs that use nothing else.
 */

import type { ArrayReader } from "./array/array-reader.js";
import type { ArrayStore } from "./array/store-reader.js";
import type { AsyncCodecChain } from "./chain/async-codec-chain.js";
import type { LoadOptions } from "./chain/load.js";
import type { ArrayMetadata, ChainMetadata, DataTypeName } from "./metadata.js";
import type { OpenArrayOptions } from "./store/open-array.js";
import type { DataType } from "./typed-array.js";

export type { DataTypes } from "./store/shown-array.js";
export { type StoreWithCodecs, type WithCodecsOptions, withCodecs } from "./store/with-codecs.js";

/**
 * Loads the codec chain of an array, which may contain external codecs.
 *
 * What their formats allow to check is checked: the headers of blosc, zstd, gzip and zlib, the lengths of what they decode to,
 * and the checksums of gzip, zlib and zstd, whether or not their decoders verify them.
 *
 * @param metadata the parsed `zarr.json` of an array, or `{ dataType, shape, codecs, fillValue? }`
 * @throws InvalidMetadataError (also if a codec is missing), InvalidArgumentError
 * @example
 * ```ts
 * import { loadCodecChain } from "zarr-codecs";
 *
 * const chain = await loadCodecChain({
 *   dataType: "uint16",
 *   shape: [3],
 *   codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "gzip", configuration: { level: 5 } }],
 * });
 * const encoded = await chain.encode(Uint16Array.of(1, 2, 3));
 * (await chain.decode(encoded)).data; // => Uint16Array.of(1, 2, 3)
 * ```
 */
export function loadCodecChain<const D extends string>(
  metadata: ChainMetadata<DataTypeName<D>>,
  options?: LoadOptions,
): Promise<AsyncCodecChain<D & DataType>>;
/** Loads the codec chain of an array, or of a data type that is known to its array-to-bytes codec only. */
export function loadCodecChain(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options?: LoadOptions,
): Promise<AsyncCodecChain>;
export async function loadCodecChain(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options?: LoadOptions,
): Promise<AsyncCodecChain> {
  return (await import("./core.js")).loadCodecChain(metadata, options);
}

/**
 * Opens an array of a store.
 *
 * If a codec of the array is missing, or its data type is unknown, it is opened all the same: chunks can be located, checked
 * and read as far as codecs are known.
 *
 * @param store a store as zarrita takes it: an object with `get` and, to read shards in part, `getRange`; or a `Map` of bytes
 * @param path of the array in the store
 * @throws InvalidMetadataError, InvalidArgumentError, and what the store throws
 * @example
 * ```ts
 * import { createCodecChain, openArray } from "zarr-codecs";
 *
 * const codecs = ["bytes", "crc32c"];
 * const metadata = {
 *   zarr_format: 3,
 *   node_type: "array",
 *   shape: [3],
 *   data_type: "uint8",
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
 *   chunk_key_encoding: { name: "default" },
 *   fill_value: 9,
 *   codecs,
 * };
 * const chunk = createCodecChain({ dataType: "uint8", shape: [2], codecs }).encode(Uint8Array.of(1, 2));
 * const store = new Map([
 *   ["/temperature/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
 *   ["/temperature/c/0", chunk],
 * ]);
 *
 * const array = await openArray(store, "temperature");
 * array.gridShape; // => [2]
 * (await array.getChunk([0])).data; // => Uint8Array.of(1, 2)
 * (await array.getChunk([1])).data; // => Uint8Array.of(9, 9)
 * ```
 */
export async function openArray(
  store: ArrayStore,
  path?: string,
  options?: OpenArrayOptions,
): Promise<ArrayReader> {
  return (await import("./core.js")).openArray(store, path, options);
}
