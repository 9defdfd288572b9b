/** The functions of Rust, and their loaders. */

import type * as glue from "./generated/rust.js";

/** The functions that `src/wasm/` exports, and wasm-bindgen's function that recreates the instance. */
export type Rust = Omit<typeof glue, "default" | "initSync">;

/** A loader of the functions: a file in `loaders/`. `#loader` in package.json maps conditions to loaders. */
export interface Loader {
  /**
   * Loads the functions synchronously.
   *
   * @param module the module, if the caller has compiled it
   * @throws InvalidArgumentError (the host does not compile it)
   */
  loadSync(module?: WebAssembly.Module): Rust;
  /** Loads the functions without blocking, on any host. */
  load(): Promise<Rust>;
}
