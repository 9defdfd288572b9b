// Slow: many tabs of a browser.
//
// "Integrity" of stores on servers that damage, refuse, stall and forget: damage is never green, and what is healthy never red.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync, zipSync, zlibSync } from "fflate";
import { createCodecChain } from "zarr-codecs";
import { usePage } from "./page.mjs";
import { expectAllRead, expectOpen, integrityOf } from "./sections.mjs";
import { encoded, STORES, startServer } from "./server.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

const arrayMetadata = (shape, chunkShape, codecs) => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "uint16",
  fill_value: 0,
  attributes: {},
  chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
  chunk_key_encoding: { name: "default" },
  codecs,
});

const sharding = (codecs, indexCodecs = [LITTLE, "crc32c"]) => [
  {
    name: "sharding_indexed",
    configuration: { chunk_shape: [8, 8], codecs, index_codecs: indexCodecs, index_location: "end" },
  },
];

/** Makes a store of two shards, of four inner chunks each. */
function shardedStore(codecs) {
  const metadata = arrayMetadata([32, 16], [16, 16], codecs);
  const chain = createCodecChain({ dataType: "uint16", shape: [16, 16], codecs, fillValue: 0 });
  const shard = (first) => chain.encode(Uint16Array.from({ length: 256 }, (_, i) => first + i));
  return new Map([
    ["s.zarr/zarr.json", encoded(metadata)],
    ["s.zarr/c/0/0", shard(1)],
    ["s.zarr/c/1/0", shard(300)],
  ]);
}

/** Makes a store of `count` chunks of four elements, encoded as `encode` does it. */
function flatStore(count, codecs, encode) {
  const files = new Map([["s.zarr/zarr.json", encoded(arrayMetadata([4 * count], [4], codecs))]]);
  for (let i = 0; i < count; i += 1) {
    const { buffer } = Uint16Array.of(i, i + 1, i + 2, i + 3);
    files.set(`s.zarr/c/${i}`, encode(new Uint8Array(buffer)));
  }
  return files;
}

/** Flips a bit of a copy of a file. */
function flip(files, key, byte, bit = 0) {
  const bytes = Uint8Array.from(files.get(key));
  bytes[byte < 0 ? bytes.length + byte : byte] ^= 1 << bit;
  files.set(key, bytes);
}

const withCrc32c = (count = 12) => {
  const codecs = [LITTLE, "crc32c"];
  const chain = createCodecChain({ dataType: "uint16", shape: [4], codecs });
  return flatStore(count, codecs, (bytes) => chain.encode(new Uint16Array(bytes.buffer)));
};

describe("integrity on servers", () => {
  const page = usePage();

  async function serve(files, { path = "s.zarr", ...behaviour } = {}) {
    const server = Object.assign(await startServer(files), behaviour);
    const tab = await page.open(`?source=${server.url}${path}`, { mayFail: true });
    await expectOpen(tab, server.url + path);
    return { server, tab, integrity: integrityOf(tab) };
  }

  test("a damaged shard index is named as such, with its reason, and spoils its own shard only", async () => {
    const files = shardedStore(sharding([LITTLE, "crc32c"]));
    flip(files, "s.zarr/c/0/0", -10);
    const { tab, integrity } = await serve(files);
    const alert = tab.locator("#viewer").getByRole("alert");
    await alert.getByText("c/0/0 [0, 0] and 3 more chunks: ChecksumMismatchError: shard index").waitFor();
    assert.equal(await alert.locator("p").count(), 1);
    assert.deepEqual(await integrity.verify(), { "checksum verified": 4, damaged: 4 });
    const [problem] = await integrity.failures.allInnerTexts();
    assert.match(
      problem,
      /^✗ damaged c\/0\/0, shard index \(4 inner chunks\) .*shard index.*crc32c stored 0x/,
    );
    assert.match(
      await integrity.detailOf(1),
      /^c\/0\/0 \[0, 1\] ✗ damaged Where the index of its shard Error .*shard index/,
    );
    assert.match(await integrity.detailOf(4), /^c\/1\/0 \[0, 0\] ✓ checksum verified/);
  });

  test("a damaged inner chunk has its coordinates, and its neighbours are sound", async () => {
    const files = shardedStore(sharding([LITTLE, "crc32c"]));
    flip(files, "s.zarr/c/1/0", 132 + 5, 3);
    const { integrity } = await serve(files);
    assert.deepEqual(await integrity.verify(), { "checksum verified": 7, damaged: 1 });
    const [problem] = await integrity.failures.allInnerTexts();
    assert.match(problem, /^✗ damaged c\/1\/0 \[0, 1\] .*crc32c stored 0x.*bit 3 of byte 5/);
  });

  test("inner chunks whose index has no checksum are not called verified", async () => {
    const { integrity } = await serve(shardedStore(sharding([LITTLE, "crc32c"], [LITTLE])));
    assert.deepEqual(await integrity.verify(), { "decoded, no checksum": 8 });
  });

  for (const [name, compress, wrongByte] of [
    ["gzip", gzipSync, -8],
    ["zlib", zlibSync, -1],
  ]) {
    test(`the checksum of ${name} is used`, async () => {
      const codec = { name: name === "zlib" ? "numcodecs.zlib" : name, configuration: { level: 5 } };
      const files = flatStore(3, [LITTLE, codec], (bytes) => compress(bytes));
      flip(files, "s.zarr/c/1", wrongByte);
      const { integrity } = await serve(files);
      assert.deepEqual(await integrity.verify(), { "checksum verified": 2, damaged: 1 });
    });
  }

  for (const level of [0, 6]) {
    test(`the checksums of a zip are used, entries ${level === 0 ? "stored" : "deflated"}`, async () => {
      const entries = Object.fromEntries(flatStore(3, [LITTLE], (bytes) => bytes));
      const zip = zipSync(entries, { level });
      const { integrity } = await serve(new Map([["s.zip", zip]]), { path: "s.zip" });
      assert.deepEqual(await integrity.verify(), { "checksum verified": 3 });
    });
  }

  test("a flipped bit in a zip, of which no codec knows", async () => {
    const zip = zipSync(Object.fromEntries(flatStore(3, [LITTLE], (bytes) => bytes)), { level: 0 });
    // The elements of the second chunk.
    zip[Buffer.from(zip.buffer, zip.byteOffset).indexOf(Buffer.from([1, 0, 2, 0, 3, 0, 4, 0])) + 2] ^= 64;
    const { integrity } = await serve(new Map([["s.zip", zip]]), { path: "s.zip" });
    assert.deepEqual(await integrity.verify(), { "checksum verified": 2, damaged: 1 });
    const [problem] = await integrity.failures.allInnerTexts();
    assert.match(problem, /c\/1 .*crc32 of the store 0x/);
  });

  test("an entry of a zip that cannot be inflated is damaged, not unreadable", async () => {
    const entries = Object.fromEntries(flatStore(3, [LITTLE], (bytes) => bytes));
    const zip = zipSync(entries, { level: 6 });
    // The bytes of the entry follow its name; the first three bits of a deflated block say how it was made.
    zip[Buffer.from(zip.buffer, zip.byteOffset).indexOf("s.zarr/c/1") + "s.zarr/c/1".length] = 0xff;
    const { integrity } = await serve(new Map([["s.zip", zip]]), { path: "s.zip" });
    assert.deepEqual(await integrity.verify(), { "checksum verified": 2, damaged: 1 });
    const [problem] = await integrity.failures.allInnerTexts();
    assert.match(problem, /the zip is damaged: this entry cannot be inflated/);
  });

  test("a chunk that is cut off is damaged", async () => {
    const files = withCrc32c();
    files.set("s.zarr/c/7", files.get("s.zarr/c/7").subarray(0, 9));
    const { integrity } = await serve(files);
    assert.deepEqual(await integrity.verify(), { "checksum verified": 11, damaged: 1 });
  });

  test("an unreadable shard is read again as a whole", async () => {
    const files = shardedStore(sharding([LITTLE, "crc32c"]));
    const { server, integrity } = await serve(files, {
      fail: (path) => (path.endsWith("c/1/0") ? 403 : undefined),
    });
    assert.deepEqual(await integrity.verify(), { "checksum verified": 4, unreadable: 4 });
    server.fail = () => undefined;
    await integrity.section.getByRole("button", { name: "Retry" }).click();
    await integrity.section.getByText(/ in [\d.]+ s$/).waitFor();
    assert.deepEqual(await integrity.counts(), { "checksum verified": 8 });
  });

  test("bytes that are wrong only once are not called damaged", async () => {
    const files = withCrc32c();
    const right = files.get("s.zarr/c/5");
    const { server, integrity } = await serve(files);
    flip(files, "s.zarr/c/5", 2);
    let reads = 0;
    server.fail = (path) => {
      if (path.endsWith("c/5")) reads += 1;
      if (reads > 1) files.set("s.zarr/c/5", right);
      return undefined;
    };
    assert.deepEqual(await integrity.verify(), { "checksum verified": 11, "wrong once": 1 });
    assert.match(await integrity.detailOf(5), /^c\/5 ! wrong once Meaning Wrong when it was read first/);
  });

  test("a part that arrives empty is read again, and was never wrong", async () => {
    const { server, tab, integrity } = await serve(shardedStore(sharding([LITTLE, "crc32c"])));
    await expectAllRead(tab);
    const answered = new Set();
    server.fail = (path) => {
      if (!path.includes("/c/") || answered.has(path)) return undefined;
      answered.add(path);
      return 206;
    };
    assert.deepEqual(await integrity.verify(), { "checksum verified": 8 });
    assert.equal(answered.size, 2);
  });

  test("a store of zarr-python: each chunk is requested once, also with shards", async () => {
    const { server, tab, integrity } = await serve(STORES, { path: "colours.zarr" });
    await expectAllRead(tab);
    server.requests.length = 0;
    const counts = await integrity.verify();
    assert.equal(counts.damaged, undefined);
    const read = server.requests.map(({ path }) => path).filter((path) => path.includes("/c/"));
    assert.equal(new Set(read).size, read.length);
    assert.ok(read.length > 1);
  });
});
