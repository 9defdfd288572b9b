// `npm start`: builds the package, decodes the sample store, detects a flipped bit, and serves www/.
// `npm start -- --no-serve` does not serve.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { ROOT } from "./run.mjs";

const { values } = parseArgs({
  options: { serve: { type: "boolean", default: true } },
  allowNegative: true,
});

await build();
const { breakOneBit, decodeGroup, describeArray } = await import("./sample.mjs");
const { backend } = await import("zarr-codecs");

const store = join(ROOT, "www/data/sample.zarr");
const arrays = await decodeGroup(async (key) => new Uint8Array(await readFile(join(store, key))));
console.log(`\nwww/data/sample.zarr, written by zarr-python, decoded by the ${backend()} build.`);
console.log("Checksums and first values are those of each array's first chunk.");
console.table(Object.fromEntries(arrays.map(describeArray).map(({ array, ...row }) => [array, row])));

const { chunk, byte, error } = breakOneBit(arrays);
console.log(`With one bit of byte ${byte} of ${chunk} flipped:\n  ${error.name}: ${error.message}\n`);

if (values.serve) {
  const { createServer } = await import("vite");
  const server = await createServer({ root: join(ROOT, "www") });
  await server.listen();
  server.printUrls();
  console.log("  Press Ctrl+C to stop.");
}
