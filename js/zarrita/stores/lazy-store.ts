/** Stores whose code is loaded when the first key is read or written. */

import { describe, invalidArgument } from "../../errors.js";
import type { AnyStore } from "../../store/nodes.js";
import { overridden } from "../../store/overridden.js";
import { type Lazy, lazily } from "../lazily.js";

/** The minimal store that zarrita can read. */
export interface ReadableStore {
  get(key: `/${string}`, options?: never): unknown;
}

/** The asynchronous version of a function type. */
type Async<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;

/** The type of a store that {@link withExtendedTypes} returns: that of the wrapped store, with asynchronous methods. */
export type ExtendedStore<S> = Omit<S, "get" | "getRange" | "set"> & {
  [method in keyof S & ("get" | "getRange")]: Async<S[method]>;
} & {
  [method in keyof S & "set"]: S[method] extends (...args: infer A) => unknown
    ? (...args: A) => Promise<void>
    : never;
};

const METHODS = ["get", "getRange", "set"] as const;

/**
 * Wraps a store. Its methods are those of another one, which is created when one of them is called.
 *
 * @param more returns further members, given a function that uses the other store
 * @throws InvalidArgumentError (not a store)
 */
export function lazyStore<S extends ReadableStore, C extends AnyStore>(
  store: S,
  create: (store: AnyStore) => Promise<C>,
  more: (use: Lazy<C>) => Record<string, unknown> = () => ({}),
): ExtendedStore<S> {
  if (typeof store !== "object" || store === null || typeof store.get !== "function") {
    throw invalidArgument("store", "a store with a method get", describe(store));
  }
  const inner = store as unknown as AnyStore;
  const use = lazily(() => create(inner));
  const overrides = more(use);
  for (const name of METHODS) {
    if (inner[name] === undefined) continue;
    overrides[name] = (...args: [never, never]) => use((store) => store[name]?.(...args));
  }
  return overridden(store, overrides) as unknown as ExtendedStore<S>;
}
