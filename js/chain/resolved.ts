/** The request to resolve metadata, and Rust's response. */

import type { TypedArrayName } from "../typed-array.js";
import type { Form } from "../wasm/form.js";

/** Metadata to resolve, and how (`src/wasm/request.rs`). All of it is plain data, copied from the caller's. */
export interface Request {
  readonly metadata: unknown;
  /** Whether `metadata` is an array's, rather than `{ dataType, shape, codecs }`. */
  readonly isArray: boolean;
  /** `"error"` is the same as none. */
  readonly missingEndian?: "error" | "little" | "big" | undefined;
  readonly acceptInvalidBool: boolean;
  /** The name of the array to decode to, for data types that have several. */
  readonly array?: string | undefined;
  readonly smallFloatBits?: boolean;
  /** The shape of a chunk where the array's grid is not regular. */
  readonly chunkShape?: unknown;
  /** Whether external codecs can be provided. */
  readonly loads: boolean;
  /** Those that are. */
  readonly external?: readonly External[];
  /** How many shards the chain is nested in; 0 if absent. */
  readonly level?: number;
}

/** An external codec that is provided. */
export interface External {
  /** Its JSON path. */
  readonly path: string;
  readonly kind: string;
  /** What an array-to-array codec encodes to, if that differs. */
  readonly dataType?: unknown;
  readonly shape?: unknown;
}

/** A resolved chain (`src/chain/`, where each member is explained). */
export interface Resolved {
  readonly dataType: string;
  readonly shape: readonly number[];
  readonly codecs: readonly ResolvedCodec[];
  readonly steps: readonly Step[];
}

/** The normalised metadata of a codec. */
export interface ResolvedCodec {
  readonly name: string;
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** A part of a chain that is executed at once. Steps are in the order of decoding. */
export type Step = NativeStep | BytesStep | ShardStep | ExternalStep;

/** Consecutive built-in codecs, executed in one pass. Lengths are absent where they are unknown. */
export interface NativeStep {
  readonly kind: "native";
  readonly forms: readonly Form[];
  /** The forms in the order of the payload, where that is another one. */
  readonly stored?: Layout;
  readonly payloadByteLength?: number;
  readonly encodedByteLength?: number;
  readonly checksumCount: number;
  /** The shape and the strides in C order of the array, if the step includes the array-to-bytes codec. */
  readonly shape?: readonly number[];
  readonly stride?: readonly number[];
  /** What is swapped in each element, opaque to TypeScript. */
  readonly records?: readonly number[];
  readonly hasViews: boolean;
}

/** A field of the elements of a chunk. */
export interface Part {
  readonly recordSize: number;
  readonly offset: number;
  readonly size: number;
  readonly isText: boolean;
  readonly step: ArrayStep;
}

/** One built-in codec over bytes that is executed by itself. */
export interface BytesStep {
  readonly kind: "bytes";
  /** The codec and its parameters, opaque to TypeScript. */
  readonly operation: number;
  /** The number of bytes that encoding adds. */
  readonly overhead: number;
  readonly encodedByteLength?: number;
}

/** The codec `sharding_indexed`. It decodes to its inner chunks, one after another, which the next step arranges. */
export interface ShardStep {
  readonly kind: "shard";
  readonly path: string;
  readonly chunkShape: readonly number[];
  readonly gridShape: readonly number[];
  /** The chain of inner chunks. */
  readonly chain: Resolved;
  /** An array whose bytes are those of the elements. */
  readonly array: TypedArrayName;
  /** The form of inner chunks for that array. */
  readonly form: number;
  readonly chunkByteLength: number;
  readonly encodedChunkByteLength?: number;
  /** The chain of the index. */
  readonly index: Resolved;
  readonly indexByteLength: number;
  readonly indexLocation: "start" | "end";
  /** The bytes of one element. */
  readonly fillValue: readonly number[];
  /** How inner chunks become a contiguous part of the array, if that is not all of it. */
  readonly slab?: ArrayStep;
}

/** One external codec. */
export interface ExternalStep {
  readonly kind: "external";
  readonly name: string;
  readonly path: string;
  readonly decodedByteLength?: number;
}

/** A native step that decodes to an array. */
export type ArrayStep = Required<Omit<NativeStep, "stored" | "records">> &
  Pick<NativeStep, "stored" | "records">;

/** The arrays with certain strides. */
export interface Layout {
  readonly stride: readonly number[];
  readonly forms: readonly Form[];
}
