// What the tests of the option guard share.

import { loadCodecChain } from "zarr-codecs";
import { withExtendedTypes } from "zarr-codecs/zarrita";
import { ENCODERS } from "../js/chain-helpers.mjs";
import { storeWith } from "./stores.mjs";

export const little = { name: "bytes", configuration: { endian: "little" } };
export const zstd = { name: "zstd", configuration: { level: 0, checksum: false } };

/** Reads a chunk through zarrita. */
export async function readAt(zarrita, metadata, bytes, coordinates = []) {
  const path = ["/c", ...metadata.shape.map((_, axis) => coordinates[axis] ?? 0)].join("/");
  const store = withExtendedTypes(storeWith(metadata, { [path]: bytes }));
  const array = await zarrita.open.v3(store, { kind: "array" });
  return array.getChunk(array.shape.map((_, axis) => coordinates[axis] ?? 0));
}

/** Reads as a promise of it does, rejected with the error of this package: zarrita 0.7 throws it as the cause of its own. */
export const unwrapped = (reading) =>
  reading.catch((error) => {
    throw error.name === "CodecPipelineError" ? error.cause : error;
  });

/** Encodes an array with a chain, by zarrita's codecs. */
export async function encoded(dataType, shape, codecs, data) {
  const chain = await loadCodecChain({ dataType, shape, codecs }, { codecs: ENCODERS });
  return chain.encode(data);
}
