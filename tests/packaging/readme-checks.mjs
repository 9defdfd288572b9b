// What is checked after an example of the README has run.

/**
 * By what stands in an example. One to which nothing applies fails. Around them: the folder data.zarr is there, in which a
 * chunk is missing; damaged.zarr is the same with one bit flipped, in an array's chunk 0, 0 each; both are on the server
 * at ORIGIN, which answers 500 for the chunk 1, 1.
 */
export const CHECKS = [
  [
    /\bread\.field\("point", "x"\)/,
    `assert.equal(x, 1);
     assert.equal(date.toISOString(), "2022-04-06T17:50:41.664Z");
     assert.equal(Buffer.from(read.data).toString("hex"), "0000000080010000" + "0000803f");`,
  ],
  [
    /\bconst encoded = chain\.encode\(new Float32Array\(\[1, 2, 3, 4\]\)\)/,
    // 1, 2, 3 and 4 as big-endian binary32; the checksum is that of the google-crc32c package.
    `assert.equal(Buffer.from(encoded).toString("hex"), "3f800000400000004040000040800000172e912a");
     assert.deepEqual(chunk, { data: new Float32Array([1, 2, 3, 4]), shape: [2, 2], stride: [2, 1] });`,
  ],
  [
    /\bconst \{ data, shape \} = /,
    `assert.deepEqual({ data, shape }, { data: firstChunk(), shape: [24, 48] });
     assert.equal(await readChunk([2, 2]), undefined);`,
  ],
  [
    /\bawait fetch\(/,
    `await assert.rejects(readChunk([1, 1]), { message: process.env.ORIGIN + "data.zarr/temperature/c/1/1: 500" });`,
  ],
  [
    /\bexport function chunkKey\b/,
    // The keys of the core specification: those of the chunk 1, 23, 45, and of the one chunk of an array without axes.
    `const keys = (name, configuration) =>
       [[1, 23, 45], []].map((at) => chunkKey({ chunk_key_encoding: { name, configuration } }, at));
     assert.deepEqual(keys("default"), ["c/1/23/45", "c"]);
     assert.deepEqual(keys("default", { separator: "/" }), ["c/1/23/45", "c"]);
     assert.deepEqual(keys("default", { separator: "." }), ["c.1.23.45", "c"]);
     assert.deepEqual(keys("v2"), ["1.23.45", "0"]);
     assert.deepEqual(keys("v2", { separator: "/" }), ["1/23/45", "0"]);
     assert.equal(chunkKey({ chunk_key_encoding: "v2" }, [1, 2]), "1.2");
     assert.throws(() => keys("other"), { message: "unknown chunk key encoding: other" });`,
  ],
  [
    /\bloadCodecChain\(metadata, \{ codecs/,
    // Arrays of zarr-python with its default codecs and with gzip.
    `for (const [name, { metadata, chunks }] of Object.entries(COMPRESSED)) {
       const chain = await loadCodecChain(metadata, { codecs: typeof codecs === "object" ? codecs : registry });
       const decode = (key) => chain.decode(new Uint8Array(Buffer.from(chunks[key], "base64")));
       const [first, atTheEdge] = [await decode("c/0/0"), await decode("c/2/1")];
       assert.deepEqual([name, ...first.data], [name, 0, 1, 2, 6, 7, 8]);
       // The array has five rows, the chunk its full shape.
       assert.deepEqual([...atTheEdge.data.subarray(0, 3), ...atTheEdge.shape], [27, 28, 29, 2, 3]);
     }`,
  ],
  [
    /\bshards\.encode\(/,
    `assert.equal(shard.length, 4 * 2 + 4 + 2 * 16 + 4);
     assert.deepEqual(shard.subarray(0, 8), Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0));
     assert.deepEqual(whole.data, Uint16Array.of(7, 7, 1, 2, 7, 7, 3, 4));`,
  ],
  [
    /\bloadCodecChain\(\{/,
    `assert.deepEqual(inCOrder, { data: Int16Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3], stride: [3, 1] });
     assert.deepEqual(asStored, { data: Int16Array.of(1, 4, 2, 5, 3, 6), shape: [2, 3], stride: [1, 2] });
     const { crc32c } = await import("zarr-codecs");
     const { gunzipSync } = await import("node:zlib");
     const [payload, stored] = [Buffer.from(bytes.subarray(0, -4)), Buffer.from(bytes.subarray(-4))];
     assert.equal(stored.readUInt32LE(), crc32c(payload));
     assert.deepEqual([...new Int16Array(Uint8Array.from(gunzipSync(payload)).buffer)], [1, 4, 2, 5, 3, 6]);`,
  ],
  [
    /import "zarr-codecs\/register"/,
    `assert.deepEqual(await firstChunkThroughZarrita("data.zarr"), firstChunk());
     await assert.rejects(firstChunkThroughZarrita("damaged.zarr"), isChecksumMismatch);`,
  ],
  [
    /\bconst unregister = register\(registry, \{\n *verify: \(error\) => console\.warn\(error\.message\)/,
    `const warnings = [];
     console.warn = (...words) => warnings.push(words.join(" "));
     const damaged = await firstChunkThroughZarrita("damaged.zarr");
     assert.equal(damaged.length, firstChunk().length);
     assert.match(warnings.join(), /^chunk is corrupt: crc32c /);
     unregister();
     await firstChunkThroughZarrita("damaged.zarr");
     assert.equal(warnings.length, 1);`,
  ],
  [
    /\bopenShard\(chain, /,
    `assert.deepEqual([shard.gridShape, shard.chunkShape], [[1, 3, 4, 6], [1, 1, 16, 16]]);
     const whole = chain.decode(await file.readFile());
     await file.close();
     const rows = Array.from({ length: 16 }, (_, y) => [...whole.data.subarray((64 + y) * 96, (64 + y) * 96 + 16)]);
     assert.deepEqual([...chunk.data], rows.flat());
     assert.equal(shard.has([0, 1, 3, 5]), false);
     assert.equal(await shard.decode([0, 1, 3, 5]), undefined);`,
  ],
  [
    /\bwithCodecs\(new FetchStore\(.*cells/,
    // The hash of the plane that zarr-python reads (../../clients/cells.json).
    `assert.deepEqual([array.chunks, plane.shape], [[1, 1, 16, 16], [32, 40]]);
     const { createHash } = await import("node:crypto");
     const { planes } = JSON.parse(readFileSync("../../clients/cells.json", "utf8"));
     assert.equal(createHash("sha256").update(plane.data).digest("hex"), planes[2][1]);`,
  ],
  [
    /\bwithCodecs\(new FetchStore\(.*spectrum/,
    `assert.deepEqual([spectrum.dtype, spectrum.shape], ["float32", [96, 40, 2]]);
     const { data, shape } = await spectrum.getChunk([0, 0, 0]);
     assert.deepEqual({ data, shape }, { data: firstChunk("spectrum", 2 * 32 * 20), shape: [32, 20, 2] });`,
  ],
  [
    /import \{ addCodec \} from "zarr"/,
    `const { getCodec } = await import("zarr");
     const codec = await getCodec({ id: "crc32c" });
     const text = new TextEncoder().encode("123456789");
     const checked = await codec.encode(text);
     assert.equal(Buffer.from(checked.slice(-4)).toString("hex"), "839206e3"); // the CRC catalogue's check value
     assert.deepEqual(await codec.decode(checked), text);
     checked[0] ^= 1;
     await assert.rejects(async () => codec.decode(checked), isChecksumMismatch);`,
  ],
  [
    /import \{ Crc32c, crc32c, /,
    // The same check value.
    `assert.deepEqual([checksum, incremental, joined], Array(3).fill(0xe3069283));
     assert.deepEqual([encoded.length, new TextDecoder().decode(decoded)], [9, "12345"]);`,
  ],
  [
    /\bfunction decodeIntact\b/,
    `const { createCodecChain } = await import("zarr-codecs");
     const chain = createCodecChain(JSON.parse(readFileSync("data.zarr/temperature/zarr.json", "utf8")));
     const chunkOf = (store) => readFileSync(store + "/temperature/c/0/0");
     const warnings = [];
     console.warn = (text) => warnings.push(text);
     assert.deepEqual(decodeIntact(chain, chunkOf("data.zarr")).data, firstChunk());
     assert.equal(decodeIntact(chain, chunkOf("damaged.zarr")), undefined);
     assert.match(warnings.join(), /^chunk is corrupt: crc32c .*; probably a flipped bit: bit 0 of byte 100 /);
     assert.throws(() => decodeIntact(chain, new Uint8Array(3)), { code: "chunk_length" });`,
  ],
  [
    /\bfunction decodeRepaired\b/,
    `const { createCodecChain } = await import("zarr-codecs");
     const chain = createCodecChain(JSON.parse(readFileSync("data.zarr/temperature/zarr.json", "utf8")));
     const chunk = readFileSync("data.zarr/temperature/c/0/0");
     chunk[100] ^= 8;
     assert.deepEqual(decodeRepaired(chain, chunk).data, firstChunk());
     chunk[200] ^= 8;
     assert.throws(() => decodeRepaired(chain, chunk), { code: "checksum_mismatch" });
     assert.throws(() => decodeRepaired(chain, new Uint8Array(3)), { code: "chunk_length" });`,
  ],
];

/** What the checks use. */
export const HELPERS = `
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const COMPRESSED = JSON.parse(readFileSync("../compressed.json", "utf8")).arrays;
function firstChunk(array = "temperature", length = 24 * 48) {
  const bytes = readFileSync("data.zarr/" + array + "/c/0/0");
  return Float32Array.from({ length }, (_, i) => bytes.readFloatBE(4 * i));
}
async function firstChunkThroughZarrita(store) {
  const { FetchStore, open } = await import("zarrita");
  const array = await open(new FetchStore(process.env.ORIGIN + store + "/temperature"), { kind: "array" });
  return (await array.getChunk([0, 0])).data;
}
const isChecksumMismatch = (error) => (error.cause ?? error).code === "checksum_mismatch";
`;
