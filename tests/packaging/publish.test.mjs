// Safeguards of a release: packing builds the package, and the tag must be the version.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { commandLine, ROOT } from "../../scripts/run.mjs";

test("npm pack builds dist/ if it is missing", () => {
  const folder = mkdtempSync(join(tmpdir(), "zarr-codecs-"));
  try {
    cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
    mkdirSync(join(folder, "scripts"));
    const build = `import { mkdirSync, writeFileSync } from "node:fs";
      mkdirSync("dist");
      writeFileSync("dist/index.js", "");`;
    writeFileSync(join(folder, "scripts/build.mjs"), build);
    const [npm, args] = commandLine("npm", ["pack", "--dry-run", "--json"]);
    const { stdout } = spawnSync(npm, args, { cwd: folder, encoding: "utf8" });
    const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
    assert.deepEqual(
      files.map(({ path }) => path).filter((path) => path.startsWith("dist/")),
      ["dist/index.js"],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a tag must be the version, and the changelog must have a section of its name", () => {
  const check = (...args) =>
    spawnSync(process.execPath, ["scripts/version.mjs", ...args], { cwd: ROOT, encoding: "utf8" });
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  assert.deepEqual(check("--check").stderr, "");
  const { status, stderr } = check("--tag", "v0.0.0");
  assert.equal(status, 1);
  assert.ok(stderr.startsWith(`tag: expected v${version}, got v0.0.0\n`), stderr);
});
