/**
 * Compiles a module inlined as text. Falls back to the portable build on hosts that do not compile it: under a content
 * security policy, without WebAssembly, or without its SIMD instructions.
 */

import { InvalidArgumentError } from "../../errors.js";
import type { Loader } from "../rust.js";
import { type Glue, instantiator } from "./instantiate.js";
import { decodeText } from "./text.js";

/** Creates the loader of a module and its glue. */
export function inlinedLoader(text: string, glue: Glue): Loader {
  const instantiate = instantiator(glue);
  return {
    loadSync(module) {
      if (module !== undefined) return instantiate(module);
      const compiled = compile(text);
      try {
        return instantiate(compiled);
      } catch (cause) {
        // WebKit reports only here that a content security policy forbids compiling. A RangeError is a stack overflow.
        throw cause instanceof RangeError ? cause : notCompiled(cause);
      }
    },
    async load() {
      try {
        return instantiate(await WebAssembly.compile(decodeText(text)));
      } catch (cause) {
        return loadPortable(cause);
      }
    },
  };
}

async function loadPortable(reason: unknown) {
  try {
    const portable = await import("./portable.js");
    return await portable.load();
  } catch (cause) {
    throw notCompiled(cause, `(${reason}), nor could the portable build be loaded`);
  }
}

/** Compiles the module synchronously. */
function compile(text: string): WebAssembly.Module {
  const bytes = decodeText(text);
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw notCompiled(cause);
  }
}

function notCompiled(cause: unknown, remark = '(await init() first, or import "zarr-codecs/portable")') {
  const message = `this host does not compile WebAssembly ${remark}: ${cause}`;
  return new InvalidArgumentError(message, { argument: "WebAssembly" }, { cause });
}
