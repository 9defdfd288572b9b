import { run } from "./program.js";

run()
  .catch((error) => ({ failed: String(error?.stack ?? error) }))
  .then((seen) => fetch("/", { method: "POST", body: JSON.stringify(seen) }));
