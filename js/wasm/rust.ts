/** The functions of Rust, and where they come from. */

import type { functions } from "./generated/rust.js";

/** The functions of `src/wasm/mod.rs`, and the one that starts again with a fresh instance. */
export type Rust = typeof functions;

/**
 * How the functions are loaded: one file in `loaders/` for each way. `#loader` in package.json says which condition
 * selects which.
 */
export interface Loader {
  /**
   * Loads them at once.
   *
   * @param module what the caller has compiled, where a module is needed
   * @throws InvalidArgumentError where the host does not allow it
   */
  loadSync(module?: WebAssembly.Module): Rust;
  /** Loads them without blocking, on every host. */
  load(): Promise<Rust>;
}
