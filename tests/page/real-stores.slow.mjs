// Slow: many tabs of a browser.
//
// Stores of zarr-python and xarray on servers of all kinds: healthy data are never shown as damaged, and nothing stays raw.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { ARRAY_TYPES } from "../js/vectors.mjs";
import { storeOf } from "../zarrita/stores.mjs";
import { usePage } from "./page.mjs";
import { expectAllRead, integrityOf, viewerOf } from "./sections.mjs";
import { encoded, STORES, startServer } from "./server.mjs";

const group = (attributes = {}, more = {}) =>
  encoded({ zarr_format: 3, node_type: "group", attributes, ...more });

const arrayMetadata = (shape, chunkShape, more = {}) => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "uint16",
  fill_value: 0,
  attributes: {},
  chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
  chunk_key_encoding: { name: "default" },
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  ...more,
});

describe("real stores", () => {
  const page = usePage();

  /** Serves files, and opens a store of theirs. */
  async function serve(files, store, { behaviour = {}, hash = "" } = {}) {
    const server = Object.assign(await startServer(files), behaviour);
    const tab = await page.open(`?source=${server.url}${store}${hash}`, { mayFail: true });
    return { server, tab, viewer: viewerOf(tab) };
  }

  const notice = (viewer) => viewer.section.locator(".notice");
  const damage = (viewer) => viewer.section.getByRole("alert");

  async function expectSound(tab, viewer) {
    await viewer.section.locator('.stage[aria-busy="false"]').waitFor();
    assert.equal(await damage(viewer).isVisible(), false);
    assert.equal(await notice(viewer).isVisible(), false);
    assert.equal(await tab.locator("#viewer .stage rect").count(), 0);
  }

  for (const store of ["weather.zarr", "weather2.zarr"]) {
    test(`${store}: data before coordinates, north above, dates`, async () => {
      const { tab, viewer } = await serve(STORES, store);
      await viewer.expectText("lat");
      const north = "time 0 (2020-01-01) lat 35 (87.5 °N) lon 0 (0 °E) 87.5";
      await viewer.expectAt(0, 0, [36, 72], north);
      await viewer.setSlider("time", 2);
      await viewer.section.getByText("2: 2020-01-03").waitFor();
      const south = "time 2 (2020-01-03) lat 0 (-87.5 °N) lon 71 (355 °E) 112.5";
      await viewer.expectAt(35, 71, [36, 72], south);
      await expectSound(tab, viewer);
    });
  }

  for (const [name, behaviour] of Object.entries({
    "any server": {},
    "a server without suffixes, whose HEAD has no length": { ranges: "no suffixes", head: "no length" },
    "a server without suffixes": { ranges: "no suffixes" },
    "a server that sends whole files and refuses HEAD": { ranges: "none", head: "refused" },
  })) {
    test(`shards with their index at the start, on ${name}`, async () => {
      const { server, tab, viewer } = await serve(STORES, "shards.zarr", { behaviour });
      await viewer.expectText("d0 32");
      await viewer.expectAt(63, 1, [64, 64], "d0 63 d1 1 4033");
      await viewer.expectAt(17, 40, [64, 64], "d0 17 d1 40 1128");
      await expectSound(tab, viewer);
      const ranges = server.requests.flatMap(({ range }) => range ?? []);
      assert.deepEqual(
        ranges.filter((range) => !/^bytes=(\d+-\d+|-\d+)$/.test(range)),
        [],
      );
      assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
    });
  }

  const defaults = JSON.parse(readFileSync(new URL("../store/default-stores.json", import.meta.url), "utf8"));

  for (const name of ["default-image", "default-labels", "blosc-sharded", "blosc-lz4", "numcodecs-lz4"]) {
    test(`${name}, as zarr-python compresses arrays, is read, verified and decoded by hand`, async () => {
      const files = [...storeOf(defaults)].map(([key, bytes]) => [key.slice(1), bytes]);
      const { tab, viewer } = await serve(new Map(files), name);
      const { dataType, elements } = defaults.arrays[name];
      const bytes = Uint8Array.from(Buffer.from(elements, "base64"));
      const values = new ARRAY_TYPES[dataType](bytes.buffer);
      await viewer.expectAt(0, 0, defaults.shape, `d0 0 d1 0 ${values[0]}`);
      await viewer.expectAt(59, 49, defaults.shape, `d0 59 d1 49 ${values.at(-1)}`);
      await expectSound(tab, viewer);
      assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
      await tab.locator("#own-chunk").getByRole("button", { name: "The chunk in the viewer" }).click();
      await tab.locator("#own-chunk").getByText(`${values.constructor.name} of 500`).waitFor();
    });
  }

  test("red, green and blue are shown together, and each chunk is requested once", async () => {
    const { server, tab, viewer } = await serve(STORES, "colours.zarr");
    await viewer.expectAt(31, 47, [32, 48], "d0 31 d1 47 Red 248 Green 235 Blue 0");
    const isPainted = (pixels) => {
      const [red, green, blue] = pixels.slice(4 * (10 * 48 + 20));
      return Math.abs(red - 80) <= 2 && Math.abs(green - 100) <= 2 && blue === 0;
    };
    await viewer.expectPixels((pixels) => isPainted(pixels), "the colours of the array", [32, 48]);
    await expectAllRead(tab);
    const paths = server.requests.map(({ path }) => path).filter((path) => path.includes("/c/"));
    assert.equal(paths.length, 6);
    assert.equal(new Set(paths).size, 6);
  });

  for (const [name, texts] of Object.entries({
    dates: ["2024-02-29", "2024-03-01", "not a time", "2025-12-31"],
    names: ["Zürich", "Kyōto", "Łódź"],
    codes: ["ab", "cde", ""],
    blobs: ["01 02 ff", "00 10 20"],
    points: ["id 1, height 2.5", "id -3, height 0.125"],
    words: ["one", "two", "three", "four"],
    waits: ["90 × s", "3 × s"],
  })) {
    test(`${name} are a table`, async () => {
      const { viewer } = await serve(STORES, "types.zarr", { hash: `#array=/${name}` });
      await viewer.section.locator(".elements td").last().waitFor();
      assert.deepEqual(await viewer.section.locator(".elements td").allInnerTexts(), texts);
      assert.equal(await damage(viewer).isVisible(), false);
    });
  }

  test("one wrong entry of an index fails its own chunk only", async () => {
    const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
    const configuration = {
      chunk_shape: [8, 8],
      codecs: [...codecs, { name: "crc32c" }],
      index_codecs: codecs,
      index_location: "end",
    };
    const sharding = [{ name: "sharding_indexed", configuration }];
    const metadata = arrayMetadata([16, 16], [16, 16], { codecs: sharding });
    const shard = createCodecChain({
      dataType: "uint16",
      shape: [16, 16],
      codecs: sharding,
      fillValue: 0,
    }).encode(Uint16Array.from({ length: 256 }, (_, i) => i + 1));
    // The offset of the second inner chunk, far behind the end of the file.
    new DataView(shard.buffer, shard.byteOffset).setBigUint64(shard.length - 3 * 16, 1_000_000n, true);
    const files = new Map([
      ["bad.zarr/zarr.json", encoded(metadata)],
      ["bad.zarr/c/0/0", shard],
    ]);
    const { viewer } = await serve(files, "bad.zarr");
    await damage(viewer).getByText("c/0/0 [0, 1]").waitFor();
    assert.equal(await viewer.section.locator("rect.damaged").count(), 1);
    await viewer.expectAt(15, 0, [16, 16], "d0 15 d1 0 241");
    await viewer.expectAt(0, 7, [16, 16], "d0 0 d1 7 8");
  });

  test("arrays with bad metadata say why, and the others open", async () => {
    const good = arrayMetadata([4, 4], [4, 4]);
    const { codecs: _, ...withoutCodecs } = good;
    const { shape: __, ...withoutShape } = good;
    const nodes = {
      good,
      withoutCodecs,
      withoutShape,
      noType: { ...good, data_type: undefined },
      nothing: 7,
    };
    const consolidated = { kind: "inline", must_understand: false, metadata: nodes };
    const files = new Map([["g.zarr/zarr.json", group({}, { consolidated_metadata: consolidated })]]);
    files.set("g.zarr/good/zarr.json", encoded(good));
    const { tab, viewer } = await serve(files, "g.zarr");
    await viewer.expectText("d0 2");
    const problems = viewer.section.locator(".problem");
    assert.equal(await problems.count(), 4);
    for (const summary of await problems.locator("summary").all()) await summary.click();
    const texts = await problems.allInnerTexts();
    assert.ok(
      texts.some((text) => /withoutCodecs cannot be shown[\s\S]*codecs: expected/.test(text)),
      texts.join("\n"),
    );
    assert.ok(
      texts.some((text) => /noType cannot be shown[\s\S]*data_type is missing/.test(text)),
      texts.join("\n"),
    );
    await expectSound(tab, viewer);
  });

  test("a plate opens its first well; others open when they are chosen", async () => {
    const files = new Map();
    const image = { axes: ["y", "x"].map((name) => ({ name, type: "space" })), datasets: [{ path: "0" }] };
    files.set("p.zarr/zarr.json", group({ ome: { plate: { wells: [{ path: "A/1" }, { path: "B/2" }] } } }));
    for (const well of ["A/1", "B/2"]) {
      files.set(
        `p.zarr/${well}/zarr.json`,
        group({ ome: { well: { images: [{ path: "0" }, { path: "1" }] } } }),
      );
      for (const field of [0, 1]) {
        files.set(`p.zarr/${well}/${field}/zarr.json`, group({ ome: { multiscales: [image] } }));
        files.set(`p.zarr/${well}/${field}/0/zarr.json`, encoded(arrayMetadata([4, 4], [4, 4])));
      }
    }
    const { tab, viewer } = await serve(files, "p.zarr");
    await viewer.expectText("y 2");
    assert.match(tab.url(), /#array=\/A\/1\/0\/0&/);
    await viewer.section.getByRole("button", { name: "2/ …" }).click();
    await tab.waitForURL(/#array=\/B\/2\/0\/0&/);
  });

  test("the series of bioformats2raw are found, and version 0.4 is read", async () => {
    const multiscales = [
      {
        version: "0.4",
        axes: ["y", "x"].map((name) => ({ name, type: "space" })),
        datasets: [{ path: "0" }],
      },
    ];
    const array = {
      zarr_format: 2,
      shape: [4, 4],
      chunks: [4, 4],
      dtype: ">u2",
      fill_value: 0,
      order: "C",
      compressor: null,
      filters: null,
      dimension_separator: "/",
    };
    const files = new Map([
      ["b.zarr/.zgroup", encoded({ zarr_format: 2 })],
      ["b.zarr/.zattrs", encoded({ "bioformats2raw.layout": 3 })],
      ["b.zarr/0/.zgroup", encoded({ zarr_format: 2 })],
      ["b.zarr/0/.zattrs", encoded({ multiscales })],
      ["b.zarr/0/0/.zarray", encoded(array)],
      ["b.zarr/0/0/0/0", Uint8Array.from({ length: 32 }, (_, i) => (i % 2 ? i : 1))],
    ]);
    const { viewer } = await serve(files, "b.zarr");
    await viewer.expectAt(1, 0, [4, 4], "y 1 x 0 265");
  });

  test("of a large image only what is seen is read, the coarsest level first", async () => {
    const files = new Map();
    const axes = ["y", "x"].map((name) => ({ name, type: "space" }));
    const datasets = [0, 1, 2, 3, 4].map((path) => ({ path: String(path) }));
    files.set("big.zarr/zarr.json", group({ ome: { multiscales: [{ axes, datasets }] } }));
    const chunk = new Uint8Array(new Uint16Array(256 * 256).fill(7).buffer);
    for (const level of [0, 1, 2, 3, 4]) {
      const length = 16_384 >> level;
      files.set(`big.zarr/${level}/zarr.json`, encoded(arrayMetadata([length, length], [256, 256])));
      for (let row = 0; row < length / 256; row += 1) {
        for (let column = 0; column < length / 256; column += 1)
          files.set(`big.zarr/${level}/c/${row}/${column}`, chunk);
      }
    }
    const { server, tab, viewer } = await serve(files, "big.zarr");
    await viewer.expectText(" 7");
    const of = (level) => server.requests.filter(({ path }) => path.startsWith(`big.zarr/${level}/c`));
    assert.ok(of(4).length > 0);
    await expectSound(tab, viewer);
    // "Break a byte" shows a part of the array itself.
    const before = of(0).length;
    assert.ok(before <= 64, `${before} chunks of 4096`);
    for (let i = 0; i < 5; i += 1) await viewer.section.getByRole("button", { name: "Zoom in" }).click();
    await tab.waitForURL(/slice=\d+:\d+,\d+:\d+/);
    await expectSound(tab, viewer);
    assert.ok(of(0).length > before);
    assert.ok(of(0).length <= 300, `${of(0).length} chunks of 4096`);
    const { hash } = new URL(tab.url());
    await tab.reload();
    await expectSound(tab, viewer);
    await expectAllRead(tab);
    assert.equal(new URL(tab.url()).hash, hash);
  });

  test("the chunk that is shown, in a shard and compressed, is decoded by hand", async () => {
    const { tab, viewer } = await serve(STORES, "shards.zarr");
    await viewer.expectText("d0 32");
    const section = tab.locator("#own-chunk");
    await section.getByRole("button", { name: "The chunk in the viewer" }).click();
    await section.getByText("c/1/1 [0, 0] of the open store").waitFor();
    await section.getByText("Uint16Array of 256").waitFor();
    await section.locator("tbody td").first().getByText("2080").waitFor();
  });
});
