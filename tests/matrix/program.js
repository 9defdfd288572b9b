// The program that every host and bundler runs: a chunk that another implementation wrote, the same one damaged, and
// both as streams; a compressed chunk and a shard, and the same ones damaged. Gives what it saw, for the caller to judge.

import {
  backend,
  ChecksumMismatchError,
  Crc32cDecoderStream,
  createCodecChain,
  init,
  loadCodecChain,
} from "zarr-codecs";
import { compressed, encoded, metadata, sharded } from "./chunk.js";

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Whether the first call works at once or, where the host does not compile WebAssembly, after `init`. */
async function start() {
  try {
    backend();
    return "at once";
  } catch (error) {
    if (error.argument !== "WebAssembly") throw error;
    await init();
    return "after init()";
  }
}

function failure(decode) {
  try {
    decode();
  } catch (error) {
    const { name, code, stored, computed, byteLength } = error;
    return { isOfClass: error instanceof ChecksumMismatchError, name, code, stored, computed, byteLength };
  }
}

async function throughStream(bytes) {
  const stream = new Crc32cDecoderStream();
  const writer = stream.writable.getWriter();
  for (const piece of [bytes.slice(0, 3), bytes.slice(3)]) writer.write(piece).catch(() => {});
  writer.close().catch(() => {}); // What goes wrong is seen by the reader too.
  const reader = stream.readable.getReader();
  const passed = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) passed.push(...read.value);
  return passed;
}

/** Decodes a chunk with the host's codec, and the same with a bit flipped in the checksum 8 bytes before its end. */
async function loaded({ metadata, encoded }) {
  const chain = await loadCodecChain(metadata);
  const { data } = await chain.decode(encoded, { copy: true });
  const damaged = encoded.slice();
  damaged[damaged.length - 8] ^= 1;
  const error = await chain.decode(damaged).catch(({ name }) => name);
  return { decoded: hex(new Uint8Array(data.buffer)), error };
}

export async function run() {
  const started = await start();
  const chain = createCodecChain(metadata);
  const { data } = chain.decode(encoded, { copy: true });
  const damaged = encoded.slice();
  damaged[0] ^= 1;
  return {
    started,
    build: backend(),
    decoded: hex(new Uint8Array(data.buffer)),
    error: failure(() => chain.decode(damaged)),
    streamed: hex(await throughStream(encoded)),
    streamError: await throughStream(damaged).catch(({ name }) => name),
    decompressed: await loaded(compressed), // The CRC-32 at the end of gzip.
    sharded: await loaded(sharded), // The index.
  };
}
