/**
 * Takes turns: chunks that have been read together are handed over a few at a time, and the next ones when those have been
 * decoded, as far as that takes only microtasks. Then each is verified, decoded and copied to its place while it is in the
 * processor's cache, and its memory can be used again for the next one. Taking each step for all chunks before the next step
 * takes up to 1.7 times as long.
 */

/** The bytes that are handed over in a turn, at least: less is not worth a pause. */
const BYTES_PER_TURN = 2 ** 18;

/** The microtasks in which zarrita decodes a chunk and copies it to the array that it reads, and some more. */
const MICROTASKS_PER_TURN = 64;

let bytes = 0;
let pause: Promise<void> | undefined;

/** Returns what to wait for before bytes are handed over; ask again afterwards, because others may have waited, too. */
export const pauseBeforeTurn = (): Promise<void> | undefined => pause;

/** Counts bytes that have been handed over. */
export function endTurn(byteLength: number): void {
  bytes += byteLength;
  if (bytes < BYTES_PER_TURN) return;
  bytes = 0;
  pause = wait();
}

async function wait(): Promise<void> {
  for (let i = 0; i < MICROTASKS_PER_TURN; i++) await undefined;
  pause = undefined;
}
