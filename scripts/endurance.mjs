// `npm run endurance [-- --scale 0.01]`: millions of calls and chunks of up to 4 GiB, while memory must stay flat. `--scale`
// makes it shorter. Minutes at 1, and up to 5 GiB of memory.

import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, run } from "./run.mjs";

ensurePackages();
await build();
packForTests();
run("node", ["--expose-gc", "tests/endurance/main.mjs", ...process.argv.slice(2)]);
