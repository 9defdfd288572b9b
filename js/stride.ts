/** Returns the number of elements of a chunk, or of inner chunks in a grid. */
export function countOf(shape: readonly number[]): number {
  return shape.reduce((count, length) => count * length, 1);
}

/**
 * Computes the strides of C order, in elements. Repeats `c_order` of `src/codec/array_to_array/mod.rs`, for chunks that Rust
 * does not see.
 */
export function cOrderStride(shape: readonly number[]): number[] {
  const stride = shape.map(() => 1);
  for (let axis = shape.length - 1; axis > 0; axis--) {
    stride[axis - 1] = (stride[axis] as number) * (shape[axis] as number);
  }
  return stride;
}

/** Returns whether a value is a permutation of the axes of an array with this many. */
export function isPermutation(order: unknown, rank: number): order is number[] {
  return (
    Array.isArray(order) && order.length === rank && [...order.keys()].every((axis) => order.includes(axis))
  );
}
