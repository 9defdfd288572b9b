// @carbonplan/zarr-layer on a map of MapLibre in Chromium, given a store that verifies: `npm run test:all -- clients`.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build } from "esbuild";
import { installed } from "../../scripts/runtimes.mjs";
import { openPage } from "../browser/page.mjs";
import { WRITTEN } from "../shards/stores.mjs";

const FLAGS = ["--legacy-peer-deps", "--ignore-scripts"];

/** Bundles a client for the page. */
async function bundle(client, path) {
  const { outputFiles } = await build({
    entryPoints: [join(installed(client, ...FLAGS), "node_modules", path)],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
    // Of Node, for numcodecs.
    external: ["fs", "path", "module", "crypto", "ws"],
  });
  return outputFiles[0].text;
}

/** Draws the array `end` on a map, with a bit flipped at a byte of a shard. Returns its elements, or the error. Runs in the page. */
async function draw({ contents, byte }) {
  const { Map: MapLibreMap } = await import("maplibre-gl");
  const { ZarrLayer } = await import("zarr-layer");
  const { withCodecs } = await import("zarr-codecs");
  const { storeOf } = await import("/zarrita/stores.mjs");
  const files = storeOf(contents);
  const metadata = JSON.parse(new TextDecoder().decode(files.get("/end/zarr.json")));
  const text = JSON.stringify({ ...metadata, dimension_names: ["lat", "lon"] });
  files.set("/end/zarr.json", new TextEncoder().encode(text));
  const shard = files.get("/end/c/1/1");
  if (byte !== undefined) shard[byte < 0 ? shard.length + byte : byte] ^= 1;
  const errors = [];
  const checked = withCodecs(files);
  const told = (reading) =>
    reading.catch((error) => {
      errors.push(error);
      throw error;
    });
  const store = {
    get: (key, options) => told(checked.get(key, options)),
    getRange: (key, range, options) => told(checked.getRange(key, range, options)),
  };
  const container = document.body.appendChild(document.createElement("div"));
  container.style = "width: 400px; height: 400px";
  const style = { version: 8, sources: {}, layers: [] };
  const map = new MapLibreMap({ container, style, center: [7.5, 5], zoom: 3 });
  await map.once("load");
  const layer = new ZarrLayer({
    id: "end",
    store,
    variable: "end",
    zarrVersion: 3,
    crs: "EPSG:4326",
    bounds: [0, 0, 15, 10],
    colormap: ["#000000", "#ffffff"],
    clim: [0, 65535],
    latIsAscending: false,
    spatialDimensions: { lat: "lat", lon: "lon" },
  });
  map.addLayer(layer);
  const ring = [
    [0, 0],
    [15, 0],
    [15, 10],
    [0, 10],
    [0, 0],
  ];
  let values;
  for (let i = 0; i < 50 && errors.length === 0 && !(values?.length > 0); i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const result = await layer.queryData({ type: "Polygon", coordinates: [ring] }).catch(() => undefined);
    values = result?.end;
  }
  map.remove();
  const [error] = errors;
  return {
    values,
    error: error && { code: error.code, key: error.key, chunk: error.chunk, message: error.message },
  };
}

describe("@carbonplan/zarr-layer in Chromium", () => {
  let browser;
  let tab;
  before(async () => {
    ({ browser, tab } = await openPage({
      "zarr-layer": () => bundle("zarr-layer", "@carbonplan/zarr-layer/dist/index.js"),
      "maplibre-gl": () => bundle("MapLibre", "maplibre-gl/dist/maplibre-gl.mjs"),
    }));
  });
  after(() => browser?.close());

  const contents = WRITTEN.tensorstore;

  test("right data stay right", async () => {
    const { values, error } = await tab.evaluate(draw, { contents });
    assert.equal(error, undefined);
    const elements = new Uint16Array(
      Uint8Array.from(Buffer.from(contents.arrays.end.elements, "base64")).buffer,
    );
    assert.deepEqual(
      [...values].sort((a, b) => a - b),
      [...elements],
    );
  });

  for (const [where, byte] of [
    ["a chunk", 20],
    ["an index", -50],
  ]) {
    test(`a flipped bit in ${where}`, async () => {
      const { error } = await tab.evaluate(draw, { contents, byte });
      assert.deepEqual([error?.code, error?.key], ["checksum_mismatch", "/end/c/1/1"]);
    });
  }
});
