// Applications that have not installed zarrita.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";

const app = mkdtempSync(join(tmpdir(), "zarr-codecs-"));
after(() => rmSync(app, { recursive: true }));
cpSync(
  fileURLToPath(new URL("../node_modules/zarr-codecs", import.meta.url)),
  join(app, "node_modules/zarr-codecs"),
  {
    recursive: true,
  },
);
writeFileSync(join(app, "package.json"), '{ "type": "module" }');
writeFileSync(join(app, "main.js"), 'import "zarr-codecs/register";\n');
writeFileSync(
  join(app, "own.js"),
  'import { register } from "zarr-codecs/zarrita";\nregister(new Map());\nconsole.log("registered");\n',
);

const run = (file) => promisify(execFile)(process.execPath, [join(app, file)]);

test("zarr-codecs/register fails in Node, with a message that names zarrita", async () => {
  await assert.rejects(run("main.js"), /Cannot find package 'zarrita'/);
});

test("zarr-codecs/register is built by Vite, and fails with a message that names zarrita", async () => {
  await build({
    root: app,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    build: { ssr: "main.js", outDir: "out" },
  });
  await assert.rejects(run("out/main.js"), /zarrita/);
});

test("zarr-codecs/zarrita needs no zarrita", async () => {
  assert.equal((await run("own.js")).stdout, "registered\n");
});
