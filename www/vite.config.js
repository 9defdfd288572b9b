import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

export default defineConfig({
  // Works from any path of a server.
  base: "./",
  // The page imports the package by its names, as a user's page does; here they are the build in dist/.
  resolve: {
    alias: [{ find: /^zarr-codecs(\/(register|zarrita))?$/, replacement: dist("$2") }],
  },
  publicDir: "data",
  // What is not there is 404, as on any plain server: a missing chunk must not come as a page.
  appType: "mpa",
  worker: { format: "es" },
  build: { outDir: "../target/www", emptyOutDir: true },
});
