// Slow: bundlers that take seconds for each application.

import { testBundles } from "./bundling.mjs";

for (const bundler of ["vite", "rollup", "webpack"]) testBundles(bundler);
