// Compiled where the library has streams.

import { Crc32cDecoderStream, Crc32cEncoderStream } from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

declare const readable: ReadableStream<Uint8Array<ArrayBuffer>>;
const through = readable.pipeThrough(new Crc32cEncoderStream()).pipeThrough(new Crc32cDecoderStream());
expectTrue<Equal<typeof through, ReadableStream<Uint8Array<ArrayBuffer>>>>();
new Crc32cDecoderStream().writable.getWriter().write(new ArrayBuffer(4));
// @ts-expect-error: not bytes
new Crc32cDecoderStream().writable.getWriter().write("text");
