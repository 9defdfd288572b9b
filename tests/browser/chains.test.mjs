// Chains with codecs of others in Chromium: every chunk in both directions with zarrita's codecs and with the host's, and every
// damage.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { build } from "esbuild";
import { CHAIN_COUNTS, DAMAGE_COUNT } from "../js/chains.mjs";
import { readVectors } from "../js/helpers.mjs";
import { openPage, TESTS } from "./chromium.mjs";

/** Bundles zarrita, whose own imports name packages. */
async function zarrita() {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "zarrita";', resolveDir: TESTS },
    ...{ bundle: true, write: false, format: "esm", logLevel: "error" },
  });
  return outputFiles[0].text;
}

describe("chains in Chromium", () => {
  let browser;
  let tab;
  let problems;

  before(async () => {
    ({ browser, tab, problems } = await openPage({ zarrita }));
  });

  after(() => browser?.close());

  for (const [file, arrays] of Object.entries(CHAIN_COUNTS)) {
    test(`the chunks of ${file} decode, and encode to what decodes to the same`, async (t) => {
      const seen = await tab.evaluate(async (file) => {
        const { loadCodecChain } = await import("zarr-codecs");
        const { registry } = await import("zarrita");
        const { chainChunksOf, consistsOf, DEFLATE } = await import("/js/chains.mjs");
        const { sameBytes } = await import("/js/vectors.mjs");
        const vectors = await (await fetch(`/vectors/chains/${file}`)).json();
        const seen = { arrays: vectors.arrays.length, zarrita: 0, host: 0, encoded: 0, wrong: [] };
        const compare = (what, actual, expected) => {
          if (!sameBytes(actual, expected)) seen.wrong.push(what);
        };
        for (const { where, metadata, options, encoded, components } of chainChunksOf(vectors)) {
          const chain = await loadCodecChain(metadata, { ...options, codecs: registry });
          compare(`${where}, zarrita's`, (await chain.decode(encoded)).data, components);
          seen.zarrita += 1;
          if (!consistsOf(metadata, DEFLATE)) continue;
          const host = await loadCodecChain(metadata, options);
          compare(`${where}, the host's`, (await host.decode(encoded)).data, components);
          const again = await host.encode(components);
          compare(`${where}, encoded`, (await host.decode(again)).data, components);
          compare(`${where}, encoded, zarrita's`, (await chain.decode(again)).data, components);
          seen.host += 1;
        }
        return seen;
      }, file);
      t.diagnostic(`${seen.zarrita} chunks, ${seen.host} with the host's codecs`);
      assert.deepEqual(seen.wrong, []);
      assert.equal(seen.arrays, arrays);
      assert.ok(seen.zarrita >= arrays && (seen.host > 0 || file.includes("rectilinear")));
    });
  }

  test("every damage is an error of the right class", async () => {
    const files = Object.fromEntries(
      Object.keys(CHAIN_COUNTS).map((file) => [file, readVectors(`chains/${file}`)]),
    );
    const seen = await tab.evaluate(async (files) => {
      const codecs = await import("zarr-codecs");
      const { registry } = await import("zarrita");
      const { consistsOf, damagedChunks, DEFLATE } = await import("/js/chains.mjs");
      const described = await (await fetch("/vectors/chains/damaged.json")).json();
      const seen = { zarrita: 0, host: 0, wrong: [] };
      for (const { where, metadata, damaged, expected } of damagedChunks(described, (file) => files[file])) {
        const check = async (provider, options) => {
          const chain = await codecs.loadCodecChain(metadata, options);
          const error = await chain.decode(damaged).then(
            () => undefined,
            (error) => error,
          );
          const isExpected = expected.some((name) => error instanceof codecs[name]);
          if (!isExpected) seen.wrong.push(`${where}, ${provider}: ${error?.message ?? "no error"}`);
          seen[provider] += 1;
        };
        await check("zarrita", { codecs: registry });
        if (consistsOf(metadata, DEFLATE)) await check("host", {});
      }
      return seen;
    }, files);
    assert.deepEqual(seen.wrong, []);
    assert.equal(seen.zarrita, DAMAGE_COUNT);
    assert.ok(seen.host > 0);
  });

  test("nothing is logged", () => {
    assert.deepEqual(problems, []);
  });
});
