/** Repeats requests without which nothing can be verified. Those for chunks are repeated by `verifyStore`. */

import type { RequestError, StoreOptions } from "./store.js";

const TRIES = 4;
const FIRST_DELAY = 200;

/** Sends a request, again where the server or the network failed. */
export async function retrying<T>(send: () => Promise<T>, { signal }: StoreOptions = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const { status = 500 } = error as RequestError;
      const isFinal = status < 500 && status !== 429;
      if (isFinal || attempt === TRIES || signal?.aborted) throw error;
      await new Promise((done) => setTimeout(done, FIRST_DELAY * 4 ** (attempt - 1)));
    }
  }
}
