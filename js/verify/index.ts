/**
 * What the page uses to verify one array and to show it chunk by chunk.
 *
 * @module
 */

export { coordinatesOf as unravel } from "../core.js";
export type { RangeQuery as ByteRange } from "../errors.js";
export { countOf as product } from "../stride.js";
export { codecName, endsWithChecksum, hasChecksum, storesElements } from "./codecs.js";
export { ravel } from "./grid.js";
export type { StoreNode } from "./hierarchy.js";
export { type ChunkLayout, chunkLayout } from "./layout.js";
export { ChunkReader } from "./reader.js";
export type { StoreKey } from "./store.js";
export type { Summary, UnitError, UnitResult, VerifiableStore as Store } from "./types.js";
export { verifyStore } from "./verify-store.js";
