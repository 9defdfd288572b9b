/** Loads the inlined module of CRC-32C alone, without the functions for chains. */

import * as glue from "../generated/crc32c/rust.js";
import { WASM_TEXT } from "../generated/crc32c/wasm.js";
import { inlinedLoader } from "./compile.js";

export const { loadSync, load } = inlinedLoader(WASM_TEXT, glue);
