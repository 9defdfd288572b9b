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
  worker: { format: "es" },
  build: { outDir: "../target/www", emptyOutDir: true },
});
