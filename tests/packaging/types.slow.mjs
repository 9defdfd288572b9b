// Compiles types/*.ts against the types of the installed package, as users do, with three versions of TypeScript.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { installed } from "../../scripts/runtimes.mjs";

/** TypeScript compilers: the version that builds the package, the oldest supported one, and the newest, by far the fastest. */
const TYPESCRIPT = {
  built: fileURLToPath(import.meta.resolve("../../node_modules/typescript/bin/tsc")),
  5.7: join(installed("TypeScript 5.7"), "node_modules/typescript/bin/tsc"),
  7: join(installed("TypeScript 7"), "node_modules/typescript/bin/tsc"),
};
const STRICT = [
  "--noEmit",
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  "--skipLibCheck",
  "false",
  "--target",
  "es2022",
];

/** Returns the output of a version of TypeScript about files of types/. */
function compileWith(version, files, ...options) {
  const ignoreConfig = version === "5.7" ? [] : ["--ignoreConfig"]; // 5.7 always does.
  const args = [TYPESCRIPT[version], ...ignoreConfig, ...STRICT, ...options, ...files];
  const { stdout, status } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL("types/", import.meta.url)),
    encoding: "utf8",
  });
  return stdout === "" && status === 0 ? "" : stdout || `status ${status}`;
}

const RESOLUTIONS = {
  bundler: ["--module", "esnext", "--moduleResolution", "bundler"],
  nodenext: ["--module", "nodenext", "--moduleResolution", "nodenext"],
};
/** Only the types of the library: by default, TypeScript 5.7 finds those of Node. */
const ECMASCRIPT = ["--lib", "es2022", "--typeRoots", "none"];
const EVERYWHERE = ["decoding.ts", "loading.ts", "errors.ts", "checksums.ts", "verify.ts"];
/** The libraries of each environment, and the files that compile there in addition to those that compile everywhere. */
const LIBRARIES = {
  "ECMAScript alone": [ECMASCRIPT, ["float16-absent.ts", "no-host.ts"]],
  "the DOM": [
    ["--lib", "es2022,dom,dom.iterable"],
    ["float16-absent.ts", "streams.ts", "arrays.ts", "wasm.ts"],
  ],
  "the DOM and Node": [
    ["--lib", "es2022,dom", "--types", "node"],
    ["float16-absent.ts", "streams.ts", "arrays.ts", "wasm.ts"],
  ],
  // Has no types of WebAssembly.
  "Node alone": [
    ["--lib", "es2022", "--types", "node"],
    ["float16-absent.ts", "streams.ts", "arrays.ts"],
  ],
  workers: [
    ["--lib", "es2022,webworker"],
    ["float16-absent.ts", "streams.ts", "arrays.ts", "wasm.ts"],
  ],
  "the newest library": [
    ["--lib", "esnext,dom"],
    ["float16-present.ts", "streams.ts", "arrays.ts", "wasm.ts"],
  ],
};

/** Tests the types with a version of TypeScript, in these environments. */
function testTypes(version, environments = Object.keys(LIBRARIES)) {
  const compile = (files, ...options) => compileWith(version, files, ...options);

  for (const [resolution, module] of Object.entries(RESOLUTIONS)) {
    describe(`by TypeScript ${version} under moduleResolution ${resolution}`, () => {
      for (const environment of environments) {
        test(`types are right, and reject mistakes, for ${environment}`, () => {
          const [library, files] = LIBRARIES[environment];
          assert.equal(compile([...EVERYWHERE, ...files], ...module, ...library), "");
        });
      }

      test("types are right for every version of zarrita", () => {
        // The types of numcodecs, to which those of zarrita refer, do not pass the check under nodenext.
        const library = ["--lib", "es2022,dom", "--skipLibCheck", "true"];
        assert.equal(compile(["zarrita.ts"], ...module, ...library), "");
      });

      test("types need no zarrita and no DOM", () => {
        assert.equal(compile(["register.ts"], ...module, ...ECMASCRIPT), "");
      });
    });
  }
}

testTypes("7");
testTypes("built");
testTypes("5.7", ["ECMAScript alone", "the DOM"]);
