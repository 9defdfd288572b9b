// Chunks that a server does not answer: nothing is known about them, and they can be read again.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { usePage } from "./page.mjs";
import { expectOpen, integrityOf, viewerOf } from "./sections.mjs";
import { encoded, STORES, startServer } from "./server.mjs";

/** Makes a store of 12 chunks with checksums. */
function checkedStore() {
  const codecs = ["bytes", "crc32c"];
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [48],
    data_type: "uint8",
    fill_value: 0,
    attributes: {},
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "default" },
    codecs,
  };
  const chain = createCodecChain({ dataType: "uint8", shape: [4], codecs });
  const chunks = Array.from({ length: 12 }, (_, i) => [
    `s.zarr/c/${i}`,
    chain.encode(Uint8Array.of(i, 1, 2, 3)),
  ]);
  return new Map([["s.zarr/zarr.json", encoded(metadata)], ...chunks]);
}

/** Ways not to answer, and what the page says of them. */
const FAILURES = [
  [503, "the server answered 503 Service Unavailable"],
  [403, "the server answered 403 Forbidden"],
  ["stall", "the server sent nothing for 10 s"],
];

describe("chunks that are not answered", () => {
  const page = usePage();

  async function serve(files, store, fail) {
    const server = Object.assign(await startServer(files), { fail });
    return { server, tab: await page.open(`?source=${server.url}${store}`, { mayFail: true }) };
  }

  const notice = (viewer) => viewer.section.locator(".notice");
  const damage = (viewer) => viewer.section.getByRole("alert");

  for (const [failure, reason] of FAILURES) {
    test(`a chunk that is not answered (${failure}) is unread, not damaged, and can be read again`, async () => {
      const fail = (path) => (path === "weather.zarr/temperature/c/0/1/2" ? failure : undefined);
      const { server, tab } = await serve(STORES, "weather.zarr", fail);
      const viewer = viewerOf(tab);
      await notice(viewer).getByText(`temperature/c/0/1/2: ${reason}`).waitFor();
      assert.equal(await damage(viewer).isVisible(), false);
      assert.equal(await viewer.section.locator("rect.damaged").count(), 0);
      assert.equal(await viewer.section.locator("rect.unreadable").count(), 1);
      assert.equal(await tab.locator("#break-a-byte .verdict .bad").count(), 0);
      await viewer.expectAt(0, 71, [36, 72], "time 0 (2020-01-01) lat 35 (87.5 °N) lon 71 (355 °E) —");
      server.fail = () => undefined;
      await notice(viewer).getByRole("button", { name: "Try again" }).click();
      await notice(viewer).waitFor({ state: "hidden" });
      await viewer.expectAt(0, 71, [36, 72], "time 0 (2020-01-01) lat 35 (87.5 °N) lon 71 (355 °E) 87.5");
      await viewer.section.locator('.stage[aria-busy="false"]').waitFor();
      assert.equal(await damage(viewer).isVisible(), false);
      assert.equal(await viewer.section.locator("rect").count(), 0);
      await tab.locator("#break-a-byte .verdict").last().getByText("No error.").waitFor();
    });

    test(`chunks that are not answered (${failure}) are unreadable, not damaged, until Retry reads them`, async () => {
      const fail = (path) => (/c\/[37]$/.test(path) ? failure : undefined);
      const { server, tab } = await serve(checkedStore(), "s.zarr", fail);
      await expectOpen(tab, `${server.url}s.zarr`);
      const integrity = integrityOf(tab);
      assert.deepEqual(await integrity.verify(), { "checksum verified": 10, unreadable: 2 });
      const problems = await integrity.failures.allInnerTexts();
      assert.deepEqual(problems, [`? unreadable c/3 ${reason}`, `? unreadable c/7 ${reason}`]);
      assert.match(await integrity.detailOf(3), /^c\/3 \? unreadable Meaning .*nothing is known about it/);

      server.fail = (path) => (/c\/7$/.test(path) ? failure : undefined);
      server.requests.length = 0;
      const retry = integrity.section.getByRole("button", { name: "Retry" });
      await retry.click();
      await integrity.section.getByText(/ in [\d.]+ s$/).waitFor();
      assert.deepEqual(await integrity.counts(), { "checksum verified": 11, unreadable: 1 });
      const read = server.requests.map(({ path }) => path).filter((path) => path.includes("/c/"));
      assert.deepEqual([...new Set(read)].sort(), ["s.zarr/c/3", "s.zarr/c/7"]);

      server.fail = () => undefined;
      await retry.click();
      await retry.waitFor({ state: "hidden" });
      await integrity.section.getByText(/ in [\d.]+ s$/).waitFor();
      assert.deepEqual(await integrity.counts(), { "checksum verified": 12 });
      assert.equal(await integrity.failures.count(), 0);
    });
  }
});
