/** Names and types of the host's typed arrays. */

/** The name of an array's type. */
export type TypedArrayName =
  | "Int8Array"
  | "Int16Array"
  | "Int32Array"
  | "BigInt64Array"
  | "Uint8Array"
  | "Uint16Array"
  | "Uint32Array"
  | "BigUint64Array"
  | "Float16Array"
  | "Float32Array"
  | "Float64Array";

/** The `Float16Array` of the TypeScript library, if it has one, with a buffer of type `B`. */
export type HostFloat16Array<B extends ArrayBufferLike> = typeof globalThis extends {
  Float16Array: { prototype: infer A; of(): infer OverArrayBuffer };
}
  ? [B] extends [ArrayBuffer]
    ? OverArrayBuffer
    : A
  : never;
