/** Chunks that are not stored: all of their elements are the fill value. */

import type { Chunk } from "../chain/codec-chain.js";
import { createCodecChain } from "../chain/create.js";
import { fillElement } from "../fill-value.js";
import type { ChainMetadata } from "../metadata.js";
import type { ChainOptions } from "../options.js";
import { cOrderStride, countOf } from "../stride.js";
import { allocate } from "../typed-array.js";
import { isKnownType } from "./codec-names.js";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/**
 * Makes a chunk of the fill value. For a data type that only an external codec knows, `data` is an array of it.
 *
 * @throws InvalidMetadataError
 */
export function filledChunk(
  { dataType, shape, fillValue }: ChainMetadata<string>,
  { float16, smallFloats }: ChainOptions,
): Chunk {
  if (!isKnownType(dataType)) {
    const data = new Array(countOf(shape)).fill(fillValue);
    return { data: data as never, shape: [...shape], stride: cOrderStride(shape) };
  }
  const chain = createCodecChain({ dataType, shape, codecs: [LITTLE] }, { float16, smallFloats });
  const bytes = allocate("Uint8Array", chain.encodedByteLength as number) as Uint8Array;
  const element = fillElement(dataType, fillValue, bytes.byteLength / countOf(shape));
  bytes.set(element);
  for (let n = element.byteLength; n < bytes.byteLength; n *= 2) bytes.copyWithin(n, 0, n);
  return chain.decode(bytes) as Chunk;
}
