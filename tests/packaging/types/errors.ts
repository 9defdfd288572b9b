// Compiled, never run: errors, by class and by code.

import {
  type AnyZarrCodecError,
  ChecksumMismatchError,
  ChunkLengthError,
  type Diagnosis,
  type ErrorCode,
  ExternalCodecError,
  InvalidArgumentError,
  InvalidElementError,
  InvalidMetadataError,
  isZarrCodecError,
  ZarrCodecError,
} from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

expectTrue<
  Equal<
    ErrorCode,
    | "invalid_metadata"
    | "chunk_length"
    | "checksum_mismatch"
    | "invalid_element"
    | "external_codec"
    | "invalid_argument"
  >
>();
expectTrue<Equal<AnyZarrCodecError["code"], ErrorCode>>();

export function explain(error: unknown): string | number | undefined {
  if (error instanceof InvalidMetadataError) {
    expectTrue<Equal<typeof error.path, string>>();
    expectTrue<Equal<typeof error.code, "invalid_metadata">>();
    return error.path;
  }
  if (error instanceof ExternalCodecError) {
    expectTrue<Equal<typeof error.code, "external_codec">>();
    return `${error.path}: ${error.codec}`;
  }
  if (error instanceof ChunkLengthError) return error.expected - error.actual;
  if (error instanceof ChecksumMismatchError) {
    expectTrue<Equal<typeof error.diagnosis, Diagnosis | undefined>>();
    return error.diagnosis?.message ?? error.stored ^ error.computed ^ error.byteLength;
  }
  if (error instanceof InvalidElementError) return error.index + error.value;
  if (error instanceof InvalidArgumentError) return error.argument;
  // @ts-expect-error: abstract
  throw new ZarrCodecError("message");
}

// The code identifies the class of an error, even of another copy of the package, for which `instanceof` is false.
export function explainByCode(error: unknown): string | number {
  if (!isZarrCodecError(error)) throw error;
  expectTrue<Equal<typeof error, AnyZarrCodecError>>();
  // @ts-expect-error: not all errors have a path
  void error.path;
  switch (error.code) {
    case "invalid_metadata":
      return error.path;
    case "chunk_length":
      return error.expected - error.actual;
    case "checksum_mismatch":
      expectTrue<Equal<typeof error, ChecksumMismatchError>>();
      return error.stored ^ error.computed;
    case "invalid_element":
      return error.index + error.value;
    case "external_codec":
      return error.codec;
    case "invalid_argument":
      return error.argument;
  }
}

export function storedChecksum(error: unknown): number | undefined {
  return isZarrCodecError(error) && error.code === "checksum_mismatch" ? error.stored : undefined;
}

/** Every error is in the union, so that exhaustive code stops compiling when a class is added. */
export const known = (error: AnyZarrCodecError): ZarrCodecError => error;
