// Chains with codecs of others in a browser: every chunk with zarrita's codecs and with none of the caller, and every damage.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { build } from "esbuild";
import { CHAIN_COUNTS, DAMAGE_COUNT } from "../js/chains.mjs";
import { SHARD_COUNTS, SHARD_DAMAGE_COUNT } from "../js/shards.mjs";
import { openPage, TESTS } from "./page.mjs";

/** Bundles zarrita, whose own imports name packages. */
async function zarrita() {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "zarrita";', resolveDir: TESTS },
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  return outputFiles[0].text;
}

/** Defines the tests for a browser, which `launch` starts. */
export function testChains(browserName, launch) {
  describe(`chains in ${browserName}`, () => {
    let browser;
    let tab;
    let problems;

    before(async () => {
      ({ browser, tab, problems } = await openPage({ zarrita }, launch));
    });

    after(() => browser?.close());

    /** Calls a function of chains.mjs in the page. */
    const call = (name, argument) =>
      tab.evaluate(
        async ([name, argument]) => (await import("/browser/chains.mjs"))[name](argument),
        [name, argument],
      );

    for (const [file, arrays] of Object.entries(CHAIN_COUNTS)) {
      test(`the chunks of ${file} decode, and encode to what decodes to the same`, async (t) => {
        const seen = await call("checkChunks", file);
        t.diagnostic(`${seen.zarrita} chunks`);
        assert.deepEqual(seen.wrong, [], String(seen));
        assert.equal(seen.arrays, arrays);
        assert.ok(seen.alone >= arrays && seen.zarrita === seen.alone);
      });
    }

    for (const [file, arrays] of Object.entries(SHARD_COUNTS)) {
      test(`the shards of ${file} decode, and encode to what decodes to the same`, async () => {
        const seen = await call("checkShards", file);
        assert.deepEqual(seen.wrong, [], String(seen));
        assert.equal(seen.arrays, arrays);
        assert.ok(seen.shards >= arrays);
      });
    }

    test("arrays as zarr-python compresses them are read through withCodecs without options", async () => {
      assert.deepEqual(await call("checkStores", "/store/default-stores.json"), { read: 15, wrong: [] });
    });

    test("every damage of a shard is an error of the right class that names the inner chunk", async () => {
      const seen = await call("checkDamagedShards", Object.keys(SHARD_COUNTS));
      assert.deepEqual(seen.wrong, [], String(seen));
      assert.equal(seen.shards, SHARD_DAMAGE_COUNT);
    });

    test("every damage is an error of the right class", async () => {
      const seen = await call("checkDamages", Object.keys(CHAIN_COUNTS));
      assert.deepEqual(seen.wrong, [], String(seen));
      assert.equal(seen.zarrita, DAMAGE_COUNT);
      assert.equal(seen.alone, DAMAGE_COUNT);
    });

    test("nothing is logged, except by Firefox itself for damaged compressed chunks", () => {
      const isExpected = (problem) => problem.startsWith("Failed to read data from the ReadableStream");
      assert.deepEqual(
        problems.filter((problem) => !isExpected(problem)),
        [],
      );
    });
  });
}
