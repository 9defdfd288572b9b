// Decodes every chunk of a Zarr v3 group.

import { crc32c, createCodecChain } from "zarr-codecs";

/**
 * Opens a group with consolidated metadata and decodes all its arrays.
 *
 * @param {(key: string) => Promise<Uint8Array>} read reads a key of the store
 */
export async function decodeGroup(read) {
  const group = JSON.parse(new TextDecoder().decode(await read("zarr.json")));
  const arrays = Object.entries(group.consolidated_metadata.metadata);
  return Promise.all(
    arrays
      .filter(([, metadata]) => metadata.node_type === "array")
      .map((array) => decodeArray(read, ...array)),
  );
}

async function decodeArray(read, name, metadata) {
  const chain = createCodecChain(metadata);
  const keys = chunkKeys(metadata);
  const chunks = await Promise.all(keys.map((key) => read(`${name}/${key}`)));
  const first = chain.decode(chunks[0]);
  return {
    name,
    chain,
    keys,
    chunks,
    checksum: chain.codecs.some((codec) => codec.name === "crc32c") ? checksumOf(chunks[0]) : undefined,
    first: Array.from(first.data.slice(0, 4), (value) =>
      typeof value === "bigint" ? value : +value.toPrecision(5),
    ),
    bytesPerSecond: throughput(chain, chunks),
  };
}

/** Returns the keys of all chunks of an array with the default chunk key encoding. */
function chunkKeys({ shape, chunk_grid, chunk_key_encoding }) {
  const separator = chunk_key_encoding.configuration?.separator ?? "/";
  const counts = shape.map((length, axis) => Math.ceil(length / chunk_grid.configuration.chunk_shape[axis]));
  return counts.reduce(
    (keys, count) => keys.flatMap((key) => Array.from({ length: count }, (_, i) => `${key}${separator}${i}`)),
    ["c"],
  );
}

/** Returns the stored and the computed checksum of a chunk that ends with one. */
export function checksumOf(chunk) {
  const data = chunk.subarray(0, -4);
  const stored = new DataView(chunk.buffer, chunk.byteOffset + data.byteLength).getUint32(0, true);
  return { stored, computed: crc32c(data) };
}

/** Measures decoded bytes per second, with a copy. Less exact than the benchmark. */
function throughput(chain, chunks) {
  const start = performance.now();
  let bytes = 0;
  let elapsed = 0;
  while (elapsed < 20) {
    for (const chunk of chunks) bytes += chain.decode(chunk, { copy: true }).data.byteLength;
    elapsed = performance.now() - start;
  }
  return (bytes / elapsed) * 1000;
}

/** Describes an array as a row of a table. */
export function describeArray({ name, chain, keys, chunks, checksum, first, bytesPerSecond }) {
  const hex = (number) => number.toString(16).padStart(8, "0");
  return {
    array: name,
    "data type": chain.dataType,
    "chunk shape": chain.shape.join(" x "),
    chunks: keys.length,
    codecs: chain.codecs
      .map(({ name, configuration }) => (configuration ? `${name} (${configuration.endian})` : name))
      .join(", "),
    bytes: chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
    "stored checksum": checksum ? hex(checksum.stored) : "",
    computed: checksum ? hex(checksum.computed) : "",
    "MB/s": Math.round(bytesPerSecond / 1e6),
    "first values": first.join(", "),
  };
}

/** Flips one bit of the first chunk with a checksum. Returns the error of decoding it. */
export function breakOneBit(arrays) {
  const { name, chain, keys, chunks } = arrays.find(({ checksum }) => checksum !== undefined);
  const broken = chunks[0].slice();
  const byte = broken.length >> 1;
  broken[byte] ^= 1;
  try {
    chain.decode(broken);
  } catch (error) {
    return { chunk: `${name}/${keys[0]}`, byte, error };
  }
  throw new Error(`one flipped bit in ${name}/${keys[0]} was not detected`);
}
