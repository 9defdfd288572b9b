/** Converts a position in a grid to its number, in C order. */
export const ravel = (position: readonly number[], shape: readonly number[]): number =>
  shape.reduce((number, length, axis) => number * length + (position[axis] ?? 0), 0);
