/** Decodes chunks by a native step of a resolved chain. */

import { InvalidArgumentError } from "../errors.js";
import { expectOut } from "../expect.js";
import type { DecodeOptions } from "../options.js";
import { bytesOf, type TypedArray, viewAs } from "../typed-array.js";
import { check, decode, decodeInto } from "../wasm/window.js";
import type { ArrayStep, Form } from "./resolved.js";

/**
 * Decodes an encoded chunk of the right length.
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
  if (inPlace && (copy || out !== undefined)) {
    throw new InvalidArgumentError("options.inPlace", "no out and no copy beside it", "both");
  }
  const form = defaultForm(step);
  const payload = step.checksumCount > 0 ? encoded.subarray(0, step.payloadByteLength) : encoded;
  const checksumCount = verify ? step.checksumCount : 0;
  const source = checksumCount > 0 ? encoded : payload;
  if (out !== undefined) {
    const named = "the encoded bytes (see the option inPlace)";
    const target = expectOut(out, form.array, form.byteLength, encoded, named);
    write(target, source, payload, form, checksumCount);
    return target;
  }
  const view = copy ? undefined : viewOf(payload, form, inPlace);
  if (view === undefined) return decode(source, form, checksumCount);
  if (form.isView) check(source, form, checksumCount);
  else decodeInto(source, payload, view, form, checksumCount);
  return view;
}

/** Returns the form that chunks are decoded to. */
export function defaultForm(step: ArrayStep): Form {
  return step.forms[0] as Form; // A step to an array has at least one.
}

/** Returns the payload as the array to return, where it can serve as that. */
function viewOf(payload: Uint8Array, form: Form, mayOverwrite: boolean): TypedArray | undefined {
  const fits = form.isView || (mayOverwrite && form.byteLength === payload.byteLength);
  return fits ? viewAs(form.array, payload) : undefined;
}

/** Decodes into the caller's array, which is written only once everything has been checked. */
function write(
  target: TypedArray,
  source: Uint8Array,
  payload: Uint8Array,
  form: Form,
  checksumCount: number,
): void {
  if (form.isView) {
    check(source, form, checksumCount);
    bytesOf(target, "out").set(payload);
  } else {
    decodeInto(source, payload, target, form, checksumCount);
  }
}
