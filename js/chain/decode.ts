/** Decodes chunks with the array step of a resolved chain. */

import { type Verify, verifying } from "../crc32c/mismatch.js";
import { InvalidArgumentError } from "../errors.js";
import { expectOut } from "../expect.js";
import type { DecodeOptions } from "../options.js";
import { bytesOf, type TypedArray, viewAs } from "../typed-array.js";
import { check, decode, decodeInto } from "../wasm/chunks.js";
import type { Form } from "../wasm/form.js";
import type { ArrayStep, Step } from "./resolved.js";

/**
 * Decodes an encoded chunk of the right length.
 *
 * @param form the form to decode to
 * @param encoded from {@link byteArrayOf}
 * @throws ChecksumMismatchError, InvalidElementError, InvalidArgumentError
 */
export function decodeChunk(
  step: ArrayStep,
  form: Form,
  encoded: object,
  verify: Verify,
  options: DecodeOptions,
): TypedArray {
  if (typeof verify !== "boolean") {
    return verifying(verify, (verify) => decodeChunk(step, form, encoded, verify, options));
  }
  const { out, copy = false, inPlace = false } = options;
  if (inPlace && (copy || out !== undefined)) {
    const argument = "options.inPlace";
    throw new InvalidArgumentError(`${argument} cannot be combined with out or copy`, { argument });
  }
  const { payloadByteLength } = step;
  const isWhole = verify || step.checksumCount === 0;
  const checksumCount = isWhole ? step.checksumCount : 0;
  const source = isWhole ? encoded : bytesOf(encoded, "encoded").subarray(0, payloadByteLength);
  const target =
    out !== undefined
      ? expectOut(out, form.array, form.byteLength, encoded, "the encoded bytes (see the option inPlace)")
      : copy
        ? undefined
        : viewOf(encoded, payloadByteLength, form, inPlace);
  if (target === undefined) return decode(source, payloadByteLength, form, checksumCount);
  // The caller can see the target, which is written only after all checks have passed.
  if (form.isView && out === undefined) check(source, payloadByteLength, form, checksumCount);
  else decodeInto(source, payloadByteLength, target, form, checksumCount);
  return target;
}

/** Returns whether a step decodes to the array of a chunk. */
export function isArrayStep(step: Step): step is ArrayStep {
  return step.kind === "native" && step.shape !== undefined;
}

/** Returns the form that chunks are decoded to. */
export function defaultForm({ forms }: Pick<ArrayStep, "forms">): Form {
  return forms[0] as Form; // A step to an array has at least one.
}

/** Returns a view of the payload that can hold the decoded array; undefined where there is none. */
function viewOf(
  encoded: object,
  payloadByteLength: number,
  form: Form,
  inPlace: boolean,
): TypedArray | undefined {
  const fits = form.isView || (inPlace && form.byteLength === payloadByteLength);
  return fits ? viewAs(form.array, bytesOf(encoded, "encoded"), payloadByteLength) : undefined;
}
