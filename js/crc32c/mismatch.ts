/** The option `verify` where it also says what to do on a mismatch. */

import { ChecksumMismatchError, describe, invalidArgument } from "../errors.js";

/**
 * Whether to verify checksums when decoding. `true` throws a {@link ChecksumMismatchError}; `"warn"` logs its message
 * with `console.warn`, and a function is called with it: both then return the data anyway, unless the function throws. It
 * must be synchronous; its return value is ignored. `false` skips computing checksums.
 */
export type Verify = boolean | "warn" | ((error: ChecksumMismatchError) => void);

/** Checks the option. Default: true. */
export function expectVerify(value: Verify | undefined, argument: string): Verify {
  if (value === undefined) return true;
  if (typeof value === "boolean" || value === "warn" || typeof value === "function") return value;
  throw invalidArgument(argument, 'true, false, "warn" or a function', describe(value));
}

/** Reports a mismatch as the option says; the caller then decodes without verifying. Throws any other error, and with `true`. */
export function report(error: unknown, verify: Verify): void {
  if (!(error instanceof ChecksumMismatchError) || typeof verify === "boolean") throw error;
  if (verify === "warn") console.warn(`zarr-codecs: ${error.message}`);
  else verify(error);
}
