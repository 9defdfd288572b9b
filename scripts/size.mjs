// `npm run size`: checks the packed package against the budgets in .size-limit.json.

import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { run } from "./run.mjs";

await build();
pack();
run("size-limit", []);
