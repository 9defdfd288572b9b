// The types as TypeScript users meet them: types/*.ts are compiled against the installed package.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const TSC = fileURLToPath(import.meta.resolve("../../node_modules/typescript/bin/tsc"));
const STRICT = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];

/** What tsc says about files of types/. */
function compile(files, ...options) {
  const args = [
    TSC,
    "--ignoreConfig",
    ...STRICT,
    "--skipLibCheck",
    "false",
    "--target",
    "es2022",
    ...options,
  ];
  const { stdout, status } = spawnSync(process.execPath, [...args, ...files], {
    cwd: fileURLToPath(new URL("types/", import.meta.url)),
    encoding: "utf8",
  });
  return stdout === "" && status === 0 ? "" : stdout || `status ${status}`;
}

const RESOLUTIONS = {
  bundler: ["--module", "esnext", "--moduleResolution", "bundler"],
  nodenext: ["--module", "nodenext", "--moduleResolution", "nodenext"],
};
const LIBRARIES = {
  "the DOM": ["--lib", "es2022,dom,dom.iterable"],
  "the DOM and Node": ["--lib", "es2022,dom", "--types", "node"],
  "Node alone": ["--lib", "es2022", "--types", "node"],
  workers: ["--lib", "es2022,webworker"],
};

for (const [resolution, module] of Object.entries(RESOLUTIONS)) {
  describe(`under moduleResolution ${resolution}`, () => {
    for (const [environment, library] of Object.entries(LIBRARIES)) {
      test(`types are right, and mistakes are found, for ${environment}`, () => {
        const files = ["decoding.ts", "float16-absent.ts"];
        if (environment !== "Node alone") files.push("others.ts"); // which has no types of WebAssembly
        assert.equal(compile(files, ...module, ...library), "");
      });
    }

    test("types are right for every version of zarrita", () => {
      // The types of numcodecs, which zarrita's refer to, do not pass the check themselves under nodenext.
      const library = ["--lib", "es2022,dom", "--skipLibCheck", "true"];
      assert.equal(compile(["zarrita.ts"], ...module, ...library), "");
    });

    test("types need no zarrita", () => {
      assert.equal(compile(["register.ts"], ...module, "--lib", "es2022,dom"), "");
    });

    test("types are right where there is a Float16Array", () => {
      const files = ["decoding.ts", "others.ts", "float16-present.ts"];
      assert.equal(compile(files, ...module, "--lib", "esnext,dom"), "");
    });
  });
}
