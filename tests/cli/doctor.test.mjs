// `doctor` tries each copy of zarrita: those of a project with two of them, as npm installs it.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run, temporary } from "./helpers.mjs";

const installed = (name) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
const OURS = fileURLToPath(new URL("../node_modules/zarr-codecs", import.meta.url));

test("the copy that the import reaches verifies, a nested one does not", async (t) => {
  const project = temporary(t);
  const modules = join(project, "node_modules");
  const copy = (from, to) => {
    mkdirSync(dirname(join(modules, to)), { recursive: true });
    cpSync(from, join(modules, to), { recursive: true });
  };
  writeFileSync(join(project, "package.json"), "{}");
  for (const name of [
    "zarrita",
    "@zarrita/storage",
    "numcodecs",
    "fflate",
    "reference-spec-reader",
    "unzipit",
    "uzip-module",
  ]) {
    copy(installed(name), name);
  }
  copy(installed("zarrita-0.5"), "viewer/node_modules/zarrita");
  writeFileSync(join(modules, "viewer/package.json"), '{"name": "viewer"}');
  const without = await run(["doctor", project]);
  assert.equal(without.status, 1);
  assert.match(without.stdout, /zarr-codecs is not installed here/);
  copy(OURS, "zarr-codecs");
  const { status, stdout } = await run(["doctor"], { cwd: project });
  assert.equal(status, 1);
  assert.match(stdout, /2 copies of zarrita/);
  assert.match(stdout, /VERIFIES node_modules\/zarrita \(0\.7/);
  assert.match(stdout, /DOES NOT node_modules\/viewer\/node_modules\/zarrita \(0\.5/);
  const nowhere = await run(["doctor", temporary(t)]);
  assert.deepEqual([nowhere.status, /has no node_modules/.test(nowhere.stderr)], [2, true]);
});
