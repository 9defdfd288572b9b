import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { versions } from "../bench/host.js";

const verify = fileURLToPath(new URL("../js/verify/index.ts", import.meta.url));
const js = fileURLToPath(new URL("../js/", import.meta.url));
const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

/** Resolves what the source of verify imports of the package to the build too, so that the page has one copy of it. */
const packaged = {
  name: "packaged",
  enforce: "pre",
  resolveId(source, importer) {
    const [, file] = /^\.\.?\/((?:core|errors)\.js)$/.exec(source) ?? [];
    return file && importer?.startsWith(js) ? dist(file) : undefined;
  },
};

// An isolated page has a finer clock.
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  // Works from any path of a server.
  base: "./",
  // The page imports the package by name, as any page does. The names resolve to the build in dist/; verify to its
  // source, of which the page needs more than the package exports.
  resolve: {
    alias: [
      { find: /^zarr-codecs(\/(register|zarrita))?$/, replacement: dist("$2") },
      { find: "zarr-codecs/verify", replacement: verify },
    ],
  },
  publicDir: "data",
  // Answers 404 for missing files, as any plain server does: a missing chunk must not be a page.
  appType: "mpa",
  plugins: [packaged],
  worker: { format: "es", plugins: () => [packaged] },
  // The versions that a report of speeds names.
  define: { "import.meta.env.VERSIONS": versions() },
  // Includes workers: a dependency that is only found when one starts would reload the page.
  optimizeDeps: {
    entries: ["index.html", "{image,sections,store,ui,workers}/**/*.js", "../bench/worker.js"],
  },
  server: { headers },
  preview: { headers },
  build: { outDir: "../target/www", emptyOutDir: true },
});
