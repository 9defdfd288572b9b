/** The codecs that the command brings along, loaded when an array needs them. Node has gzip and zlib, and zstd from 22.15 on. */

import * as zlib from "node:zlib";
import type { CodecRegistry } from "zarr-codecs";

type Load = NonNullable<ReturnType<CodecRegistry["get"]>>;

const blosc: Load = async () => (await import("./blosc.js")).Blosc as never;
const lz4: Load = async () => (await import("./lz4.js")).Lz4 as never;
const zstd: Load = async () => (await import("./zstd.js")).Zstd as never;

const CODECS = new Map<string, Load>([
  ["blosc", blosc],
  ["numcodecs.blosc", blosc],
  ["lz4", lz4],
  ["numcodecs.lz4", lz4],
]);

if (!("zstdDecompress" in zlib)) {
  CODECS.set("zstd", zstd);
  CODECS.set("numcodecs.zstd", zstd);
}

export const codecs: CodecRegistry = CODECS;
