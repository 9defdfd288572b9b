// Compiled, never run: checksums, streams, errors, start-up.

import {
  backend,
  ChecksumMismatchError,
  ChunkLengthError,
  Crc32c,
  Crc32cDecoderStream,
  Crc32cEncoderStream,
  crc32c,
  crc32cCombine,
  type ErrorCode,
  InvalidArgumentError,
  InvalidElementError,
  InvalidMetadataError,
  init,
  initSync,
  isZarrCodecError,
  ZarrCodecError,
} from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

declare const bytes: Uint8Array;

const crc = crc32c(bytes, crc32c(new ArrayBuffer(4)));
expectTrue<Equal<typeof crc, number>>();
const digest = new Crc32c()
  .update(bytes)
  .update(new DataView(new ArrayBuffer(4)))
  .digest();
expectTrue<Equal<typeof digest, number>>();
const joined = crc32cCombine(crc, digest, 4);
expectTrue<Equal<typeof joined, number>>();
// @ts-expect-error: no bytes
crc32c("123456789");
// @ts-expect-error: no number
crc32c(bytes, 1n);
// @ts-expect-error: no bytes
new Crc32c().update([1]);
// @ts-expect-error: the length is missing
crc32cCombine(crc, digest);

declare const readable: ReadableStream<Uint8Array<ArrayBuffer>>;
const through = readable.pipeThrough(new Crc32cEncoderStream()).pipeThrough(new Crc32cDecoderStream());
expectTrue<Equal<typeof through, ReadableStream<Uint8Array<ArrayBuffer>>>>();
new Crc32cDecoderStream().writable.getWriter().write(new ArrayBuffer(4));
// @ts-expect-error: no bytes
new Crc32cDecoderStream().writable.getWriter().write("text");

const started = init();
expectTrue<Equal<typeof started, Promise<void>>>();
const build = backend();
expectTrue<Equal<typeof build, "simd" | "portable">>();
initSync(new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>));

expectTrue<
  Equal<
    ErrorCode,
    "invalid_metadata" | "chunk_length" | "checksum_mismatch" | "invalid_element" | "invalid_argument"
  >
>();

export function explain(error: unknown): string | number | undefined {
  if (error instanceof InvalidMetadataError) {
    expectTrue<Equal<typeof error.path, string>>();
    expectTrue<Equal<typeof error.code, "invalid_metadata">>();
    return error.path;
  }
  if (error instanceof ChunkLengthError) return error.expected - error.actual;
  if (error instanceof ChecksumMismatchError) {
    expectTrue<Equal<typeof error.diagnosis, string | undefined>>();
    return error.diagnosis ?? error.stored ^ error.computed ^ error.byteLength;
  }
  if (error instanceof InvalidElementError) return error.index + error.value;
  if (error instanceof InvalidArgumentError) return error.argument;
  if (isZarrCodecError(error)) {
    expectTrue<Equal<typeof error, ZarrCodecError>>();
    expectTrue<Equal<typeof error.code, ErrorCode>>();
    // @ts-expect-error: not all errors have a path
    return error.path;
  }
  // @ts-expect-error: abstract
  throw new ZarrCodecError("message");
}
