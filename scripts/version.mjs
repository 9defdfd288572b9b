// Keeps the version in one place, package.json.
//
//   node scripts/version.mjs [--check] [--tag v1.2.3]
//
// `npm version` runs it without options: it writes the version of package.json to Cargo's files and starts a section of the
// changelog. --check changes nothing, and fails if a version differs or the changelog has no section for it. --tag, for a
// release, also compares the tag, and requires the section to be named after the version.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { output, ROOT, run } from "./run.mjs";

const read = (file) => readFileSync(join(ROOT, file), "utf8");
const { version } = JSON.parse(read("package.json"));

/** Yields every other place of the version, with the version there. */
function* versions() {
  const lock = JSON.parse(read("package-lock.json"));
  yield ["package-lock.json", lock.version];
  yield ['package-lock.json, packages[""]', lock.packages[""].version];
  const metadata = JSON.parse(output("cargo", ["metadata", "--no-deps", "--format-version", "1"]));
  const crates = new Set(metadata.packages.map(({ name }) => name));
  for (const { name, version, dependencies } of metadata.packages) {
    yield [`the crate ${name}`, version];
    for (const { name: dependency, req } of dependencies.filter(({ name }) => crates.has(name))) {
      if (req !== "*") yield [`the crate ${name}, dependency ${dependency}`, req.replace(/^[\^=]/, "")];
    }
  }
}

function* problems(tag) {
  for (const [place, found] of versions()) {
    if (found !== version) yield `${place}: expected ${version}, as in package.json, got ${found}`;
  }
  if (tag !== undefined && tag !== `v${version}`) yield `tag: expected v${version}, got ${tag}`;
  const sections = [...read("CHANGELOG.md").matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);
  const wanted = tag === undefined ? [version, "Unreleased"] : [version];
  if (!wanted.some((name) => sections.includes(name))) {
    yield `CHANGELOG.md: expected a section ${wanted.map((name) => `[${name}]`).join(" or ")}`;
  }
}

/** Replaces the text that matches `after` behind `before`. */
function replace(file, before, after, text) {
  const pattern = new RegExp(`(?<=${before})${after}`);
  const source = read(file);
  if (!pattern.test(source)) throw new Error(`${file}: nothing matches ${pattern}`);
  writeFileSync(join(ROOT, file), source.replace(pattern, text));
}

function write() {
  replace("Cargo.toml", '\\[workspace\\.package\\]\\nversion = "', '[^"]*', version);
  replace("Cargo.toml", 'zarr-codecs-kernel = \\{[^}]*version = "', '[^"]*', version);
  const date = new Date().toISOString().slice(0, 10);
  replace("CHANGELOG.md", "## \\[Unreleased\\]\\n", "", `\n## [${version}] - ${date}\n`);
  run("cargo", ["update", "--workspace", "--offline"]);
  run("git", ["add", "Cargo.toml", "Cargo.lock", "CHANGELOG.md"]);
}

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, tag: { type: "string" } },
});
if (values.check || values.tag !== undefined) {
  const found = [...problems(values.tag)];
  for (const problem of found) console.error(problem);
  process.exitCode = found.length > 0 ? 1 : 0;
} else {
  write();
}
