// Slow: many tabs of a browser.
//
// Groups without consolidated metadata on servers of files: what is in them is found by links and names.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { usePage } from "./page.mjs";
import { viewerOf } from "./sections.mjs";
import { encoded, STORES, startServer } from "./server.mjs";

const group = (attributes = {}) => encoded({ zarr_format: 3, node_type: "group", attributes });

const ARRAY = {
  zarr_format: 3,
  node_type: "array",
  shape: [2, 2],
  data_type: "uint16",
  fill_value: 0,
  attributes: {},
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } },
  chunk_key_encoding: { name: "default" },
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
};

/** What xarray wrote, without consolidated metadata. */
const UNLISTED = new Map([...STORES, ["weather.zarr/zarr.json", group()]]);

describe("groups that nothing lists", () => {
  const page = usePage();

  /** Serves files, and opens a store of theirs. */
  async function open(files, store, behaviour = {}) {
    const server = Object.assign(await startServer(files), behaviour);
    const tab = await page.open(`?source=${server.url}${store}`, { mayFail: true });
    return { server, tab, viewer: viewerOf(tab) };
  }

  const arrays = async (viewer) => {
    const names = await viewer.section
      .locator(".tree button")
      .evaluateAll((buttons) => buttons.map(({ dataset }) => dataset.path));
    return names.map((path) => path.slice(1));
  };

  test("a group that nothing lists is opened by the path of an array, with its coordinates", async () => {
    const { tab, viewer } = await open(UNLISTED, "weather.zarr");
    const store = tab.locator("#store");
    await store.getByText("a server of files cannot list what is in it").waitFor();
    const path = store.getByLabel("Path of an array in this group");
    await path.fill("rainfall");
    await path.press("Enter");
    await store.getByText("there is no array at rainfall").waitFor();
    await path.fill("/temperature/");
    await path.press("Enter");
    await viewer.expectAt(0, 0, [36, 72], "time 0 (2020-01-01) lat 35 (87.5 °N) lon 0 (0 °E) 87.5");
    assert.equal(await path.isVisible(), false);
    assert.deepEqual(await arrays(viewer), ["lat", "lon", "temperature", "time"]);

    await tab.waitForURL(/#array=\/temperature&/);
    await tab.reload();
    await viewer.expectText("lat");
    assert.equal(await viewer.section.getByRole("alert").isVisible(), false);
  });

  test("in a group that nothing lists, the arrays that its attributes declare are found", async () => {
    const files = new Map([
      ["declared.zarr/zarr.json", group({ coordinates: "x missing" })],
      ["declared.zarr/x/zarr.json", encoded(ARRAY)],
      ["declared.zarr/x/c/0/0", Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0)],
    ]);
    const { viewer } = await open(files, "declared.zarr");
    await viewer.expectAt(1, 0, [2, 2], "d0 1 d1 0 3");
    assert.deepEqual(await arrays(viewer), ["x"]);
  });

  test("a server that shows its folders as pages is followed, into groups too", async () => {
    const files = new Map(UNLISTED);
    files.set("weather.zarr/wind here/zarr.json", group());
    files.set("weather.zarr/wind here/grid/zarr.json", encoded(ARRAY));
    files.set("weather.zarr/notes/readme.txt", encoded("no node"));
    const { server, viewer } = await open(files, "weather.zarr", { hasIndex: true });
    await viewer.expectAt(0, 0, [36, 72], "time 0 (2020-01-01) lat 35 (87.5 °N) lon 0 (0 °E) 87.5");
    assert.deepEqual(await arrays(viewer), ["lat", "lon", "temperature", "time", "wind here/grid"]);
    const folders = server.requests.map(({ path }) => path).filter((path) => path.endsWith("/"));
    assert.deepEqual(folders.sort(), ["weather.zarr/", "weather.zarr/wind here/"]);
  });
});
