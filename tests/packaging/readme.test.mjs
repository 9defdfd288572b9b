// The first example of the README runs as it stands.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

test("the first example of the README gives what its comments say", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const [, example] = readme.match(/```js\n(.*?)```/s);
  const folder = await mkdtemp(join(import.meta.dirname, "readme-"));
  try {
    const file = join(folder, "example.mjs");
    await writeFile(file, `${example}\nexport { chunk, encoded };\n`);
    const { chunk, encoded } = await import(pathToFileURL(file));
    // 1, 2, 3 and 4 as big-endian binary32; the checksum is that of the google-crc32c package.
    assert.equal(Buffer.from(encoded).toString("hex"), "3f800000400000004040000040800000172e912a");
    assert.deepEqual(chunk, { data: new Float32Array([1, 2, 3, 4]), shape: [2, 2], stride: [2, 1] });
  } finally {
    await rm(folder, { recursive: true });
  }
});
