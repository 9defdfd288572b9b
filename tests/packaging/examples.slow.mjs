// The examples in the API documentation: every export has one, and each compiles and has the stated results.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const TSC = fileURLToPath(import.meta.resolve("../../node_modules/typescript/bin/tsc"));
const TYPES = fileURLToPath(new URL("../node_modules/zarr-codecs/dist/", import.meta.url));
const declarations = readdirSync(TYPES, { recursive: true })
  .filter((file) => file.endsWith(".d.ts"))
  .map((file) => readFileSync(join(TYPES, file), "utf8"))
  .join("\n");

/** Returns the source of the examples in a comment. */
const examplesIn = (comment) =>
  [...comment.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, lines]) => lines.replaceAll(/^ \* ?/gm, ""));

/** The comments of declarations with examples, by name. */
const documented = new Map(
  [
    ...declarations.matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport declare (?:abstract )?(?:class|function|const) (\w+)/g,
    ),
  ]
    .map(([, comment, name]) => [name, comment])
    .filter(([, comment]) => examplesIn(comment).length > 0),
);

/** Runs an example, in which every `x; // => y` asserts that x equals y. */
function run(example) {
  const assertion = /^( *)(.+); \/\/ => (.+)$/gm;
  const source = `import assert from "node:assert/strict";
    ${example.replaceAll(assertion, "$1asserted += 1; assert.deepEqual($2, $3);")}
    console.log(asserted);`;
  const args = ["--no-warnings", "--input-type=module", "--eval", `let asserted = 0;\n${source}`];
  const printed = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" });
  assert.equal(Number(printed), example.match(assertion)?.length);
}

/** Classes that the examples of the functions show that open them. */
const OPENED = ["ArrayReader", "Shard"];

for (const entry of ["", "/portable", "/crc32c", "/zarrita", "/verify"]) {
  test(`every export of zarr-codecs${entry} has an example`, async () => {
    const names = Object.keys(await import(`zarr-codecs${entry}`)).filter((name) => name !== "default");
    assert.ok(names.length > 0);
    const missing = names.filter((name) => !documented.has(name) && !OPENED.includes(name));
    assert.deepEqual(missing, []);
  });
}

describe("the example of", () => {
  for (const [name, comment] of documented) {
    for (const example of examplesIn(comment)) test(name, () => run(example));
  }
});

test("every example compiles under strict", () => {
  // Numbered, because crc32c.ts and Crc32c.ts are the same file on some systems.
  const examples = [...documented].flatMap(([name, comment]) =>
    examplesIn(comment).map((example) => [name, example]),
  );
  const files = examples.map(([name], i) => `${i}-${name}.ts`);
  assert.ok(examples.length >= documented.size && examples.length > 0);
  const folder = mkdtempSync(join(import.meta.dirname, "examples-")); // where zarr-codecs is installed
  try {
    files.forEach((file, i) => {
      writeFileSync(join(folder, file), examples[i][1]);
    });
    const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
    const environment = ["--module", "nodenext", "--lib", "es2022,dom,dom.iterable", "--types", "node"];
    // The types of numcodecs, to which those of zarrita refer, do not pass the check.
    const args = [TSC, "--ignoreConfig", ...options, ...environment, "--skipLibCheck", "true"];
    const { stdout, status } = spawnSync(process.execPath, [...args, ...files], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.deepEqual({ stdout, status }, { stdout: "", status: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
