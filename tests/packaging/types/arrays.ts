// Compiled where the library has fetch and AbortController: arrays of stores.

import {
  type ArrayReader,
  type AsyncCodecChain,
  type CheckOutcome,
  type Chunk,
  openArray,
  type RangeQuery,
} from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

// An array is opened from any store that zarrita reads, or a Map.
declare const store: {
  get(key: `/${string}`, options?: RequestInit): Promise<Uint8Array | undefined>;
  getRange(key: `/${string}`, range: RangeQuery, options?: RequestInit): Promise<Uint8Array | undefined>;
};
const reader = await openArray(store, "a/b", { maxGap: 0, signal: new AbortController().signal });
expectTrue<Equal<typeof reader, ArrayReader>>();
expectTrue<Equal<Awaited<ReturnType<typeof reader.getChunk>>, Chunk>>();
expectTrue<Equal<Awaited<ReturnType<typeof reader.chainAt>>, AsyncCodecChain>>();
const outcome: CheckOutcome = await reader.check([0, 0], { sound: true });
expectTrue<Equal<typeof outcome.state, "sound" | "damaged" | "missing" | "unreadable">>();
await openArray(new Map<string, Uint8Array>());
// @ts-expect-error: an unknown option
await openArray(store, "a", { gap: 1 });
// @ts-expect-error: not a store
await openArray({}, "a");
