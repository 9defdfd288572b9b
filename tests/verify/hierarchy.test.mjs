// The groups and arrays of a store, however it lists them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidMetadataError } from "zarr-codecs";
import { MemoryStore } from "../zarrita/stores.mjs";
import { arrayMetadata, openFolder, verify, WRITTEN } from "./helpers.mjs";

const { readHierarchy } = verify;
const [written] = WRITTEN;

const storeOf = (files) =>
  new MemoryStore(
    Object.entries(files).map(([key, value]) => [
      key,
      new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)),
    ]),
  );

const group = (members) => ({ zarr_format: 3, node_type: "group", ...members });
const pathsOf = (nodes) => nodes.map(({ path, metadata }) => `${path} ${metadata.node_type}`);

test("consolidated metadata list the nodes", async () => {
  assert.deepEqual(pathsOf(await readHierarchy(openFolder("sample.zarr"))), [
    "/ group",
    ...[
      "counts",
      "elevation",
      "land_mask",
      "precipitation",
      "pressure",
      "spectrum",
      "temperature",
      "time",
    ].map((name) => `/${name} array`),
  ]);
});

test("without them, the levels of an OME-Zarr image are found", async () => {
  assert.deepEqual(pathsOf(await readHierarchy(openFolder("cells.ome.zarr"))), [
    "/ group",
    "/0 array",
    "/1 array",
    "/2 array",
  ]);
});

test("without them, keys of a store list the nodes, with or without a leading slash", async () => {
  const store = storeOf({
    "/zarr.json": group(),
    "/a10/zarr.json": arrayMetadata(),
    "/a9/zarr.json": arrayMetadata(),
    "/b/zarr.json": group(),
    "/b/c/zarr.json": arrayMetadata(),
    "/b/c/c/0": "",
  });
  const expected = ["/ group", "/a9 array", "/a10 array", "/b group", "/b/c array"];
  for (const keys of [[...store.keys()], Array.from(store.keys(), (key) => key.slice(1))]) {
    assert.deepEqual(pathsOf(await readHierarchy(store, { listKeys: async () => keys })), expected);
  }
});

test("an array at the root is the only node", async () => {
  const metadata = arrayMetadata();
  assert.deepEqual(await readHierarchy(storeOf({ "/zarr.json": metadata })), [{ path: "/", metadata }]);
});

test("every array that zarr-python wrote is found among its keys", async () => {
  const store = new MemoryStore([
    ...written,
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(group()))],
  ]);
  const nodes = await readHierarchy(store, { listKeys: async () => store.keys() });
  const arrays = nodes.filter(({ metadata }) => metadata.node_type === "array");
  assert.equal(arrays.length, [...written.keys()].filter((key) => /.\/zarr\.json$/.test(key)).length);
});

test("nodes whose metadata are wrong do not hide the others", async () => {
  const consolidated = { metadata: { a: { node_type: 1 }, b: arrayMetadata(), c: 7 } };
  assert.deepEqual(
    pathsOf(await readHierarchy(storeOf({ "/zarr.json": group({ consolidated_metadata: consolidated }) }))),
    ["/ group", "/b array"],
  );
  const store = storeOf({ "/zarr.json": group(), "/a/zarr.json": "{", "/b/zarr.json": arrayMetadata() });
  assert.deepEqual(pathsOf(await readHierarchy(store, { listKeys: async () => store.keys() })), [
    "/ group",
    "/b array",
  ]);
});

for (const [what, files, expected] of [
  ["nothing at the root", {}, { path: "", message: /^found no zarr\.json/ }],
  ["a Zarr v2 group", { "/.zgroup": "{}" }, { path: "", message: /^expected a Zarr v3 store.*\.zgroup/ }],
  ["a Zarr v2 array", { "/.zarray": "{}" }, { path: "", message: /^expected a Zarr v3 store.*\.zarray/ }],
  ["what is not JSON", { "/zarr.json": "{" }, { path: "", message: /^zarr\.json is not valid JSON: / }],
  [
    "what is not an object",
    { "/zarr.json": "[]" },
    { path: "", message: /^zarr\.json is not a JSON object/ },
  ],
  [
    "another type of node",
    { "/zarr.json": { node_type: "grape" } },
    { path: "node_type", message: 'zarr.json: node_type: expected "array" or "group", got "grape"' },
  ],
  [
    "another type of node in consolidated metadata",
    { "/zarr.json": group({ consolidated_metadata: { metadata: { a: { node_type: 1 } } } }) },
    {
      path: "node_type",
      message: /^zarr\.json: consolidated_metadata\.metadata\["a"\]: node_type: expected /,
    },
  ],
  [
    "a group whose arrays cannot be listed",
    { "/zarr.json": group() },
    { path: "consolidated_metadata", message: /^zarr\.json: expected consolidated metadata/ },
  ],
]) {
  test(`${what} is an error`, async () => {
    const rejection = readHierarchy(storeOf(files));
    await assert.rejects(rejection, { name: "InvalidMetadataError", ...expected });
    await assert.rejects(rejection, InvalidMetadataError);
  });
}
