/** Creates the one instance of a WebAssembly module, wherever the module comes from. */

import type { Rust } from "../rust.js";

/** What wasm-bindgen writes beside a module: its functions, and what creates the instance behind them. */
export interface Glue {
  readonly functions: Partial<Rust> & Pick<Rust, "__wbg_reset_state">;
  readonly initSync: (module: { module: WebAssembly.Module }) => unknown;
}

/** Returns a function that creates the instance and returns Rust's functions. */
export function instantiator({ functions, initSync }: Glue): (module: WebAssembly.Module) => Rust {
  /** Whether a start was aborted, by a stack overflow of the caller's. */
  let isHalfStarted = false;
  return (module) => {
    const again = isHalfStarted;
    isHalfStarted = true;
    initSync({ module });
    if (again) functions.__wbg_reset_state(); // The glue keeps an instance, however far its start has come.
    isHalfStarted = false;
    return functions as Rust;
  };
}
