/**
 * What the page uses to show one array chunk by chunk; built on what `verifyStore` uses.
 *
 * @module
 */

export type { RangeQuery as ByteRange } from "../errors.js";
export { type ChunkResult, type ChunkState, verifyArray } from "./array.js";
export {
  type CheckOptions,
  type Checksum,
  type ChunkCheck,
  type ChunkVerdict,
  createChunkCheck,
} from "./check.js";
export { codecName, endsWithChecksum, hasChecksum, storesElements } from "./codecs.js";
export { product, ravel, unravel } from "./grid.js";
export type { NodeMetadata, StoreNode } from "./hierarchy.js";
export { type ChunkAddress, type ChunkLayout, chunkLayout, chunksOf, type ShardDivision } from "./layout.js";
export { type HierarchyOptions, readHierarchy } from "./read-hierarchy.js";
export { ChunkReader, type StoredChunk } from "./reader.js";
export type { StoreKey } from "./store.js";
export type { Proof, VerifiableStore as Store } from "./types.js";
