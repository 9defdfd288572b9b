/** Reads what is wrong again before it is called damaged: somebody may have rewritten it meanwhile. */

import { type Awaitable, recovering } from "../awaitable.js";
import { type AnyZarrCodecError, InvalidArgumentError, isZarrCodecError } from "../errors.js";

/** How often something is read that is wrong in another way each time. */
const MOST_READS = 4;

/** Returns whether an error says that bytes are wrong, rather than that they could not be read or decoded here. */
export const isDamage = (error: unknown): error is AnyZarrCodecError =>
  isZarrCodecError(error) && error.code !== "invalid_argument" && !isFailure(error);

/** Returns whether an external codec failed for a reason of its own: nothing contradicts the bytes. */
const isFailure = ({ code, cause }: AnyZarrCodecError): boolean =>
  code === "external_codec" && cause !== undefined;

/**
 * Returns what `read` returns, which reads and decodes bytes. Calls it again if they are wrong.
 *
 * @throws what `read` throws twice in a row; InvalidArgumentError (other bytes were read each time)
 */
export function confirmed<T>(read: () => Awaitable<T>): Awaitable<T> {
  return recovering(read, (error) => readUntilSame(error, read));
}

async function readUntilSame<T>(first: unknown, read: () => Awaitable<T>): Promise<T> {
  let last = first;
  for (let reads = 1; isDamage(last) && reads < MOST_READS; reads++) {
    try {
      return await read();
    } catch (error) {
      if (isDamage(error) && error.message === last.message) throw error;
      last = error;
    }
  }
  throw isDamage(last) ? changing(last) : last;
}

function changing(cause: AnyZarrCodecError): InvalidArgumentError {
  const message = `the store returned other bytes each of ${MOST_READS} times that a chunk was read; the last time: ${cause.message}`;
  return new InvalidArgumentError(message, { argument: "store" }, { cause });
}

/**
 * Reads and checks bytes again that were wrong: until they are right, or wrong in the same way.
 *
 * @param read reads and checks them
 * @throws the last error
 */
export async function readAgain<T>(first: unknown, retries: number, read: () => T | Promise<T>): Promise<T> {
  let last = first;
  for (let i = 0; i < Math.max(1, retries); i++) {
    try {
      return await read();
    } catch (error) {
      const isSame = (error as Error).message === (last as Error).message;
      last = error;
      if (isSame || !isDamage(error)) break;
    }
  }
  throw last;
}
