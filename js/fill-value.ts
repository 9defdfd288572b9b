/** Fill values, read by Rust. */

import { createCodecChain } from "./chain/create.js";
import { copyMetadata } from "./metadata.js";
import type { TypedArray } from "./typed-array.js";
import { instance } from "./wasm/instance.js";

/**
 * Reads a fill value into the components of one element; zeros where there is none.
 *
 * @param dataType the data type in metadata
 * @throws InvalidMetadataError at `fill_value`, or at `data_type` where it is unknown or its elements are longer than 64 KiB
 */
export function fillComponents(dataType: string | { name: string }, fillValue: unknown): TypedArray {
  const chain = createCodecChain(
    {
      data_type: dataType,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [] } },
      codecs: [{ name: "bytes", configuration: { endian: "little" } }], // Every host that runs Rust is.
    },
    { float16: "float32" },
  );
  return chain.decode(fillElement(dataType, fillValue, chain.encodedByteLength as number)).data;
}

/**
 * Returns the bytes of one element of the fill value, little endian; zeros if there is none.
 *
 * @param byteLength the length of an element
 * @throws InvalidMetadataError
 */
export function fillElement(
  dataType: string | { name: string },
  fillValue: unknown,
  byteLength: number,
): Uint8Array {
  const copy = copyMetadata({ data_type: dataType, fill_value: fillValue ?? undefined });
  const { data_type, fill_value } = copy as Record<"data_type" | "fill_value", unknown>;
  return fill_value === undefined
    ? new Uint8Array(byteLength)
    : instance.call("fillValue", data_type, fill_value);
}
