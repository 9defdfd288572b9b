/** What happens when a checksum does not match: the option `verify` wherever it can be more than true or false. */

import { type ChecksumMismatchError, describe, InvalidArgumentError } from "../errors.js";

/**
 * Whether to verify checksums when decoding. `true` throws a {@link ChecksumMismatchError}; `"warn"` logs its message
 * with `console.warn`, and a function is called with it: both then return the data anyway. What the function throws
 * rejects the chunk; what it returns is ignored, so it has to be synchronous. `false` skips computing checksums.
 */
export type Verify = boolean | "warn" | ((error: ChecksumMismatchError) => void);

/** Checks a value of the option; default: true. */
export function expectVerify(value: Verify | undefined, argument: string): Verify {
  if (value === undefined) return true;
  if (typeof value === "boolean" || value === "warn" || typeof value === "function") return value;
  throw new InvalidArgumentError(argument, 'true or false or "warn" or a function', describe(value));
}

/** Reports a mismatch after which the data are returned anyway. */
export function report(error: ChecksumMismatchError, verify: Exclude<Verify, boolean>): void {
  if (verify === "warn") console.warn(`zarr-codecs: ${error.message}`);
  else verify(error);
}
