// `npm run coverage [-- rust|js]`: how much of the sources the tests execute. Rust by cargo-llvm-cov, natively (`cargo install
// cargo-llvm-cov`; Debian's compiler needs the package rust-web-llvm); TypeScript by c8, of the packed package in Node.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, ensureRust, ROOT, run } from "./run.mjs";

const FOLDERS = ["js", "zarrita", "shards", "array", "store", "clients", "verify"];
/** How the module is loaded, also on hosts that do not compile it. */
const STARTING = ["tests/packaging/start.test.mjs", "tests/packaging/portable.test.mjs"];

/** Debian's tools for the compiler that the checkout uses there. */
const DEBIAN_LLVM = "/usr/lib/llvm-22/bin";

const parts = {
  rust() {
    ensureRust();
    const tools = existsSync(join(DEBIAN_LLVM, "llvm-cov"))
      ? { LLVM_COV: join(DEBIAN_LLVM, "llvm-cov"), LLVM_PROFDATA: join(DEBIAN_LLVM, "llvm-profdata") }
      : {};
    run("cargo", ["llvm-cov", "--locked", "--summary-only", "--ignore-filename-regex", "tests/|fuzz/"], {
      env: tools,
    });
  },

  async js() {
    ensurePackages();
    process.env.COVERAGE = "1"; // The build adds source maps.
    await build("js");
    packForTests();
    const tests = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, "tests", folder))
        .filter((file) => file.endsWith(".test.mjs"))
        .map((file) => `tests/${folder}/${file}`),
    ).concat(STARTING);
    run("c8", [
      "--temp-directory",
      "target/coverage/v8",
      "--reports-dir",
      "target/coverage/js",
      "--reporter",
      "text",
      // By the names of sources, so that generated ones are left out.
      "--exclude-after-remap",
      "--exclude-node-modules=false",
      "--exclude",
      "**/*.mjs",
      "--exclude",
      "**/wasm/generated/**",
      "--exclude",
      "node_modules/**",
      "node",
      "--test",
      "--test-reporter=dot",
      ...tests,
    ]);
    delete process.env.COVERAGE;
    await build("js");
    packForTests();
  },
};

const wanted = process.argv.slice(2);
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await part();
}
