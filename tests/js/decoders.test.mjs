// The decoders of this package, on a host that has none: chunks by every writer at hand (tests/guard/generate.py), and damaged
// ones.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

// Before this package looks for them.
delete process.getBuiltinModule;
delete globalThis.DecompressionStream;
const { backend, ChecksumMismatchError, ChunkLengthError, ExternalCodecError, loadCodecChain } = await import(
  "zarr-codecs"
);

/** All instances of the decoders. */
const instances = [];
const { Instance } = globalThis.WebAssembly ?? {};
if (Instance) {
  WebAssembly.Instance = function create(...args) {
    const instance = new Instance(...args);
    if ("decode_chunk" in instance.exports) instances.push(instance);
    return instance;
  };
}

const { chunks, decoded: contents } = JSON.parse(
  readFileSync(new URL("../guard/chunks.json", import.meta.url), "utf8"),
);

/** Returns decoded bytes, which are in hexadecimal, or a period and the length. */
function contentOf(index) {
  const content = contents[index];
  if (typeof content === "string") return Uint8Array.from(Buffer.from(content, "hex"));
  const period = Buffer.from(content.period, "hex");
  return Uint8Array.from({ length: content.length }, (_, i) => period[i % period.length]);
}

const chunkOf = ({ encoded, decoded, ...chunk }) => ({
  ...chunk,
  encoded: Uint8Array.from(Buffer.from(encoded, "hex")),
  decoded: contentOf(decoded),
});

/** Returns the chunk of a codec with this name. */
const find = (codec, name) => chunkOf(chunks.find((chunk) => chunk.codec === codec && chunk.name === name));

const chainOf = (codec, length, options) =>
  loadCodecChain({ dataType: "uint8", shape: [length], codecs: ["bytes", codec] }, options);

test("chunks of all writers are decoded", async () => {
  const seen = new Map();
  for (const chunk of chunks.map(chunkOf)) {
    if (chunk.decoded.length === 0) continue; // No array has so few elements.
    const chain = await chainOf(chunk.codec, chunk.decoded.length);
    assert.deepEqual((await chain.decode(chunk.encoded)).data, chunk.decoded, `${chunk.codec} ${chunk.name}`);
    const codec = chunk.codec.replace("numcodecs.", "");
    seen.set(codec, (seen.get(codec) ?? 0) + 1);
  }
  assert.deepEqual([...seen.keys()].sort(), ["blosc", "gzip", "lz4", "zlib", "zstd"]);
});

test("decoded bytes are of the caller's own", async () => {
  const { encoded, decoded } = find("zstd", "level 3");
  const chain = await chainOf("zstd", decoded.length);
  const first = await chain.decode(encoded);
  first.data.fill(0);
  assert.deepEqual((await chain.decode(encoded)).data, decoded);
});

test("errors say what is wrong, and where", async () => {
  const messages = async (codec, name, damage) => {
    const { encoded, decoded } = find(codec, name);
    const damaged = damage(encoded) ?? encoded;
    const chain = await chainOf(codec, decoded.length);
    const error = await chain.decode(damaged).then(
      () => assert.fail("decodes"),
      (error) => error,
    );
    return [error.constructor, error.message, error.cause];
  };
  const invalid = (message) => [ExternalCodecError, `codecs[1]: ${message}`, undefined];
  assert.deepEqual(
    await messages("blosc", "lz4 shuffle 1", (bytes) => bytes.subarray(0, -1)),
    invalid("blosc: truncated at byte 1142"),
  );
  assert.deepEqual(
    await messages("lz4", "ramp", (bytes) => bytes.subarray(0, -1)),
    invalid("lz4: stream that ends too early at byte 4"),
  );
  assert.deepEqual(
    await messages("gzip", "level 9", (bytes) => Uint8Array.of(...bytes, 1)),
    invalid("gzip: trailing bytes at byte 1482"),
  );
  assert.deepEqual(
    await messages("zstd", "level 3", (bytes) => Uint8Array.of(...bytes, 1)),
    invalid("zstd: truncated at byte 1372"),
  );
  const { decoded } = find("zstd", "level 3, checksum");
  const [ErrorClass, message] = await messages("zstd", "level 3, checksum", (bytes) => {
    bytes[bytes.length - 1] ^= 1;
  });
  assert.equal(ErrorClass, ChecksumMismatchError);
  assert.match(
    message,
    new RegExp(`xxh64 stored 0x[0-9a-f]{8}, computed 0x[0-9a-f]{8} over ${decoded.length} bytes`),
  );
});

test("lengths other than the metadata's are errors before memory is allocated", async () => {
  // A frame that states 2^40 bytes, and one without a length that holds at least 128 KiB.
  const stated = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0);
  const repeated = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, 3, 0, 0x10, 7);
  const chain = await chainOf("zstd", 10);
  await assert.rejects(chain.decode(stated), ExternalCodecError);
  await assert.rejects(chain.decode(repeated), {
    constructor: ChunkLengthError,
    expected: 10,
    actual: 131_072,
  });
});

test("a length of lz4 that 32 bits cannot hold is an error, as in liblz4", async () => {
  // 15, 16,843,008 times 255, and 249: literals whose number modulo 2^32 is 8.
  const block = new Uint8Array(4 + 1 + 16_843_008 + 1 + 8).fill(255);
  block.set([8, 0, 0, 0, 0xf0]);
  block.set([249, 1, 2, 3, 4, 5, 6, 7, 8], block.length - 9);
  await assert.rejects((await chainOf("lz4", 8)).decode(block), {
    constructor: ExternalCodecError,
    message: "codecs[1]: lz4: stream with more decoded bytes than stated at byte 4",
  });
});

test("checksums are not compared on request", async () => {
  const { encoded, decoded } = find("zstd", "level 3, checksum");
  encoded[encoded.length - 1] ^= 1;
  const chain = await chainOf("zstd", decoded.length, { verify: false });
  assert.deepEqual((await chain.decode(encoded)).data, decoded);
});

test("wrong checksums are reported on request", async () => {
  const { encoded, decoded } = find("zstd", "level 3, checksum");
  encoded[encoded.length - 1] ^= 1;
  const reports = [];
  const chain = await chainOf("zstd", decoded.length, { verify: (error) => reports.push(error) });
  assert.deepEqual((await chain.decode(encoded)).data, decoded);
  assert.deepEqual(
    reports.map((error) => error.constructor),
    [ChecksumMismatchError],
  );
});

test("there are no encoders", async () => {
  const chain = await chainOf("blosc", 2);
  await assert.rejects(chain.encode(Uint8Array.of(1, 2)), {
    constructor: ExternalCodecError,
    path: "codecs[1]",
  });
});

/** Returns a frame of zeros without a checksum: blocks of one byte, repeated. */
function zeros(count) {
  const blocks = Array.from({ length: count }, (_, i) => [Number(i === count - 1) | 2, 0, 0x10, 0]);
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, ...blocks.flat()]);
}

const BLOCK = 131_072;
const MIB = 1024 * 1024;

test("memory is the chunk and 1 MiB", { skip: backend() === "portable" }, async () => {
  const dropping = await chainOf("zstd", 600 * BLOCK);
  for (const count of [1, 64, 400]) {
    await dropping.decode(zeros(600));
    const chain = await chainOf("zstd", count * BLOCK);
    for (let i = 0; i < 3; i += 1) {
      const { data } = await chain.decode(zeros(count));
      assert.equal(data.length, count * BLOCK);
    }
    const bytes = instances.at(-1).exports.memory.buffer.byteLength;
    assert.ok(bytes <= count * BLOCK + MIB, `${bytes} bytes for ${count * BLOCK}`);
  }
});

test("an instance that has grown above 64 MiB is dropped", { skip: backend() === "portable" }, async () => {
  const [small, large] = [await chainOf("zstd", BLOCK), await chainOf("zstd", 600 * BLOCK)];
  await small.decode(zeros(1));
  const before = instances.length;
  await large.decode(zeros(600));
  await small.decode(zeros(1));
  await small.decode(zeros(1));
  assert.equal(instances.length, before + 1);
});

test("a bomb whose length nobody knows is refused before it is inflated", async () => {
  const zstd = zeros(4097); // 512 MiB and a block more.
  const gzip = gzipSync(randomBytes(600_000), { level: 0 });
  gzip.writeUInt32LE(2 ** 29 + 1, gzip.length - 4);
  const before = instances.at(-1)?.exports.memory.buffer.byteLength;
  for (const [codec, bomb] of Object.entries({ zstd, gzip: new Uint8Array(gzip) })) {
    // What the last codec decodes to is compressed again.
    const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes", "zstd", codec] });
    await assert.rejects(chain.decode(bomb), {
      constructor: ExternalCodecError,
      message: /^codecs\[2\]: (zstd|gzip): unknown decoded length of more than 512 MiB at byte 0$/,
    });
  }
  const after = instances.at(-1)?.exports.memory.buffer.byteLength;
  assert.ok(after === undefined || after <= before + MIB, `${before} and then ${after} bytes`);
});
