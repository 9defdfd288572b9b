/**
 * The module in hexadecimal, compiled where it is needed. Where the host does not compile it, the portable build takes its
 * place: under a content security policy, on a host that has no WebAssembly or none with SIMD instructions.
 */

import { InvalidArgumentError } from "../../errors.js";
import { WASM_HEX } from "../generated/wasm.js";
import type { Loader } from "../rust.js";
import { instantiate } from "./webassembly.js";

export const loadSync: Loader["loadSync"] = (module) => {
  if (module !== undefined) return instantiate(module);
  const compiled = compile();
  try {
    return instantiate(compiled);
  } catch (cause) {
    // WebKit compiles, and says only here that a content security policy forbids it. (A RangeError: the stack has ended.)
    throw cause instanceof RangeError ? cause : notCompiled(cause);
  }
};

export const load: Loader["load"] = async () => {
  let reason: unknown;
  try {
    return instantiate(await WebAssembly.compile(decodeHex(WASM_HEX)));
  } catch (cause) {
    reason = cause;
  }
  try {
    const portable = await import("./portable.js");
    return await portable.load();
  } catch (cause) {
    const got = `${reason}, and of the portable build ${cause}`;
    throw new InvalidArgumentError("WebAssembly", "a host that compiles it", got, { cause });
  }
};

/** The module, compiled at once. */
function compile(): WebAssembly.Module {
  const bytes = decodeHex(WASM_HEX);
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw notCompiled(cause);
  }
}

function notCompiled(cause: unknown): InvalidArgumentError {
  const expected = 'a host that compiles it; elsewhere import "zarr-codecs/portable", or await init() first';
  return new InvalidArgumentError("WebAssembly", expected, String(cause), { cause });
}

/** The bytes of lower-case hexadecimal text, by the host where it can. */
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
