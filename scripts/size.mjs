// `npm run size`: the budgets in .size-limit.json, for the package as it is packed.

import { join } from "node:path";
import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { ROOT, run } from "./run.mjs";
import { command } from "./runtimes.mjs";

await build();
pack();
// size-limit needs a later Node than this package does.
run(command("Node 24"), [join(ROOT, "node_modules/size-limit/bin.js")]);
