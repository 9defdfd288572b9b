/**
 * The running instance of Rust. The first call loads it, so initialization is optional. Every call goes through
 * {@link Instance.call}, or {@link Instance.enter} and {@link Instance.leave}.
 */

import * as loader from "#loader";
import { describe, errorFromRust, invalidArgument } from "../errors.js";
import type { Rust } from "./rust.js";
import { Window } from "./window.js";

/** The host's `WebAssembly.Module`; `unknown` in programs without its types. */
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : unknown;

/**
 * - `new`: not loaded.
 * - `ready`: can be called.
 * - `running`: a call is in progress. Rust does not call back, so a call that starts in this state means that the last one
 *   was aborted, by a stack overflow or a trap, and left Rust in an unknown state: the instance is recreated.
 */
type State = "new" | "ready" | "running";

class Instance {
  /** The window of the last call. */
  window!: Window;
  private state: State = "new";
  /** The load that concurrent calls of {@link load} share. */
  private loading: Promise<Rust> | undefined;

  /** Begins a call. Nothing may throw before {@link leave}, unless the call is aborted. */
  enter(): Window {
    if (this.state !== "ready") this.start();
    this.state = "running";
    return this.window;
  }

  /** Ends a call. */
  leave(): void {
    this.state = "ready";
  }

  /** Calls a function of Rust, converting the errors that it throws. */
  call<N extends keyof Rust>(name: N, ...args: Parameters<Rust[N]>): ReturnType<Rust[N]> {
    const { rust } = this.enter();
    try {
      const result = (rust[name] as (...args: unknown[]) => ReturnType<Rust[N]>)(...args);
      this.leave();
      return result;
    } catch (thrown) {
      const error = errorFromRust(thrown);
      if (error === undefined) throw thrown; // Not thrown by Rust: the call was aborted.
      this.leave();
      throw error;
    }
  }

  /** Loads Rust without blocking. Concurrent calls share one load; the call after a failure retries. */
  async load(): Promise<void> {
    if (this.state !== "new") return;
    this.loading ??= loader.load().finally(() => {
      this.loading = undefined;
    });
    const rust = await this.loading;
    if (this.state === "new") this.start(() => rust);
  }

  /** Loads Rust from a compiled module, unless it is loaded. */
  loadSync(module: WebAssembly.Module): void {
    if (this.state === "new") this.start(() => loader.loadSync(module));
  }

  private start(load: () => Rust = loader.loadSync): void {
    const rust = this.state === "running" ? this.window.rust : load();
    if (this.state === "running") rust.__wbg_reset_state();
    this.window = new Window(rust);
    this.state = "ready";
  }
}

/**
 * The only instance: a WebAssembly memory reserves gigabytes of address space, so an application cannot have many.
 *
 * @internal
 */
export const instance = new Instance();

/**
 * Loads the module without blocking, so that the first call does not block. On hosts that do not compile WebAssembly, loads
 * the portable build instead. Optional on all others.
 *
 * @throws InvalidArgumentError (neither can be loaded)
 * @example
 * ```ts
 * import { crc32c, init } from "zarr-codecs";
 *
 * await init();
 * crc32c(new Uint8Array(32)); // => 0x8a9136aa
 * ```
 */
export async function init(): Promise<void> {
  await instance.load();
}

/**
 * Loads a compiled module (`zarr-codecs/zarr_codecs.wasm`), for hosts that forbid compiling at run time. Optional on all
 * others; has no effect in the portable build, or once a module is loaded.
 *
 * @throws InvalidArgumentError (not that module)
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { crc32c, initSync } from "zarr-codecs";
 *
 * const file = new URL(import.meta.resolve("zarr-codecs/zarr_codecs.wasm"));
 * initSync(new WebAssembly.Module(await readFile(file)));
 * crc32c(new Uint8Array(32)); // => 0x8a9136aa
 * ```
 */
export function initSync(module: WasmModule): void {
  try {
    const names = WebAssembly.Module.exports(module as WebAssembly.Module).map(({ name }) => name);
    const isOurs = ["decodeWindow", "encodedWindow", "__wbindgen_start"].every((name) =>
      names.includes(name),
    );
    if (!isOurs) throw new TypeError("it lacks exports");
    instance.loadSync(module as WebAssembly.Module);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause; // A stack overflow of the caller.
    throw invalidArgument("module", "that of zarr-codecs/zarr_codecs.wasm", describe(module), { cause });
  }
}

/**
 * Returns which build is running: WebAssembly with SIMD instructions, or the portable one. Loads it if necessary.
 *
 * @throws InvalidArgumentError (the host does not compile WebAssembly, and {@link init} has not loaded the portable build)
 * @example
 * ```ts
 * import { backend } from "zarr-codecs";
 * import * as portable from "zarr-codecs/portable";
 *
 * backend(); // => "simd"
 * portable.backend(); // => "portable"
 * ```
 */
export function backend(): "simd" | "portable" {
  return instance.call("hasSimd") ? "simd" : "portable";
}
