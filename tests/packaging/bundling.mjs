// Bundled applications keep the import that registers codecs, and drop unused code.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import { build as vite } from "vite";
import webpack from "webpack";
import { inlineText } from "../../scripts/inline.mjs";

const folder = mkdtempSync(join(import.meta.dirname, "bundling-"));
after(() => rmSync(folder, { recursive: true }));

/** Bundles `main.mjs` in a folder into its folder `out`. */
const BUNDLERS = {
  esbuild: (root) =>
    esbuild.build({
      absWorkingDir: root,
      entryPoints: ["main.mjs"],
      bundle: true,
      minify: true,
      format: "esm",
      splitting: true,
      platform: "neutral",
      mainFields: ["module", "main"],
      outdir: "out",
      outExtension: { ".js": ".mjs" },
    }),

  vite: (root) =>
    vite({
      root,
      configFile: false,
      logLevel: "error",
      ssr: { noExternal: true },
      build: {
        ssr: "main.mjs",
        outDir: "out",
        minify: true,
        rollupOptions: { output: { entryFileNames: "main.mjs" } },
      },
    }),

  async rollup(root) {
    const bundle = await rollup({ input: join(root, "main.mjs"), plugins: [nodeResolve()] });
    await bundle.write({ dir: join(root, "out"), format: "esm", entryFileNames: "main.mjs", compact: true });
  },

  webpack: (root) =>
    new Promise((resolve, reject) => {
      const configuration = {
        context: root,
        entry: "./main.mjs",
        mode: "production",
        target: "node20",
        experiments: { outputModule: true },
        output: {
          path: join(root, "out"),
          filename: "main.mjs",
          chunkFilename: "[id].mjs",
          module: true,
          chunkFormat: "module",
        },
      };
      webpack(configuration, (error, stats) => {
        if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString("errors-only")));
        else resolve();
      });
    }),
};

/** Bundles and runs a module. Returns its output and the sources of all bundled files. */
async function bundled(bundler, name, source) {
  const root = mkdtempSync(join(folder, `${bundler}-${name}-`));
  writeFileSync(join(root, "package.json"), '{ "type": "module", "sideEffects": false }');
  writeFileSync(join(root, "main.mjs"), source);
  await BUNDLERS[bundler](root);
  const out = join(root, "out");
  const files = readdirSync(out, { recursive: true }).filter((file) => /\.m?js$/.test(file));
  const sources = Object.fromEntries(files.map((file) => [file, readFileSync(join(out, file), "utf8")]));
  return {
    printed: execFileSync(process.execPath, [join(out, "main.mjs")], { encoding: "utf8" }).trim(),
    sources,
  };
}

// Reads an int16 array with a wrong checksum.
const READ = `
  const metadata = {
    zarr_format: 3, node_type: "array", shape: [1], data_type: "int16", fill_value: 0, attributes: {},
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } }, chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))], ["/c/0", new Uint8Array(6)]]);
  const array = await open(store, { kind: "array" });
  const outcome = await get(array).then(() => "not verified", (error) => error.cause.code);
  console.log(outcome);`;

const raw = new URL(import.meta.resolve("zarr-codecs/zarr_codecs.wasm"));
const inlined = inlineText(readFileSync(raw));
const hasModule = (text) => text.includes(inlined);

/** Returns the sources that the first file may load; esbuild also writes others, of code that it has dropped. */
function loaded(sources, file = "main.mjs", found = new Set()) {
  found.add(file);
  for (const [, next] of sources[file].matchAll(/"\.\/([^"]+\.m?js)"/g)) {
    if (next in sources && !found.has(next)) loaded(sources, next, found);
  }
  return [...found].map((name) => sources[name]);
}

const minified = (text) => esbuild.transformSync(text, { minify: true }).code;

/** Bundlers that load what the entry imports and a dynamic import shares, even if the program uses nothing of it. */
const SHARES_UNUSED = ["esbuild"];

/** Tests the bundles of one of `BUNDLERS`. */
export function testBundles(bundler) {
  describe(bundler, () => {
    test("keeps the import that registers, and puts the module into another file", async () => {
      const source = `import "zarr-codecs/register";\nimport { get, open } from "zarrita";\n(async () => {${READ}})();`;
      const { printed, sources } = await bundled(bundler, "import", source);
      assert.equal(printed, "checksum_mismatch");
      assert.ok(!hasModule(sources["main.mjs"]), "the module is in the first file");
      assert.equal(Object.values(sources).filter(hasModule).length, 1);
    });

    test("bundles register, and drops it if it is not used", async (t) => {
      const imports = `import { register } from "zarr-codecs/zarrita";\nimport { get, open, registry } from "zarrita";\n`;
      const used = await bundled(
        bundler,
        "used",
        `${imports}register(registry);\n(async () => {${READ}})();`,
      );
      assert.equal(used.printed, "checksum_mismatch");
      const unused = await bundled(bundler, "unused", `${imports}(async () => {${READ}})();`);
      assert.equal(unused.printed, "not verified");
      assert.ok(!unused.sources["main.mjs"].includes("zarr-codecs"));
      const [more, less] = [used, unused].map(({ sources }) => minified(sources["main.mjs"]).length);
      t.diagnostic(`register takes ${more - less} bytes, minified`);
      assert.ok(more - less < 12_000, `${more - less} bytes`);
    });

    test("puts the module into another file if only asynchronous functions are used", async () => {
      const source = `import { withCodecs } from "zarr-codecs";
        import { get, open } from "zarrita";
        (async () => {
          ${READ.replace("await open(store,", "await open(withCodecs(store),").replace("error.cause.code", "error.code")}
        })();`;
      const { printed, sources } = await bundled(bundler, "lazy", source);
      assert.equal(printed, "checksum_mismatch");
      assert.equal(Object.values(sources).filter(hasModule).length, 1);
      if (SHARES_UNUSED.includes(bundler)) return;
      assert.ok(!hasModule(sources["main.mjs"]), "the module is in the first file");
      const imported = [...sources["main.mjs"].matchAll(/(?:from|import) *"\.\/([^"]+)"/g)].map(
        ([, file]) => file,
      );
      for (const file of imported) assert.ok(!hasModule(sources[file]), `the module is in ${file}`);
    });

    test("drops the module if only errors are used", async () => {
      const source = `import { isZarrCodecError } from "zarr-codecs";\nconsole.log(isZarrCodecError(1));`;
      const { printed, sources } = await bundled(bundler, "errors", source);
      assert.equal(printed, "false");
      if (!SHARES_UNUSED.includes(bundler)) assert.ok(!hasModule(loaded(sources).join("")));
    });
  });
}
