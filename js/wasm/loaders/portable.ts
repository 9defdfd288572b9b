/**
 * Rust as JavaScript, for hosts that do not compile WebAssembly: a build without SIMD instructions that wasm2js has
 * translated. For the glue it is a host's `WebAssembly` that has compiled the module (`scripts/build.mjs`).
 */

import { functions, initSync } from "../generated/portable/rust.js";
import { WebAssembly } from "../generated/portable/webassembly.js";
import type { Loader } from "../rust.js";

export const loadSync: Loader["loadSync"] = () => {
  initSync({ module: new WebAssembly.Module(new Uint8Array(0)) });
  return functions;
};

export const load: Loader["load"] = async () => loadSync();
