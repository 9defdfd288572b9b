/** Registers codecs, and unregisters them in any order. */

import type { PipelineMetadata } from "./view.js";

/** A registry of codecs: that of any version of zarrita, or any other map of functions that return codecs. */
export interface CodecRegistry {
  get(name: string): unknown;
  set(name: string, factory: () => Promise<never>): unknown;
  delete(name: string): unknown;
  /** Only the option `guard` needs it. */
  keys?(): Iterable<string>;
}

/** A codec as a registry's functions return it. */
export interface CodecEntry {
  readonly kind?: "array_to_bytes" | "bytes_to_bytes";
  fromConfig(configuration: unknown, metadata: PipelineMetadata): unknown;
}

type Factory = () => unknown;

/** A registration of one name. */
interface Layer {
  /** Undefined once it has been unregistered. */
  factory: Factory | undefined;
  /** The previous entry of the registry under this name. */
  below: unknown;
}

/** The layers, by their functions in registries. */
const LAYERS = new WeakMap<object, Layer>();

/** Brands the functions of every copy of this package, so that copies do not watch each other. */
const BRAND = Symbol.for("zarr-codecs.factory");

/**
 * Registers a codec.
 *
 * @returns a function that unregisters it, in any order with others: the newest remaining entry, ours or not, takes effect
 */
export function install(registry: CodecRegistry, name: string, factory: Factory): () => void {
  const layer: Layer = { factory, below: registry.get(name) };
  // Another copy of this package may have kept this function, and register it again after it was unregistered.
  const installed: Factory = () => (layer.factory ?? (inEffect(layer.below) as Factory | undefined))?.();
  LAYERS.set(Object.assign(installed, { [BRAND]: true }), layer);
  registry.set(name, installed as () => Promise<never>);
  return () => {
    layer.factory = undefined;
    const top = registry.get(name);
    const next = inEffect(top);
    if (next === undefined) registry.delete(name);
    else if (next !== top) registry.set(name, next as () => Promise<never>);
  };
}

/** Returns the topmost entry that is still registered, and drops the unregistered layers above it. */
function inEffect(top: unknown): unknown {
  const layer = LAYERS.get(top as object);
  if (layer === undefined) return top;
  layer.below = inEffect(layer.below);
  return layer.factory ? top : layer.below;
}

/** The functions to call when others set a codec, and the function that restores the registry's own `set`, by registry. */
const WATCHERS = new WeakMap<object, { watchers: Set<(name: string) => void>; restore: () => void }>();

/**
 * Calls a function with the name of each codec that others set from now on. Replaces the registry's `set` meanwhile, which
 * fails silently where it is frozen.
 *
 * @returns a function that ends this
 */
export function watch(registry: CodecRegistry, watcher: (name: string) => void): () => void {
  const { watchers, restore } = WATCHERS.get(registry) ?? startWatching(registry);
  watchers.add(watcher);
  return () => {
    if (!watchers.delete(watcher) || watchers.size > 0) return;
    WATCHERS.delete(registry);
    restore();
  };
}

function startWatching(registry: CodecRegistry) {
  const own = Object.getOwnPropertyDescriptor(registry, "set");
  const { set } = registry;
  const watchers = new Set<(name: string) => void>();
  const watched: CodecRegistry["set"] = (name, factory) => {
    const result = set.call(registry, name, factory);
    if (!Object.hasOwn(Object(factory), BRAND)) for (const watcher of watchers) watcher(name);
    return result;
  };
  Reflect.defineProperty(registry, "set", {
    value: watched,
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? false,
  });
  const restore = () => {
    if (registry.set !== watched) return; // Others have replaced it since.
    if (own) Reflect.defineProperty(registry, "set", own);
    else Reflect.deleteProperty(registry, "set");
  };
  const entry = { watchers, restore };
  WATCHERS.set(registry, entry);
  return entry;
}
