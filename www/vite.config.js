import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// The page imports the package by its name, as a user's page does; here that is the build in dist/.
export default defineConfig({
  resolve: { alias: { "zarr-codecs": fileURLToPath(new URL("../dist/index.js", import.meta.url)) } },
  publicDir: "data",
  build: { outDir: "../target/www", emptyOutDir: true },
});
