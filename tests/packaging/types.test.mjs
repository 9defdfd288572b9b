// The types of the package, by the newest TypeScript; `types.slow.mjs` has the others.

import { testTypes } from "./types.mjs";

testTypes("7");
