/** The option `verify`: whether to verify checksums, and what to do if one is wrong. */

import { type Awaitable, recovering } from "../awaitable.js";
import { ChecksumMismatchError } from "../errors.js";

/**
 * Whether to verify checksums when decoding. `true` throws a {@link ChecksumMismatchError}; `"warn"` logs its message
 * with `console.warn`, and a function is called with it: both then return the data anyway, unless the function throws. It
 * must be synchronous; its return value is ignored. `false` skips computing checksums.
 */
export type Verify = boolean | "warn" | ((error: ChecksumMismatchError) => void);

/** Stands for every function in {@link VERIFY}. */
export const ANY_FUNCTION = (): void => {};

/** The allowed values. */
export const VERIFY: readonly Verify[] = [true, false, "warn", ANY_FUNCTION];

/** Reports a mismatch as the option says. Throws any other error, and with `true`. */
export function report(error: unknown, verify: Verify): void {
  if (!(error instanceof ChecksumMismatchError) || typeof verify === "boolean") throw error;
  if (verify === "warn") console.warn(`zarr-codecs: ${error.message}`);
  else verify(error);
}

/** Returns what `decode` returns. If a checksum is wrong and the option tolerates that, decodes again without verifying. */
export function verifying<T>(verify: Verify, decode: (verify: boolean) => T): T {
  if (typeof verify === "boolean") return decode(verify);
  const tolerate = (error: unknown): Awaitable<T> => {
    report(error, verify);
    return decode(false);
  };
  return recovering(() => decode(true), tolerate) as T;
}
