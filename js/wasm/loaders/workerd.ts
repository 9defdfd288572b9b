/** The module as a file, for workerd, which compiles what a worker imports and nothing else. */

import imported from "../../zarr_codecs.wasm";
import type { Loader } from "../rust.js";
import { instantiate } from "./webassembly.js";

export const loadSync: Loader["loadSync"] = (module) => instantiate(module ?? imported);

export const load: Loader["load"] = async () => loadSync();
