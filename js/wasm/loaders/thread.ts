/** Instantiates the module that another thread has compiled, which saves a thread its text and its compilation. */

import * as glue from "../generated/rust.js";
import type { Loader } from "../rust.js";
import { instantiator } from "./instantiate.js";

const instantiate = instantiator(glue);

export const loadSync: Loader["loadSync"] = (module) => instantiate(module as WebAssembly.Module);

/** Without a module, or where it cannot be instantiated: the portable build. There is no text to compile. */
export const load: Loader["load"] = async () => (await import("./portable.js")).load();
