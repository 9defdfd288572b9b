/**
 * Loads the portable build: Rust without SIMD instructions, translated to JavaScript by wasm2js. It implements the part of
 * the host's `WebAssembly` that the glue uses (`scripts/build.mjs`).
 */

import * as glue from "../generated/portable/rust.js";
import { WebAssembly } from "../generated/portable/webassembly.js";
import type { Loader } from "../rust.js";

export const loadSync: Loader["loadSync"] = () => {
  glue.initSync({ module: new WebAssembly.Module(new Uint8Array(0)) });
  return glue;
};

export const load: Loader["load"] = async () => loadSync();
