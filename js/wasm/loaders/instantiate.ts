/** Instantiates a WebAssembly module, whatever its origin. */

import type { Rust } from "../rust.js";

/** The glue that wasm-bindgen generates for a module: its functions, and the function that creates the instance. */
export type Glue = Partial<Rust> &
  Pick<Rust, "__wbg_reset_state"> & {
    readonly initSync: (module: { module: WebAssembly.Module }) => unknown;
  };

/** Returns a function that instantiates a module and returns Rust's functions. */
export function instantiator(glue: Glue): (module: WebAssembly.Module) => Rust {
  /** Whether the last start was aborted, by a stack overflow of the caller. */
  let wasAborted = false;
  return (module) => {
    const again = wasAborted;
    wasAborted = true;
    glue.initSync({ module });
    if (again) glue.__wbg_reset_state(); // The glue has kept the instance of the aborted start.
    wasAborted = false;
    return glue as Glue & Rust;
  };
}
