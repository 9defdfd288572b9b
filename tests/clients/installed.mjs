// Clients that are installed on demand, because they and what they depend on are large: `npm run test:all -- clients`.

import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withCodecs } from "zarr-codecs";
import { installed } from "../../scripts/runtimes.mjs";
import { flip, metadataOf, openStore, RemoteStore, valuesOf } from "../shards/stores.mjs";
import { serve } from "./server.mjs";

/** Without peers (React and what it needs), of which nothing is used here. */
const folderOf = (client) => installed(client, "--legacy-peer-deps", "--ignore-scripts");

/** Imports a module from the folder where a client is installed. */
const importFrom = (client, path) => import(pathToFileURL(join(folderOf(client), "node_modules", path)).href);

const { values } = valuesOf("tensorstore", "end");

describe("@vitessce/zarr, which contains a bundled copy of zarrita", async () => {
  const { AnnDataSource } = await importFrom("Vitessce", "@vitessce/zarr/dist/index.js");
  const read = async (files) => {
    const store = withCodecs(new RemoteStore(files));
    const source = new AnnDataSource({ url: "http://localhost/store", store, fileType: "anndata.zarr" });
    return [...(await source.loadNumeric("/end")).data];
  };

  test("right data stay right", async () => {
    assert.deepEqual(await read(openStore("tensorstore")), values);
  });

  for (const [where, byte] of [
    ["a chunk", 20],
    ["an index", -50],
  ]) {
    test(`a flipped bit in ${where}`, async () => {
      const files = openStore("tensorstore");
      flip(files, "/end/c/1/1", byte);
      await assert.rejects(read(files), (error) => {
        const { code, key } = error.cause ?? error;
        return code === "checksum_mismatch" && key === "/end/c/1/1";
      });
    });
  }
});

describe("GeoZarr of OpenLayers, with the codecs registered", async () => {
  // Where an application has both, both resolve to one zarrita.
  const target = join(folderOf("OpenLayers"), "node_modules/zarr-codecs");
  cpSync(fileURLToPath(new URL("../node_modules/zarr-codecs", import.meta.url)), target, { recursive: true });
  const { register } = await importFrom("OpenLayers", "zarr-codecs/dist/zarrita.js");
  const { registry } = await importFrom("OpenLayers", "zarrita/dist/src/index.js");
  const unregister = register(registry);
  const { default: GeoZarr } = await importFrom("OpenLayers", "ol/source/GeoZarr.js");
  const { default: TileState } = await importFrom("OpenLayers", "ol/TileState.js");

  const json = (value) => Buffer.from(JSON.stringify(value));
  const group = (attributes, others) => ({ zarr_format: 3, node_type: "group", attributes, ...others });

  /** Serves the array `end` as the only band of a GeoZarr image. */
  async function serveImage(change) {
    const store = openStore("tensorstore");
    change?.(store);
    const band = { ...metadataOf(store, "end"), dimension_names: ["y", "x"] };
    const level = { "spatial:shape": band.shape, "spatial:transform": [1, 0, 0, 0, -1, band.shape[0]] };
    const attributes = {
      "spatial:dimensions": ["y", "x"],
      "spatial:bbox": [0, 0, band.shape[1], band.shape[0]],
      "proj:code": "EPSG:4326",
      multiscales: { layout: [{ asset: "0", ...level }] },
    };
    const nodes = { 0: group({}), "0/band": band };
    const consolidated_metadata = { kind: "inline", must_understand: false, metadata: nodes };
    const files = new Map([
      ["/zarr.json", json(group(attributes, { consolidated_metadata }))],
      ["/0/zarr.json", json(nodes[0])],
      ["/0/band/zarr.json", json(band)],
    ]);
    for (const [key, bytes] of store) {
      if (key.startsWith("/end/c/")) files.set(key.replace("/end", "/0/band"), Buffer.from(bytes));
    }
    return serve(files);
  }

  async function loadTile(url) {
    const source = new GeoZarr({ url, bands: ["band"] });
    while (source.getState() === "loading") await new Promise((resolve) => source.once("change", resolve));
    assert.equal(source.getState(), "ready");
    const tile = source.getTile(0, 0, 0, 1, source.projection);
    tile.load();
    while (tile.getState() === TileState.LOADING) {
      await new Promise((resolve) => tile.addEventListener("change", resolve));
    }
    return { tile, loaded: tile.getState() === TileState.LOADED, width: source.tileGrid.getTileSize(0)[0] };
  }

  test("right data stay right", async () => {
    const { tile, loaded, width } = await loadTile(await serveImage());
    assert.ok(loaded);
    const data = tile.getData();
    const at = (y, x) => data[2 * (y * width + x)]; // The second band is the mask.
    assert.deepEqual(
      values.map((_, i) => at(Math.floor(i / 15), i % 15)),
      values,
    );
  });

  for (const [where, byte] of [
    ["a chunk", 20],
    ["an index", -50],
  ]) {
    test(`a flipped bit in ${where}`, async () => {
      const { loaded } = await loadTile(await serveImage((store) => flip(store, "/end/c/1/1", byte)));
      assert.equal(loaded, false);
    });
  }

  test("without our codecs, a flipped bit is not noticed", async () => {
    unregister();
    const { loaded } = await loadTile(await serveImage((store) => flip(store, "/end/c/1/1", 20)));
    assert.equal(loaded, true);
  });
});
