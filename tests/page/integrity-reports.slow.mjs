// Slow: many tabs of a browser.
//
// Reports of the command line, opened in "Integrity".

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { verifyStore } from "zarr-codecs/verify";
import { expectAccessible, useFolder, usePage } from "./page.mjs";
import { dropPath, expectOpen } from "./sections.mjs";
import { encoded } from "./server.mjs";

const CODECS = ["bytes", "crc32c"];
const SHARDING = [
  {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: [1],
      codecs: CODECS,
      index_codecs: [{ name: "bytes", configuration: { endian: "little" } }, "crc32c"],
    },
  },
];

/** Makes a store with a shard whose second inner chunk is damaged, and chunks of which the last `wrong` ones are. */
function damagedStore(wrong) {
  const store = new Map([["/zarr.json", encoded({ zarr_format: 3, node_type: "group" })]]);
  const add = (name, shape, chunkShape, codecs) => {
    const metadata = {
      zarr_format: 3,
      node_type: "array",
      data_type: "uint8",
      shape,
      codecs,
      fill_value: 0,
      chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
      chunk_key_encoding: { name: "default" },
    };
    store.set(`/${name}/zarr.json`, encoded(metadata));
    return createCodecChain({ dataType: "uint8", shape: chunkShape, codecs, fillValue: 0 });
  };
  const shard = add("shards", [2], [2], SHARDING).encode(Uint8Array.of(1, 2));
  shard[5] ^= 1;
  store.set("/shards/c/0", shard);
  const chain = add("flat", [wrong + 1], [1], CODECS);
  for (let i = 0; i <= wrong; i += 1) {
    const chunk = chain.encode(Uint8Array.of(i % 256));
    if (i > 0) chunk[0] ^= 1;
    store.set(`/flat/c/${i}`, chunk);
  }
  return {
    ...store,
    get: (key) => store.get(key),
    *list() {
      for (const key of store.keys()) yield { key };
    },
  };
}

/** Writes a report as the command does. */
async function writeReport(path, wrong, { isKilled = false } = {}) {
  const lines = [{ run: { store: "/data/my.zarr", plan: {}, shares: 1, started: "2026-11-22T08:00:00Z" } }];
  const results = verifyStore(damagedStore(wrong));
  for (;;) {
    const { value, done } = await results.next();
    if (!done) {
      lines.push(value);
      continue;
    }
    if (isKilled) lines.push({ progress: { ...value, complete: false, verdict: "incomplete" } });
    else lines.push({ summary: { ...value, store: "/data/my.zarr", seconds: 1.25 } });
    break;
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(path, isKilled ? `${text}{"array":"flat","key":"fl` : text);
}

describe("reports of the command", () => {
  const page = usePage();
  const folder = useFolder();

  async function openPage() {
    const tab = await page.open();
    await expectOpen(tab, "Cells");
    const section = tab.locator("#integrity");
    return { tab, content: section.locator(".reports"), complaint: section.getByRole("alert") };
  }

  const inOneLine = async (locator) => (await locator.innerText()).replaceAll(/\s+/g, " ");

  test("a report that is dropped shows its summary and its units, and the open store stays open", async () => {
    const { tab, content } = await openPage();
    const path = join(folder, "report.jsonl");
    await writeReport(path, 2);
    await dropPath(tab, path);
    await content.getByText("✗ damaged").first().waitFor();
    const text = await inOneLine(content);
    assert.match(text, /report\.jsonl ✗ damaged Store \/data\/my\.zarr Verified 4 of 4 chunks and shards/);
    assert.match(text, /States 1 sound, 3 damaged Proofs 1 checksum, 3 none/);
    const rows = await content.locator("tbody tr").allInnerTexts();
    assert.equal(rows.length, 3);
    const shard = rows.find((row) => row.includes("shards/c/0"));
    assert.match(shard, /^✗ damaged\s+shards\/c\/0\s+\[1\]\s+.*crc32c stored 0x/);
    assert.ok(rows.some((row) => /^✗ damaged\s+flat\/c\/2\s+.*crc32c stored 0x/.test(row)));
    assert.ok(await tab.getByText("Open: Cells").isVisible());
    await expectAccessible(tab, "#integrity");
  });

  test("a report is chosen; of many units the first ones are listed", async () => {
    const { tab, content } = await openPage();
    const path = join(folder, "many.jsonl");
    await writeReport(path, 700);
    await tab.locator('#integrity input[type="file"]').setInputFiles(path);
    await content.getByText("and 201 more").waitFor();
    assert.equal(await content.locator("tbody tr").count(), 500);
  });

  test("a report of a run that was killed", async () => {
    const { tab, content } = await openPage();
    const path = join(folder, "killed.jsonl");
    await writeReport(path, 1, { isKilled: true });
    await dropPath(tab, path);
    await content.getByText("? ends early: it has no summary").waitFor();
    assert.match(await inOneLine(content), /Verified 3 of 3 chunks and shards/);
  });

  for (const [name, text, reason] of [
    ["json", '{"a": 1}\n', 'no line of such a report: {"a":1}'],
    ["text", "once upon a time\n", "line 1 is not JSON: once upon a time"],
    ["nothing", "", "it is empty"],
    ["a list", "[1, 2]\n", "no line of such a report: [1,2]"],
    ["half a line", '{"array":', 'line 1 is not JSON: {"array":'],
    ["null", "null\n", "no line of such a report: null"],
  ]) {
    test(`a file that is no report: ${name}`, async () => {
      const { tab, content, complaint } = await openPage();
      const path = join(folder, "other.jsonl");
      writeFileSync(path, text);
      await dropPath(tab, path);
      await complaint.waitFor();
      const sentence = "other.jsonl is not a report of “zarr-codecs verify --jsonl”";
      assert.equal(await complaint.innerText(), `${sentence}: ${reason}.`);
      assert.equal(await content.locator("table").count(), 0);
    });
  }
});
