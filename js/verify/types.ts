/** What `verifyStore` takes and returns. Results and summaries are plain data: they can be written as JSON and posted to workers. */

import type { StoreKey } from "../array/keys.js";
import type { Proof } from "../array/outcome.js";
import type { CodecRegistry } from "../core.js";
import type { ByteRange, Diagnosis, RangeQuery } from "../errors.js";
import type { Signal } from "../shard/ranges.js";

export type { Proof };

/** What a store returns for a key: bytes, or undefined where it has no such key. */
export type Stored<T = Uint8Array> = T | undefined | Promise<T | undefined>;

/** Options that a store gets with each request. */
export interface StoreOptions {
  /** Aborted when the result is no longer needed: at a timeout, and at the end of `verifyStore`. */
  readonly signal?: Signal;
}

/**
 * A store to verify: those of zarrita, and a `Map`.
 *
 * An error that a request throws may have a member `status`, as HTTP has it: with 404 or 410 the key is missing, with any other
 * it is unreadable.
 */
export interface VerifiableStore {
  /** Reads a value. Keys begin with a slash, as in zarrita. An answer that is not a promise is used without awaiting anything. */
  get(key: StoreKey, options?: StoreOptions): Stored;
  /** Reads a part of a value: so many bytes from an offset, or the last ones; fewer where the value is shorter. */
  getRange?(key: StoreKey, range: RangeQuery, options?: StoreOptions): Stored;
  /** Lists all keys, with or without a leading slash. It is called twice. Without it, stray keys are not noticed. */
  list?(options?: StoreOptions): AsyncIterable<StoreEntry> | Iterable<StoreEntry>;
  /**
   * Returns the checksums of a whole value that the store knows of: those of an entry of a zip file or of an object in a bucket.
   * It is called after the value has been read, and only where its codecs prove less.
   */
  checksumOf?(key: StoreKey, options?: StoreOptions): Stored<ObjectChecksum>;
  /** Returns the length of a value in bytes if the store knows it without a request, from an earlier answer. */
  byteLengthOf?(key: StoreKey): number | undefined;
  /** Whether bytes that `get` and `getRange` return without a promise are overwritten by the next call. */
  readonly isReused?: boolean;
}

/** A key of a store. */
export interface StoreEntry {
  readonly key: string;
  readonly byteLength?: number | undefined;
  /** Why the keys below this one could not be listed. They are reported as `unreadable`, at the end. */
  readonly error?: unknown;
}

/** Checksums of a whole value, as unsigned 32-bit integers. */
export interface ObjectChecksum {
  /** CRC-32C, as Google Cloud Storage and S3 store it. */
  readonly crc32c?: number | undefined;
  /** CRC-32, as zip files store it. */
  readonly crc32?: number | undefined;
}

/**
 * What is known of a unit:
 *
 * - `sound`: all that could be checked is right.
 * - `damaged`: its bytes, or its metadata, are wrong, and were so when they were read again.
 * - `missing`: the store does not have its key. A chunk that is missing is all fill value.
 * - `unreadable`: the store failed, so nothing is known of it.
 * - `stray`: a key that belongs to no array or group.
 */
export type UnitState = "sound" | "damaged" | "missing" | "unreadable" | "stray";

/**
 * A share of the units of a store, for one of `count` machines: every `count`-th unit of the order in which they are verified,
 * which is the same everywhere. Part `index` of `count` consists of the parts `index + i * count` of `n * count`, for each `i`
 * below `n`, as `n` threads of one machine may verify them.
 */
export interface Part {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** A random sample of the units of a store. */
export interface Sample {
  /** Above 0, at most 100. */
  readonly percent: number;
  /** An integer. The same one selects the same units. Default: 0. */
  readonly seed?: number | undefined;
}

/** Options of {@link verifyStore}. */
export interface VerifyOptions {
  /** Codecs of others, as `loadCodecChain` takes them. Chunks of codecs that nobody provides are not decoded. */
  readonly codecs?: CodecRegistry | undefined;
  /** The least proof that suffices. Results that prove less are marked `insufficient`. Default: `"present"`. */
  readonly require?: Exclude<Proof, "none"> | undefined;
  /**
   * What missing chunks mean: `allow`: they are counted; `warn`: each is a result too, also in shards; `fail`: each is an
   * insufficient result. Default: `"allow"`.
   */
  readonly missing?: "allow" | "warn" | "fail" | undefined;
  /**
   * Verifies the array with this path only, `""` being the root. Other metadata, also those that name it, are not read, and stray
   * keys not looked for. By default the whole store is verified.
   */
  readonly array?: string | undefined;
  /** Verifies a share of the units. All parts of the same `count` together are the store. */
  readonly part?: Part | undefined;
  /** Verifies a random sample of the units, of which `part` selects a share. */
  readonly sample?: Sample | undefined;
  /** How many units are read at once. Default: 16. */
  readonly concurrency?: number | undefined;
  /** How often a request that failed is repeated. Units that are wrong are always read again. Default: 2. */
  readonly retries?: number | undefined;
  /** After how many milliseconds a request has failed. Default: 60000. */
  readonly timeout?: number | undefined;
  /** Aborts the iteration, which throws the signal's reason. */
  readonly signal?: Signal | undefined;
  /** Once aborted, no further unit is begun, and the iteration ends with a summary that a later run can `resume`. */
  readonly stop?: Signal | undefined;
  /**
   * Whether each unit is a result, also one that is plainly sound; with `"inner"` each inner chunk of a shard that is there is a
   * result too. Default: false.
   */
  readonly all?: boolean | "inner" | undefined;
  /** The last summary of an earlier run with the same options, which this one continues: its counts go on. */
  readonly resume?: Summary | undefined;
  /**
   * Is called about every 100 ms, between units: all results of the units that the summary counts have been taken, and no
   * others, so that it can be written to a file and serve as `resume`.
   */
  readonly onProgress?: ((summary: Summary) => void) | undefined;
}

/** Why a unit is not sound, or not readable: an error of this package as plain data, or of the store. */
export interface UnitError {
  /**
   * The `code` of an error of this package, or one of: `unreadable` (the store failed), `timeout`, `missing_node` (metadata name
   * an array that is not there), `damaged` (anything else).
   */
  readonly code: string;
  readonly message: string;
  /** The status that the store's error has, as of HTTP. */
  readonly status?: number;
  /** Where in the value of the key the chunk or index is. */
  readonly range?: RangeQuery;
  /** The path in the metadata. */
  readonly path?: string;
  readonly expected?: number;
  readonly actual?: number;
  readonly stored?: number;
  readonly computed?: number;
  readonly diagnosis?: Diagnosis;
}

/** What is known of a chunk, a shard, an inner chunk, of metadata or a stray key. */
export interface UnitResult {
  /** The path of the array, or of the group of metadata; that of the root is empty. Of a stray key, of the node above it. */
  readonly array: string;
  /** The key in the store, without a leading slash. */
  readonly key: string;
  /** The position in the grid of chunks, or of shards. Absent for metadata and stray keys. */
  readonly chunk?: readonly number[];
  /**
   * The position of an inner chunk in the shard; for shards in shards, followed by that in the inner one. Absent where the
   * result is of the whole shard or of its index.
   */
  readonly inner?: readonly number[];
  readonly state: UnitState;
  /** Of a shard, the least of its inner chunks. */
  readonly proof: Proof;
  readonly byteLength?: number;
  /** Where an inner chunk is in its file. */
  readonly range?: ByteRange;
  readonly error?: UnitError;
  /** Set if the bytes that were read first were wrong, as `error` says, and those that were read again are not. */
  readonly transient?: true;
  /** Set if it is not what the options `require` and `missing` demand. */
  readonly insufficient?: true;
}

/**
 * What all results together say:
 *
 * - `damaged`: units are damaged, or an array that metadata name is missing.
 * - `insufficient`: that is not so, but results are marked `insufficient`.
 * - `incomplete`: units were unreadable, or not all have been verified.
 * - `sound`: none of these.
 */
export type Verdict = "sound" | "damaged" | "insufficient" | "incomplete";

/** The counts of a run, so far or at its end. */
export interface Summary {
  readonly verdict: Verdict;
  /** Whether all units of the part have been verified. */
  readonly complete: boolean;
  /** The part that was verified. */
  readonly part: Part;
  /** The sample that was verified. */
  readonly sample?: Required<Sample>;
  /** Identifies arrays, sample, `require` and `missing`: summaries with another one do not belong together. */
  readonly plan: string;
  /** The number of chunks and shards of the part. */
  readonly total: number;
  /** How many of them have been verified. */
  readonly done: number;
  /** The number of groups and arrays of the store, whatever the part. */
  readonly nodes: number;
  /** The number of units: chunks and shards, metadata that are wrong, and stray keys. The sum of `states`, and of `proofs`. */
  readonly units: number;
  /** The number of units by state: of a shard, the worst one of its inner chunks. */
  readonly states: Readonly<Record<UnitState, number>>;
  /** The number of units by proof. */
  readonly proofs: Readonly<Record<Proof, number>>;
  /** The number of chunks that were there, inner ones counted one by one. */
  readonly chunks: number;
  /** The number of bytes that were checked. */
  readonly bytes: number;
  /** The number of units with a result that is marked `insufficient`. */
  readonly insufficient: number;
  /** The number of units that were sound only when read again. */
  readonly transient: number;
  /** The number of arrays that metadata name and that are missing. */
  readonly missingNodes: number;
}
