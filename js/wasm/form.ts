/** The forms of chunks, as Rust returns them (`src/chain/form.rs`, where each member is explained). */

import type { TypedArrayName } from "../typed-array.js";

/** An array that a chunk can be decoded to and encoded from. In a step over bytes, `byteLength` is absent. */
export interface Form {
  /** In forms that are only encoded from also `Uint8ClampedArray`, which is never created. */
  readonly array: TypedArrayName;
  readonly byteLength: number;
  readonly conversion: number;
  readonly isView: boolean;
  readonly isChecked: boolean;
  readonly arrayCheck?: number;
  readonly decodesInWindow: boolean;
  readonly encodesInWindow: boolean;
  /** How components move, opaque to TypeScript. */
  readonly permutation?: readonly number[];
  readonly next?: Form;
  readonly payloadOrder?: readonly number[];
  readonly arrayOrder?: readonly number[];
}
