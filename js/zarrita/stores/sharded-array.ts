/** A sharded array as it is shown to zarrita: its chunks are the inner chunks of its shards. */

import {
  type AsyncCodecChain,
  type CodecRegistry,
  type Division,
  divide,
  inOrderOf,
  loadCodecChain,
} from "../../core.js";
import { invalidMetadata } from "../../errors.js";
import { asObject, expectLengths, isObject, type Json, named } from "../../json.js";
import type { CodecMetadata } from "../../metadata.js";
import type { DataType } from "../../typed-array.js";
import { CONVERTED, type Conversion, isSharded, joinedTransposes, spelledOut } from "./codecs.js";
import { storedFillValue } from "./fill-value.js";

/** An array without its shards. */
export interface Unsharded {
  /** The metadata that zarrita is shown. */
  readonly shown: Json;
  /** The codecs of shards that have to be read whole. zarrita, which cannot decode them, is shown decoded bytes. */
  readonly whole: AsyncCodecChain | undefined;
}

/** Marks metadata that was changed, which must not be written to a store. */
export const MARK = "zarr-codecs.unsharded";
export const marked = (metadata: Json): Json => ({ ...metadata, [MARK]: { must_understand: false } });

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/**
 * Shows an array without its shards. Shards that have to be read whole are chunks to zarrita.
 *
 * @throws InvalidMetadataError
 */
export async function unshard(metadata: Json, registry: CodecRegistry | undefined): Promise<Unsharded> {
  const division = divideArray(metadata);
  const { transposes, axes, shape, codecs } = division;
  const { whole, toBytes } = isSharded(codecs) ? await loadWhole(metadata, division, registry) : {};
  const { chunk_grid } = metadata as { chunk_grid: Json };
  const configuration = { ...(chunk_grid.configuration as Json), chunk_shape: inOrderOf(axes, shape) };
  const shown = marked({
    ...metadata,
    chunk_grid: { ...chunk_grid, configuration },
    codecs: joinedTransposes([...transposes, ...(toBytes ? [toBytes] : codecs)]),
  });
  return { shown, whole };
}

/** Divides the chunks of an array. @throws InvalidMetadataError */
export function divideArray({ shape, chunk_grid, codecs }: Json): Division {
  const list = spelledOut(codecs) as CodecMetadata[];
  if (!isSharded(list)) return divide([], list);
  const path = "chunk_grid.configuration.chunk_shape";
  const chunkShape = expectLengths(asObject(asObject(chunk_grid).configuration).chunk_shape, path);
  if (Array.isArray(shape) && shape.length === chunkShape.length) return divide(chunkShape, list);
  throw invalidMetadata("shape", `${chunkShape.length} lengths, as in ${path}`, named(shape));
}

/** Loads the codecs of shards that have to be read whole. Returns the codec of the bytes they decode to as well. */
async function loadWhole(
  { data_type, fill_value }: Json,
  { shape, codecs }: Division,
  registry: CodecRegistry | undefined,
): Promise<{ whole?: AsyncCodecChain; toBytes?: Json }> {
  let stored = data_type;
  let toBytes: Json = LITTLE;
  const plain: unknown = JSON.parse(JSON.stringify(codecs), (_, codec) => {
    if (!isObject(codec) || codec.name !== CONVERTED) return codec;
    const { conversion, ...configuration } = codec.configuration as { conversion: Conversion };
    // The components of a complex number are on an axis of their own, as are the bytes of a record, which keep their order.
    if (typeof conversion.data_type === "string") stored = conversion.data_type.replace(/^complex_/, "");
    else toBytes = codec;
    return { ...codec, name: "bytes", configuration };
  });
  // As the shown data type, unless a store around this one converts.
  const array = stored === data_type ? "bits" : "float32";
  const metadata = {
    dataType: stored as DataType,
    shape,
    codecs: plain as CodecMetadata[],
    fillValue: storedFillValue(data_type, fill_value),
  };
  const whole = await loadCodecChain(metadata, { codecs: registry, float16: array, smallFloats: array });
  return { whole, toBytes };
}
