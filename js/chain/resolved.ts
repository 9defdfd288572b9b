/** What Rust is asked of metadata, and what it returns. */

import type { TypedArrayName } from "../typed-array.js";

/** Metadata to resolve, and how (`src/wasm/request.rs`). All of it is a plain copy of what the caller gave. */
export interface Request {
  readonly metadata: unknown;
  /** Whether `metadata` is that of an array. */
  readonly isArray: boolean;
  readonly missingEndian?: "little" | "big" | undefined;
  readonly acceptInvalidBool: boolean;
  /** The name of the array to decode to, where the data type has several. */
  readonly array?: string | undefined;
  /** Whether codecs of others become external steps, rather than errors. */
  readonly external: boolean;
}

/** A resolved chain (`src/chain/`, where each member is explained). */
export interface Resolved {
  readonly dataType: string;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly codecs: readonly ResolvedCodec[];
  readonly steps: readonly Step[];
}

/** A codec that applies, in full. */
export interface ResolvedCodec {
  readonly name: string;
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** Part of a chain that is executed at once, in the order of decoding. */
export type Step = NativeStep | ExternalStep;

/** Consecutive codecs of this package. */
export interface NativeStep {
  readonly kind: "native";
  readonly forms: readonly Form[];
  readonly payloadByteLength?: number;
  readonly encodedByteLength?: number;
  readonly checksumCount: number;
}

/** One codec of others. */
export interface ExternalStep {
  readonly kind: "external";
  readonly name: string;
  readonly index: number;
  readonly path: string;
}

/** A native step that decodes to an array. */
export type ArrayStep = Required<NativeStep>;

/** One array that a chunk can be decoded to, and encoded from. In a step of bytes, `byteLength` is absent. */
export interface Form {
  readonly array: TypedArrayName;
  readonly byteLength: number;
  readonly conversion: number;
  readonly isView: boolean;
  readonly isChecked: boolean;
  readonly decodesInWindow: boolean;
  readonly encodesInWindow: boolean;
}
