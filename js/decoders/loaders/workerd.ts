/** Takes the module from a file, for workerd, which compiles only modules that a worker imports. */

import module from "../../zarr_decoders.wasm";
import type { Loader, Rust } from "../rust.js";

export const load: Loader["load"] = async () => () =>
  new WebAssembly.Instance(module).exports as unknown as Rust;
