/** Positions in a grid and their numbers, in C order. */

/** The number of positions in a grid; 1 where it has no axes. */
export const product = (shape: readonly number[]): number =>
  shape.reduce((result, length) => result * length, 1);

/** Converts a position to its number. */
export const ravel = (position: readonly number[], shape: readonly number[]): number =>
  shape.reduce((number, length, axis) => number * length + (position[axis] ?? 0), 0);

/** Converts a number to the position that has it. */
export function unravel(number: number, shape: readonly number[]): number[] {
  let rest = number;
  const position: number[] = [];
  for (const length of [...shape].reverse()) {
    const at = rest % length;
    rest = (rest - at) / length;
    position.push(at);
  }
  return position.reverse();
}
