/** Fill values, read by Rust. */

import { createCodecChain } from "./chain/create.js";
import { copyMetadata } from "./metadata.js";
import type { DataType, TypedArray } from "./typed-array.js";
import { instance } from "./wasm/instance.js";

/**
 * Reads a fill value into the components of one element.
 *
 * @param dataType the name of the data type in metadata
 * @param storedAs the data type as which the codecs store the same elements
 * @throws InvalidMetadataError
 */
export function fillComponents(dataType: string, storedAs: DataType, fillValue: unknown): TypedArray {
  const copy = copyMetadata({ data_type: dataType, fill_value: fillValue });
  const { data_type, fill_value } = copy as Record<"data_type" | "fill_value", unknown>;
  const element = instance.call("fillValue", data_type, fill_value);
  const codecs = [{ name: "bytes", configuration: { endian: "little" } }]; // Every host that runs Rust is.
  const chain = createCodecChain({ dataType: storedAs, shape: [], codecs }, { float16: "float32" });
  return chain.decode(element).data;
}
