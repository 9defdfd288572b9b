// Shards in a bucket of R2, read in Cloudflare's workerd: `npm run test:all -- workerd`, which installs it on first use.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { load } from "../../scripts/runtimes.mjs";
import { flip, openStore, valuesOf } from "./stores.mjs";

/** The modules, which workerd compiles from files of their own. */
const MODULES = ["zarr_codecs.wasm", "zarr_decoders.wasm"];
const DIST = fileURLToPath(new URL("../node_modules/zarr-codecs/dist", import.meta.url));

/** Bundles the worker. */
async function bundle() {
  const outdir = fileURLToPath(new URL("../../target/shards-workerd", import.meta.url));
  mkdirSync(outdir, { recursive: true });
  const entry = fileURLToPath(new URL("in-workerd.js", import.meta.url));
  await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    format: "esm",
    conditions: ["workerd"],
    external: ["*.wasm", "numcodecs/*"],
    logLevel: "warning",
  });
  const contents = readFileSync(join(outdir, "in-workerd.js"), "utf8");
  return contents.replace(/"[^"]*\/(zarr_\w+\.wasm)"/g, '"./$1"');
}

describe("workerd, ranges from R2", () => {
  let miniflare;
  before(async () => {
    const { Miniflare } = load("workerd");
    miniflare = new Miniflare({
      modules: [
        { type: "ESModule", path: "in-workerd.js", contents: await bundle() },
        ...MODULES.map((path) => ({ type: "CompiledWasm", path, contents: readFileSync(join(DIST, path)) })),
      ],
      modulesRoot: "/",
      compatibilityDate: "2026-01-01",
      r2Buckets: ["BUCKET"],
    });
    const bucket = await miniflare.getR2Bucket("BUCKET");
    const damaged = openStore("tensorstore");
    flip(damaged, "/end/c/0/0", 20);
    flip(damaged, "/start/c/0/0", 20);
    for (const [prefix, files] of Object.entries({ intact: openStore("tensorstore"), damaged })) {
      for (const [key, bytes] of files) await bucket.put(`${prefix}${key}`, bytes);
    }
  });
  after(() => miniflare.dispose());

  const ask = async (path) => (await miniflare.dispatchFetch(`http://worker${path}`)).json();

  test("openShard: one request for the index, one for neighbouring inner chunks", async () => {
    const { values } = valuesOf("tensorstore", "end");
    for (const [name, index] of [
      ["end", { suffixLength: 100 }],
      ["start", { offset: 0, length: 100 }],
    ]) {
      const { data, requests } = await ask(`/intact/${name}?shard=c/0/0`);
      assert.deepEqual(data, [
        [0, 1, 2, 15, 16, 17].map((i) => values[i]),
        [3, 4, 5, 18, 19, 20].map((i) => values[i]),
      ]);
      assert.deepEqual(requests, [index, { offset: name === "end" ? 0 : 100, length: 32 }]);
    }
  });

  test("through zarrita with withCodecs", async () => {
    for (const name of ["end", "start", "nested", "transposed-outside", "missing", "zstd", "gzip"]) {
      const { data, message } = await ask(`/intact/${name}`);
      assert.deepEqual(data, valuesOf("tensorstore", name).values, message);
    }
  });

  test("errors name the place", async () => {
    const { message, ...place } = await ask("/damaged/end");
    assert.deepEqual(place, {
      code: "checksum_mismatch",
      key: "/damaged/end/c/0/0",
      chunk: [0, 1],
      range: { offset: 16, length: 16 },
    });
    const index = await ask("/damaged/start?shard=c/0/0");
    assert.deepEqual([index.code, index.range], ["checksum_mismatch", { offset: 0, length: 100 }], message);
  });
});
