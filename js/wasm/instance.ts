/**
 * The running Rust. It is loaded at the first call, so nobody has to initialize anything; every call goes through
 * {@link Instance.call} or {@link Instance.enter} and {@link Instance.leave}.
 */

import * as loader from "#loader";
import { describe, errorFromRust, InvalidArgumentError } from "../errors.js";
import type { Rust } from "./rust.js";
import { Window } from "./window.js";

/** The host's `WebAssembly.Module`, where its types are known. */
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : unknown;

/**
 * - `new`: not loaded.
 * - `ready`: can be called.
 * - `running`: a call is under way. Rust does not call back, so a call that begins in this state means that the last one
 *   was aborted, by a stack overflow or a trap, and has left Rust in no known state: a fresh instance takes over.
 */
type State = "new" | "ready" | "running";

class Instance {
  /** The window of the last call. */
  window!: Window;
  private state: State = "new";
  /** What concurrent calls of {@link load} wait for. */
  private loading: Promise<Rust> | undefined;

  /** Begins a call. Until {@link leave} nothing may throw, unless the call is aborted. */
  enter(): Window {
    if (this.state !== "ready") this.start();
    this.state = "running";
    return this.window;
  }

  /** Ends a call. */
  leave(): void {
    this.state = "ready";
  }

  /** Calls a function of Rust that may throw. */
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

  /** Loads the functions without blocking. One load serves concurrent calls; after a failure the next call retries. */
  async load(): Promise<void> {
    if (this.state !== "new") return;
    this.loading ??= loader.load().finally(() => {
      this.loading = undefined;
    });
    const rust = await this.loading;
    if (this.state === "new") this.start(() => rust);
  }

  /** Loads them from a compiled module, unless that has been done. */
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
 * The one instance: a WebAssembly memory reserves gigabytes of addresses, so an application cannot have many.
 *
 * @internal
 */
export const instance = new Instance();

/**
 * Compiles the module without blocking, so that the first call does not have to. Where the host does not compile it, loads
 * the portable build instead. Optional elsewhere.
 *
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
 * Starts with a module that the host has compiled (`zarr-codecs/zarr_codecs.wasm`), for hosts that forbid compiling.
 * Optional elsewhere; without effect in the portable build, and once the package has started.
 *
 * @throws InvalidArgumentError
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
  const exports = exportsOf(module as WebAssembly.Module);
  if (!["decodeWindow", "encodedWindow", "__wbindgen_start"].every((name) => exports.includes(name))) {
    throw anotherModule();
  }
  try {
    instance.loadSync(module as WebAssembly.Module);
  } catch (cause) {
    const isUnlike = cause instanceof WebAssembly.LinkError || cause instanceof TypeError;
    throw isUnlike ? anotherModule(cause) : cause;
  }
}

function anotherModule(cause?: unknown): InvalidArgumentError {
  return new InvalidArgumentError("module", "that of zarr-codecs/zarr_codecs.wasm", "another one", { cause });
}

/** The names that a module exports, which only a module has. */
function exportsOf(module: WebAssembly.Module): string[] {
  try {
    return WebAssembly.Module.exports(module).map(({ name }) => name);
  } catch (cause) {
    throw new InvalidArgumentError("module", "a WebAssembly.Module", describe(module), { cause });
  }
}

/**
 * Returns which build runs: WebAssembly with SIMD instructions, or the portable one.
 *
 * @throws InvalidArgumentError where neither can run yet, like any first call
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
