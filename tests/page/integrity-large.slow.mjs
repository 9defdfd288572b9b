// Slow, and measures time: "Integrity" of 102,400 chunks on a server that takes its time, and of more chunks than there are pixels for.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { LONGEST_TASK_MS, longestTask, usePage } from "./page.mjs";
import { breakAByteOf, expectOpen, integrityOf, OURS, THEIRS } from "./sections.mjs";
import { encoded, startServer } from "./server.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const LATENCY_MS = 150;

/** Makes a store of 100 shards, of 1024 inner chunks each, of which one is damaged. */
function manyInnerChunks() {
  const codecs = [
    {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: [4],
        codecs: [LITTLE, { name: "crc32c" }],
        index_codecs: [LITTLE, { name: "crc32c" }],
      },
    },
  ];
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [409_600],
    data_type: "uint16",
    fill_value: 0,
    codecs,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4096] } },
    chunk_key_encoding: { name: "default" },
  };
  const chain = createCodecChain({ dataType: "uint16", shape: [4096], codecs, fillValue: 0 });
  const files = new Map([["many.zarr/zarr.json", encoded(metadata)]]);
  for (let i = 0; i < 100; i += 1) {
    files.set(`many.zarr/c/${i}`, chain.encode(Uint16Array.from({ length: 4096 }, (_, at) => at + i + 1)));
  }
  files.get("many.zarr/c/77")[12 * 500] ^= 2;
  return files;
}

/** Makes the metadata of an array of 2,000,000 chunks, of which the server has one. */
function millions() {
  const codecs = [LITTLE, { name: "crc32c" }];
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [2000, 1000],
    data_type: "uint16",
    fill_value: 0,
    codecs,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 1] } },
    chunk_key_encoding: { name: "default" },
  };
  return new Map([["millions.zarr/zarr.json", encoded(metadata)]]);
}

describe("integrity of many chunks", () => {
  const page = usePage();

  async function serve(name, files) {
    const server = await startServer(files);
    const tab = await page.open(`?source=${server.url}${name}`, { mayFail: true });
    await expectOpen(tab, server.url + name);
    return { server, tab, integrity: integrityOf(tab) };
  }

  test("102,400 inner chunks at 150 ms for each answer: few requests, no long task", async (t) => {
    const { server, tab, integrity } = await serve("many.zarr", manyInnerChunks());
    const counts = { "checksum verified": 102_399, damaged: 1 };
    // The pictures have been read.
    for (const side of [THEIRS, OURS]) await breakAByteOf(tab).expectVerdict(side, /^No error/);
    server.delay = LATENCY_MS;
    const longest = await longestTask(page.browser, tab, LONGEST_TASK_MS, async () => {
      server.requests.length = 0;
      assert.deepEqual(await integrity.verify(), counts);
    });
    const keys = server.requests.filter(({ path }) => path.includes("/c/"));
    t.diagnostic(
      `${await integrity.section.locator(".hint").first().textContent()}; longest task: ${longest} ms`,
    );
    // The index of each shard, and all of its inner chunks; the damaged one is read again, after its index.
    assert.equal(keys.length, 202);
    assert.ok(longest <= LONGEST_TASK_MS, `a task of ${longest} ms`);
    assert.match(await integrity.failures.innerText(), /c\/77 \[500\]/);
    await integrity.grid.focus();
    await tab.keyboard.press("End");
    assert.match(await integrity.detail(), /^c\/99 \[1023\] ✓ checksum verified/);
  });

  test("two million chunks are a map whose cells stand for several", async (t) => {
    const longest = { open: 0 };
    const { tab, integrity } = await serve("millions.zarr", millions());
    longest.open = await longestTask(page.browser, tab, LONGEST_TASK_MS, async () => {
      await integrity.grid.focus();
      await tab.emulateMedia({ colorScheme: "dark" });
      await tab.waitForTimeout(1500);
      await tab.emulateMedia({ colorScheme: "light" });
    });
    t.diagnostic(`longest task: ${longest.open} ms`);
    assert.ok(longest.open <= LONGEST_TASK_MS, `a task of ${longest.open} ms`);
    const { width, height } = await integrity.grid.locator("canvas").boundingBox();
    assert.ok(width * height < 4e6, `${width} × ${height}`);
    assert.match(await integrity.detail(), /In this cell \d+ not checked/);
    await tab.keyboard.press("ArrowRight");
    assert.match(await integrity.detail(), /^c\/0\/\d+ not checked/);
  });
});
