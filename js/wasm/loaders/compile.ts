/**
 * Compiles a module inlined in hexadecimal. Falls back to the portable build on hosts that do not compile it: under a content
 * security policy, without WebAssembly, or without its SIMD instructions.
 */

import { InvalidArgumentError } from "../../errors.js";
import type { Loader } from "../rust.js";
import { type Glue, instantiator } from "./instantiate.js";

/** Creates the loader of a module and its glue. */
export function inlinedLoader(hex: string, glue: Glue): Loader {
  const instantiate = instantiator(glue);
  return {
    loadSync(module) {
      if (module !== undefined) return instantiate(module);
      const compiled = compile(hex);
      try {
        return instantiate(compiled);
      } catch (cause) {
        // WebKit reports only here that a content security policy forbids compiling. A RangeError is a stack overflow.
        throw cause instanceof RangeError ? cause : notCompiled(cause);
      }
    },
    async load() {
      try {
        return instantiate(await WebAssembly.compile(decodeHex(hex)));
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
function compile(hex: string): WebAssembly.Module {
  const bytes = decodeHex(hex);
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

/** Decodes lower-case hexadecimal text, with the host's own function where it has one. */
function decodeHex(hex: string): Uint8Array<ArrayBuffer> {
  const host = globalThis as {
    Uint8Array: { fromHex?(text: string): Uint8Array<ArrayBuffer> };
    Buffer?: { from(text: string, encoding: "hex"): Uint8Array<ArrayBuffer> };
  };
  if (host.Uint8Array.fromHex) return host.Uint8Array.fromHex(hex);
  if (host.Buffer) return host.Buffer.from(hex, "hex");
  // "0" to "9" are 0x30 to 0x39, "a" to "f" 0x61 to 0x66.
  const digit = (i: number) => (hex.charCodeAt(i) & 15) + (hex.charCodeAt(i) >> 6) * 9;
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = digit(2 * i) * 16 + digit(2 * i + 1);
  return bytes;
}
