/** Loads the module from a file, for workerd, which compiles only modules that a worker imports. */

import imported from "../../zarr_codecs.wasm";
import * as glue from "../generated/rust.js";
import type { Loader } from "../rust.js";
import { instantiator } from "./instantiate.js";

const instantiate = instantiator(glue);

export const loadSync: Loader["loadSync"] = (module) => instantiate(module ?? imported);

export const load: Loader["load"] = async () => loadSync();
