import { run } from "./program.js";

run()
  .catch((error) => ({ failed: String(error?.stack ?? error) }))
  .then((seen) => {
    document.body.textContent = JSON.stringify(seen);
  });
