import { run } from "./program.js";

console.log(JSON.stringify(await run()));
