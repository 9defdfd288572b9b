/** Waits for signals to abort, with one listener for each signal: Node warns of a leak where there are more than 10. */

import { describe, invalidArgument } from "../errors.js";
import { expectReadable } from "../expect.js";
import type { Signal } from "./ranges.js";

interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const WAITING = new WeakMap<object, Waiting>();

/** Calls a function when a signal aborts. @returns a function that ends this, to be called once */
export function onAbort(signal: Signal & object, callback: () => void): () => void {
  const { callbacks, listener } = WAITING.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0) return;
    WAITING.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}

function listen(signal: Signal & object): Waiting {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of callbacks) callback();
  };
  const waiting = { callbacks, listener };
  WAITING.set(signal, waiting);
  signal.addEventListener("abort", listener, { once: true });
  return waiting;
}

/** Checks the option `signal`. @throws InvalidArgumentError */
export function expectSignal(signal: unknown): void {
  const isSignal = () => typeof (signal as Signal & object)?.addEventListener === "function";
  if (signal === undefined || expectReadable("options.signal", isSignal)) return;
  throw invalidArgument("options.signal", "an AbortSignal", describe(signal));
}
