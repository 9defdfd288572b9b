/**
 * What the page uses to verify one array and to show it chunk by chunk.
 *
 * @module
 */

export type { StoreKey } from "../array/keys.js";
export {
  codecName,
  coordinatesOf as unravel,
  endsWithChecksum,
  hasChecksum,
  openArray,
  storesElements,
} from "../core.js";
export type { RangeQuery as ByteRange } from "../errors.js";
export { checkedNode, consolidatedIn, parseNode, pathIn, type StoreNode } from "../store/node.js";
export { namedBy } from "../store/ome.js";
export { countOf as product } from "../stride.js";
export { ravel } from "./grid.js";
export { type ChunkLayout, chunkLayout } from "./layout.js";
export type { Summary, UnitError, UnitResult, VerifiableStore as Store } from "./types.js";
export { verifyStore } from "./verify-store.js";
