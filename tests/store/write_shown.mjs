// Writes arrays as `withCodecs` shows them with `dataTypes: "stored"`, for read_shown.py to read with other implementations:
//
//     node write_shown.mjs <folder>

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withCodecs } from "zarr-codecs";
import { coordinatesIn, writtenArrays } from "../array/helpers.mjs";
import { readVectors } from "../js/helpers.mjs";
import { fromHex } from "../js/vectors.mjs";

const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** Yields the arrays: a name, a store, a path and, if they are known apart from chunks, the elements in C order, little endian. */
function* arrays() {
  for (const { file, store, path, elements } of writtenArrays()) {
    const name = file.replace("../", "").replace(".json", "").replace("/", "-");
    yield { name: `${name}-${path}`, store, path: `/${path}`, elements };
  }
  for (const writer of ["zarr-python", "zarr-python-3.4.2", "tensorstore", "zarrs"]) {
    for (const { name, metadata, chunks } of readVectors(`types/${writer}.json`).arrays) {
      const text = new TextEncoder().encode(JSON.stringify(metadata));
      const store = new Map([
        ["/zarr.json", text],
        ["/c/0", fromHex(chunks[0].encoded)],
      ]);
      yield { name: `types-${writer}-${name}`, store, path: "", elements: undefined };
    }
  }
}

function save(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node write_shown.mjs <folder>");
  process.exit(2);
}
let count = 0;
for (const { name, store, path, elements } of arrays()) {
  const target = join(folder, name.replaceAll(/[^\w.-]/g, "_"));
  for (const [key, bytes] of store) {
    if (key.startsWith(`${path}/`)) save(join(target, "original", key.slice(path.length)), bytes);
  }
  const shown = withCodecs(store, { dataTypes: "stored" });
  const text = await shown.get(`${path}/zarr.json`);
  save(join(target, "shown/zarr.json"), text);
  const { shape, chunk_grid } = parsed(text);
  const { chunk_shape } = chunk_grid.configuration;
  for (const at of coordinatesIn(shape.map((length, axis) => Math.ceil(length / chunk_shape[axis])))) {
    const key = ["c", ...at].join("/");
    const chunk = await shown.get(`${path}/${key}`);
    if (chunk) save(join(target, "shown", key), chunk);
  }
  if (elements) save(join(target, "elements"), elements);
  count += 1;
}
console.log(`${count} arrays`);
