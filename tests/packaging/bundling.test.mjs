// Bundles of the fastest bundler; `bundling.slow.mjs` has the others.

import { testBundles } from "./bundling.mjs";

testBundles("esbuild");
