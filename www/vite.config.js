import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { versions } from "../bench/host.js";

const verify = fileURLToPath(new URL("../js/verify/index.ts", import.meta.url));
const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

// A page that is isolated from others has the finer clock.
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  // Works from any path of a server.
  base: "./",
  // The page imports the package by its names, as a user's page does; here they are the build in dist/.
  resolve: {
    alias: [
      { find: /^zarr-codecs(\/(register|zarrita))?$/, replacement: dist("$2") },
      { find: "zarr-codecs/verify", replacement: verify },
    ],
  },
  publicDir: "data",
  // What is not there is 404, as on any plain server: a missing chunk must not come as a page.
  appType: "mpa",
  worker: { format: "es" },
  // A report of speeds says what was compared.
  define: { "import.meta.env.VERSIONS": versions() },
  // Workers too: what they import would be found when they run, and the page reloaded in the middle.
  optimizeDeps: {
    entries: ["index.html", "{image,sections,store,ui,workers}/**/*.js", "../bench/worker.js"],
  },
  server: { headers },
  preview: { headers },
  build: { outDir: "../target/www", emptyOutDir: true },
});
