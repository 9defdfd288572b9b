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
    ...{ bundle: true, write: false, format: "esm", logLevel: "error" },
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
        const { register } = await import("zarr-codecs/zarrita");
        const { arrayMetadata, readChunk, readStores } = await import("/zarrita/stores.mjs");
        const unregister = register(zarrita.registry);
        const seen = { wrong: [] };
        for (const file of ["zarr-python.json", "tensorstore.json"]) {
          const { read, wrong } = await readStores(zarrita, await (await fetch(`/zarrita/${file}`)).json());
          seen[file] = read;
          seen.wrong.push(...wrong);
        }
        const metadata = arrayMetadata({
          codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
        });
        const damaged = await readChunk(zarrita, metadata, new Uint8Array(12)).catch(
          (error) => error.cause ?? error,
        );
        seen.code = damaged.code;
        unregister();
        return seen;
      }, name);
      const missing = version < "0.7" ? 2 : 0; // Fill values whose components differ need zarrita 0.7.
      assert.deepEqual(seen, {
        wrong: [],
        "zarr-python.json": 50 - missing,
        "tensorstore.json": 54 - missing,
        code: "checksum_mismatch",
      });
    });
  }

  for (const writer of ["zarr-python", "tensorstore", "zarrs"]) {
    test(`withShards: the shards of ${writer}`, async () => {
      const { read, wrong } = await tab.evaluate(async (writer) => {
        const zarrita = await import("zarrita");
        const { register, withExtendedTypes, withShards } = await import("zarr-codecs/zarrita");
        const { elementsOf, expectedOf, openArray, storeOf } = await import("/zarrita/stores.mjs");
        const contents = await (await fetch(`/shards/${writer}.json`)).json();
        const store = withExtendedTypes(withShards(storeOf(contents), { codecs: zarrita.registry }));
        const unregister = register(zarrita.registry);
        const seen = { read: 0, wrong: [] };
        for (const [name, described] of Object.entries(contents.arrays)) {
          const array = await openArray(zarrita, store, `/${name}`);
          const chunk = array.shape.length === 0 ? await array.getChunk([]) : await zarrita.get(array);
          const { values } = expectedOf(described, described.shape);
          if (`${elementsOf(chunk)}` === `${values}`) seen.read += 1;
          else seen.wrong.push(name);
        }
        unregister();
        return seen;
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
