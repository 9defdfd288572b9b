/** Codecs that the host implements: gzip and zlib everywhere, zstd where it can. They need no implementation from the caller. */

import type { ExternalCodec } from "./external.js";

/** The parts of `node:zlib` that are used. */
interface Zlib {
  readonly constants: Readonly<Record<string, number>>;
  readonly gzip: Compress;
  readonly gunzip: Compress;
  readonly deflate: Compress;
  readonly inflate: Compress;
  readonly zstdCompress?: Compress;
  readonly zstdDecompress?: Compress;
}

type Callback = (error: Error | null, bytes: Uint8Array) => void;
type Compress = (bytes: Uint8Array, options: object, callback: Callback) => void;

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

/** Returns the codec that the host implements under a name; undefined where it does not. */
export function hostCodec(name: string, configuration: Configuration): ExternalCodec | undefined {
  const format = FORMATS.get(name);
  if (format === undefined) return undefined;
  const zlib = nodeZlib();
  if (zlib?.[format.decode] !== undefined) return new ZlibCodec(zlib, format, configuration);
  return hasStreams(format) ? new StreamCodec(format) : undefined;
}

/** Returns `node:zlib` where the host has it, without an import that bundlers for browsers would have to resolve. */
function nodeZlib(): Zlib | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Zlib | undefined } };
  return process?.getBuiltinModule?.("node:zlib");
}

/** Decodes and encodes with `node:zlib`, off the main thread. */
class ZlibCodec implements ExternalCodec {
  constructor(
    private readonly zlib: Zlib,
    private readonly format: Format,
    private readonly configuration: Configuration,
  ) {}

  decode(encoded: Uint8Array): Promise<Uint8Array> {
    return this.#run(this.format.decode, encoded, {});
  }

  encode(decoded: Uint8Array): Promise<Uint8Array> {
    const { level, checksum = false } = this.configuration;
    if (this.format !== ZSTD) return this.#run(this.format.encode, decoded, { level });
    const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = this.zlib.constants as Record<string, number>;
    const params = {
      [ZSTD_c_compressionLevel as number]: level ?? 0,
      [ZSTD_c_checksumFlag as number]: Number(checksum),
    };
    // Stated in the frame, so that readers can allocate memory.
    return this.#run(this.format.encode, decoded, { params, pledgedSrcSize: decoded.byteLength });
  }

  #run(name: Format["encode" | "decode"], bytes: Uint8Array, options: object): Promise<Uint8Array> {
    const run = this.zlib[name] as Compress;
    return new Promise((resolve, reject) => {
      run(bytes, options, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}

/** The streams of the host, of which not all programs have the types. */
interface TransformStreamClass {
  new (format: string): { readable: AsyncIterable<Uint8Array>; writable: { getWriter(): Writer } };
}
interface Writer {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}
const streams = globalThis as { [name: string]: unknown } as {
  CompressionStream?: TransformStreamClass;
  DecompressionStream?: TransformStreamClass;
};

function hasStreams({ stream }: Format): boolean {
  try {
    return streams.DecompressionStream !== undefined && Boolean(new streams.DecompressionStream(stream));
  } catch {
    return false; // It does not know the format.
  }
}

/** Decodes and encodes with the host's streams. They choose the level themselves. */
class StreamCodec implements ExternalCodec {
  constructor(private readonly format: Format) {}

  decode(encoded: Uint8Array): Promise<Uint8Array> {
    return through(streams.DecompressionStream as TransformStreamClass, this.format.stream, encoded);
  }

  encode(decoded: Uint8Array): Promise<Uint8Array> {
    return through(streams.CompressionStream as TransformStreamClass, this.format.stream, decoded);
  }
}
