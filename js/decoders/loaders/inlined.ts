/** Compiles the module, which is inlined as text. Where the host does not, loads the portable build. */

import { WASM_TEXT } from "../../wasm/generated/decoders/wasm.js";
import { decodeText } from "../../wasm/loaders/text.js";
import type { Instantiate, Loader, Rust } from "../rust.js";

export const load: Loader["load"] = async () => {
  try {
    const module = await WebAssembly.compile(decodeText(WASM_TEXT));
    return tried(() => new WebAssembly.Instance(module).exports as unknown as Rust);
  } catch {
    return (await import("./portable.js")).load();
  }
};

/** Instantiates the module once: WebKit reports only then that a content security policy forbids compiling. */
function tried(instantiate: Instantiate): Instantiate {
  instantiate();
  return instantiate;
}
