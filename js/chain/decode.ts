/** Decodes chunks by a native step of a resolved chain. */

import { InvalidArgumentError } from "../errors.js";
import { expectOut } from "../expect.js";
import type { DecodeOptions } from "../options.js";
import { bytesOf, type TypedArray, viewAs } from "../typed-array.js";
import type { ArrayStep } from "../wasm/rust.js";
import { check, decode, decodeInto } from "../wasm/window.js";

/**
 * Decodes an encoded chunk of the right length.
 *
 * A caller's array (`out`, `inPlace`) is written only once everything has been checked.
 *
 * @param verify whether to verify checksums
 * @throws ChecksumMismatchError, InvalidElementError, InvalidArgumentError
 */
export function decodeChunk(
  step: ArrayStep,
  encoded: Uint8Array,
  verify: boolean,
  { out, copy = false, inPlace = false }: DecodeOptions,
): TypedArray {
  const form = defaultForm(step);
  const { payloadByteLength } = step;
  const checksumCount = verify ? step.checksumCount : 0;
  const source = checksumCount === step.checksumCount ? encoded : encoded.subarray(0, payloadByteLength);
  if (inPlace && (copy || out !== undefined)) {
    throw new InvalidArgumentError("options.inPlace", "no out and no copy beside it", "both");
  }
  let target: TypedArray | undefined;
  if (out !== undefined) {
    const named = "the encoded bytes (see the option inPlace)";
    target = expectOut(out, form.array, form.byteLength, encoded, named);
  } else if ((form.isView || inPlace) && !copy && form.byteLength === payloadByteLength) {
    target = viewAs(form.array, encoded.subarray(0, payloadByteLength));
  }
  if (target === undefined) return decode(source, form, checksumCount);
  if (!form.isView) {
    decodeInto(source, target, form, checksumCount, payloadByteLength);
    return target;
  }
  check(source, form, checksumCount);
  if (out !== undefined) bytesOf(target, "out").set(encoded.subarray(0, payloadByteLength));
  return target;
}

/** Returns the form that chunks are decoded to. */
export function defaultForm(step: ArrayStep): ArrayStep["forms"][number] {
  return step.forms[0] as ArrayStep["forms"][number]; // A step to an array has at least one.
}
