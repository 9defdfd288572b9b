import { run } from "./program.js";

run()
  .catch((error) => ({ failed: String(error?.stack ?? error) }))
  .then((seen) => postMessage(seen));
