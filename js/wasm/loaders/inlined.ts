/** Loads the inlined module. */

import * as glue from "../generated/rust.js";
import { WASM_TEXT } from "../generated/wasm.js";
import { inlinedLoader } from "./compile.js";

export const { loadSync, load } = inlinedLoader(WASM_TEXT, glue);
