/** Codecs that the host implements: gzip and zlib everywhere, zstd where it can. They need no implementation from the caller. */

import { LONGEST_CHUNK, LONGEST_UNKNOWN } from "../generated/facts.js";
import { isShared } from "../intrinsics.js";
import { concatenate } from "../typed-array.js";
import type { ExternalCodec } from "./external.js";

/** The parts of `node:zlib` that are used; zstd from Node 22.15 on. */
interface Zlib extends Readonly<Partial<Record<Format["encode" | "decode"], Run>>> {
  readonly constants: Readonly<Record<string, number>>;
}

/** What `node:zlib` returns with the option `info`. */
interface Info {
  readonly buffer: Uint8Array;
  /** The number of bytes of the input that were used, by Node's name for it. */
  readonly engine: { readonly bytesWritten: number };
}
/** workerd ignores the option. */
type Callback = (error: Error | null, result: Info | Uint8Array) => void;
type Run = (bytes: Uint8Array, options: object, callback: Callback) => void;

/** The format of a codec: its name for streams, and the functions of `node:zlib`. */
interface Format {
  readonly stream: string;
  readonly encode: "gzip" | "deflate" | "zstdCompress";
  readonly decode: "gunzip" | "inflate" | "zstdDecompress";
}

const GZIP: Format = { stream: "gzip", encode: "gzip", decode: "gunzip" };
const ZLIB: Format = { stream: "deflate", encode: "deflate", decode: "inflate" };
const ZSTD: Format = { stream: "zstd", encode: "zstdCompress", decode: "zstdDecompress" };

const FORMATS = new Map<string, Format>([
  ["gzip", GZIP],
  ["numcodecs.gzip", GZIP],
  ["zlib", ZLIB],
  ["numcodecs.zlib", ZLIB],
  ["zstd", ZSTD],
  ["numcodecs.zstd", ZSTD],
]);

/** Configuration that affects encoding. */
interface Configuration {
  readonly level?: number;
  readonly checksum?: boolean;
}

/**
 * Returns the codec that the host implements under a name; undefined where it does not.
 *
 * @param byteLength the length of the decoded bytes, if known, so that decoding can stop where they are much longer
 */
export function hostCodec(
  name: string,
  configuration: Configuration = {},
  byteLength?: number,
): ExternalCodec | undefined {
  const format = FORMATS.get(name);
  return format && codecOf(format, configuration, byteLength);
}

/** Returns how many decoded bytes are accepted: somewhat longer ones are returned, for the error about their length. */
function mostOf(byteLength: number | undefined): number {
  return byteLength === undefined ? LONGEST_UNKNOWN : Math.min(2 * byteLength + 65536, LONGEST_CHUNK);
}

function codecOf(format: Format, configuration: Configuration, byteLength?: number): HostCodec | undefined {
  const most = mostOf(byteLength);
  const zlib = nodeZlib();
  if (zlib?.[format.decode] !== undefined) return zlibCodec(zlib, format, configuration, most);
  return hasStream(format) ? streamCodec(format, most) : undefined;
}

/** Returns `node:zlib` where the host has it, without an import that bundlers for browsers would have to resolve. */
function nodeZlib(): Zlib | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Zlib | undefined } };
  return process?.getBuiltinModule?.("node:zlib");
}

interface HostCodec extends ExternalCodec {
  decode(encoded: Uint8Array): Promise<Uint8Array>;
  encode(decoded: Uint8Array): Promise<Uint8Array>;
}

/** Decodes and encodes with `node:zlib`, off the main thread. */
function zlibCodec(zlib: Zlib, format: Format, configuration: Configuration, most: number): HostCodec {
  return {
    async decode(encoded) {
      const options = { maxOutputLength: most, info: true };
      const parts: Uint8Array[] = [];
      for (let rest = encoded; ; ) {
        const result = await run(zlib[format.decode] as Run, rest, options);
        const { buffer, engine } = "engine" in result ? result : { buffer: result };
        parts.push(buffer);
        const used = engine?.bytesWritten ?? rest.byteLength;
        if (used === rest.byteLength) return joined(parts);
        // Node 22 and 24 decode one frame of zstd only. What follows other data is ignored by Node.
        rest = rest.subarray(used);
        if (format !== ZSTD || used === 0) {
          throw new Error(`trailing bytes at byte ${encoded.byteLength - rest.byteLength}`);
        }
      }
    },

    encode(decoded) {
      const encoding = (options: object) =>
        run(zlib[format.encode] as Run, decoded, options) as Promise<Uint8Array>;
      const { level, checksum = false } = configuration;
      if (format !== ZSTD) return encoding(level === undefined ? {} : { level });
      const { ZSTD_c_compressionLevel = 0, ZSTD_c_checksumFlag = 0 } = zlib.constants;
      const params = { [ZSTD_c_compressionLevel]: level ?? 0, [ZSTD_c_checksumFlag]: Number(checksum) };
      // The length is stated in the frame, so that readers can allocate memory.
      return encoding({ params, pledgedSrcSize: decoded.byteLength });
    },
  };
}

/** Runs a function of `node:zlib`. */
function run(call: Run, bytes: Uint8Array, options: object): Promise<Info | Uint8Array> {
  return new Promise((resolve, reject) => {
    call(bytes, options, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

const joined = (parts: readonly Uint8Array[]) =>
  parts.length === 1 ? (parts[0] as Uint8Array) : concatenate(parts);

/** Creates a stream of the host. Not looked up at import, because the first access makes Node load all its streams (3 ms). */
function createStream(name: "CompressionStream" | "DecompressionStream", { stream }: Format) {
  return new globalThis[name](stream as CompressionFormat); // Or "zstd", where the host knows it.
}

function hasStream(format: Format): boolean {
  try {
    return Boolean(createStream("DecompressionStream", format));
  } catch {
    return false; // The host does not know the format, or has no streams.
  }
}

/** Decodes and encodes with the host's streams, which choose the level themselves. */
function streamCodec(format: Format, most: number): HostCodec {
  return {
    decode: (encoded) => through(createStream("DecompressionStream", format), encoded, most),
    encode: (decoded) => through(createStream("CompressionStream", format), decoded),
  };
}

/** Passes bytes through a stream. */
async function through(
  { readable, writable }: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const writer = writable.getWriter();
  const writing = writer.write(unshared(bytes)).then(() => writer.close());
  writing.catch(() => {}); // The reader gets the same error.
  const reader = readable.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return joined(parts);
    parts.push(value);
    length += value.byteLength;
    if (length <= most) continue;
    reader.cancel().catch(() => {});
    throw new RangeError(`more than ${most} bytes`);
  }
}

/** Returns bytes in memory that is not shared, which streams require. */
const unshared = (bytes: Uint8Array) =>
  (isShared(bytes.buffer) ? bytes.slice() : bytes) as Uint8Array<ArrayBuffer>;
