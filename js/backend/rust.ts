/** What the loaders beside this file give: Rust's functions, by whichever build the host runs. */

import type * as glue from "./generated/rust.js";

/** The functions of `src/wasm/mod.rs`, and the one that begins anew with a fresh instance. */
export type Rust = Omit<typeof glue, "default" | "initSync">;

/**
 * How an entry of the package comes by them. `index.ts` imports the functions of `inlined.ts`; for other entries
 * `scripts/build.mjs` puts another module in its place.
 */
export interface Loader {
  /**
   * At once.
   *
   * @param module what the caller has compiled, where a module is needed
   * @throws InvalidArgumentError where the host does not allow it
   */
  loadSync(module?: WebAssembly.Module): Rust;
  /** Without blocking, on every host. */
  load(): Promise<Rust>;
}
