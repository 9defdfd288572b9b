import { run } from "./program.js";

export default { fetch: async () => Response.json(await run()) };
