// The package in Chromium, with zarrita of every version: real stores, and a wrong checksum.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { build } from "esbuild";
import { openPage, TESTS } from "./page.mjs";

const VERSIONS = { 0.4: "zarrita-0.4", 0.5: "zarrita-0.5", 0.6: "zarrita-0.6", 0.7: "zarrita" };

/** Bundles a version of zarrita, whose own imports name packages. */
async function bundle(name) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${name}";`, resolveDir: TESTS },
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
  });
  return outputFiles[0].text;
}

describe("zarrita in Chromium", () => {
  let browser;
  let tab;
  let problems;

  before(async () => {
    const scripts = Object.values(VERSIONS).map((name) => [name, () => bundle(name)]);
    ({ browser, tab, problems } = await openPage(Object.fromEntries(scripts)));
  });

  after(() => browser?.close());

  for (const [version, name] of Object.entries(VERSIONS)) {
    test(`zarrita ${version} reads real stores, and a wrong checksum is found`, async () => {
      const seen = await tab.evaluate(async (name) => {
        const zarrita = await import(name);
        const { withCodecs } = await import("zarr-codecs");
        const { arrayMetadata, readChunk, readStores } = await import("/zarrita/stores.mjs");
        const seen = { wrong: [] };
        for (const file of ["zarr-python.json", "tensorstore.json"]) {
          const { read, wrong } = await readStores(zarrita, await (await fetch(`/zarrita/${file}`)).json());
          seen[file] = read;
          seen.wrong.push(...wrong);
        }
        const metadata = arrayMetadata({
          codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
        });
        const damaged = await readChunk(zarrita, metadata, new Uint8Array(12), withCodecs).catch(
          (error) => error.cause ?? error,
        );
        seen.code = damaged.code;
        return seen;
      }, name);
      assert.deepEqual(seen, {
        wrong: [],
        "zarr-python.json": 50,
        "tensorstore.json": 54,
        code: "checksum_mismatch",
      });
    });
  }

  for (const writer of ["zarr-python", "tensorstore", "zarrs"]) {
    test(`withCodecs: the shards of ${writer}`, async () => {
      const { read, wrong } = await tab.evaluate(async (writer) => {
        const zarrita = await import("zarrita");
        const { readStores } = await import("/zarrita/stores.mjs");
        const contents = await (await fetch(`/shards/${writer}.json`)).json();
        return readStores(zarrita, contents);
      }, writer);
      assert.deepEqual(wrong, []);
      assert.ok(read >= 18, `${read}`);
    });
  }

  test("importing zarr-codecs/register is enough", async () => {
    const codes = await tab.evaluate(async () => {
      const zarrita = await import("zarrita");
      const { arrayMetadata, readChunk } = await import("/zarrita/stores.mjs");
      const metadata = arrayMetadata({
        codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
      });
      const read = () =>
        readChunk(zarrita, metadata, new Uint8Array(12)).then(
          () => "not verified",
          (error) => error.cause.code,
        );
      const alone = await read();
      await import("zarr-codecs/register");
      return [alone, await read()];
    });
    assert.deepEqual(codes, ["not verified", "checksum_mismatch"]);
  });

  test("the console stays empty", () => {
    assert.deepEqual(problems, []);
  });
});
