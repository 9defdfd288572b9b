/** Verifies every chunk of an array. */

import { isZarrCodecError, locate, type Place } from "../errors.js";
import {
  type CheckOptions,
  type Checksum,
  type ChunkCheck,
  type ChunkVerdict,
  createChunkCheck,
} from "./check.js";
import { product } from "./grid.js";
import { type ChunkAddress, type ChunkLayout, chunksOf } from "./layout.js";
import { ChunkReader, type StoredChunk } from "./reader.js";
import { keyIn, type StoreKey } from "./store.js";
import type { Proof, VerifiableStore } from "./types.js";

/** `unreadable`: the store failed, so nothing is known of the chunk. */
export type ChunkState = "sound" | "damaged" | "missing" | "unreadable";

/** What is known of one chunk of an array. */
export interface ChunkResult {
  /** The path of the array. */
  readonly array: StoreKey;
  /** The key below it, of the shard where there is one. */
  readonly key: string;
  /** The position in the grid of chunks, or of shards. */
  readonly chunk: readonly number[];
  /** The position in the shard. */
  readonly inner?: readonly number[];
  /** The position in the grid of the layout, whose chunks are the inner ones where there are shards. */
  readonly position: readonly number[];
  readonly state: ChunkState;
  readonly proof: Proof;
  readonly byteLength?: number;
  readonly checksum?: Checksum;
  readonly error?: unknown;
  /** How long the check took, without reading. */
  readonly milliseconds?: number;
}

// Chunks are read in batches, so that a store can coalesce adjacent ranges; batches are small enough to be held in memory.
const MOST_ELEMENTS = 2 ** 22;
const MOST_CHUNKS = 256;

/**
 * Verifies every chunk of an array, in the order in which they are stored.
 *
 * @param layout of the array's metadata, see {@link chunkLayout}
 * @param options codecs of others, where the array's chunks need some
 * @throws InvalidMetadataError where no chunk of the array can be decoded
 */
export async function* verifyArray(
  store: VerifiableStore,
  array: StoreKey,
  layout: ChunkLayout,
  options?: CheckOptions,
): AsyncGenerator<ChunkResult, void> {
  const check = await createChunkCheck(layout, options);
  const reader = new ChunkReader(store, array, layout);
  for (const positions of batches(chunksOf(layout), batchSize(layout))) {
    const addresses = positions.map((position) => layout.locate(position));
    const reads = await Promise.allSettled(addresses.map((address) => reader.read(address)));
    for (const [i, read] of reads.entries()) {
      const { key, chunk, inner } = addresses[i] as ChunkAddress;
      const position = positions[i] as readonly number[];
      const outcome = read.status === "rejected" ? failure(read.reason) : await timed(check, read.value);
      locate(outcome.error, placeOf(keyIn(array, key), position, read));
      yield { array, key, chunk, ...(inner && { inner }), position, ...outcome };
    }
  }
}

/**
 * Returns where damage is. An error of reading is of the whole shard, and may be that of other chunks too; `error.range` has
 * the bytes where it is of one.
 */
function placeOf(
  key: StoreKey,
  chunk: readonly number[],
  read: PromiseSettledResult<StoredChunk | undefined>,
): Place {
  if (read.status === "rejected") return { key };
  return { key, chunk, range: read.value?.range };
}

type Outcome = Pick<ChunkResult, "state" | "proof"> & Partial<ChunkResult>;

/** A chunk that cannot be read is not known to be damaged, unless the index of its shard is. */
function failure(error: unknown): Outcome {
  return { state: isZarrCodecError(error) ? "damaged" : "unreadable", proof: "none", error };
}

async function timed(check: ChunkCheck, stored: StoredChunk | undefined): Promise<Outcome> {
  if (stored === undefined) return { state: "missing", proof: "none" };
  const start = performance.now();
  const verdict: ChunkVerdict = await check(stored.bytes);
  return { ...verdict, milliseconds: performance.now() - start };
}

const batchSize = ({ chunkShape }: ChunkLayout): number =>
  Math.max(1, Math.min(MOST_CHUNKS, Math.floor(MOST_ELEMENTS / product(chunkShape))));

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
