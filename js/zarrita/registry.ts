/** Registers codecs, and unregisters them in any order. */

import type { PipelineMetadata } from "./view.js";

/** A registry of codecs: that of any version of zarrita, or any other map of functions that return codecs. */
export interface CodecRegistry {
  get(name: string): unknown;
  set(name: string, factory: () => Promise<never>): unknown;
  delete(name: string): unknown;
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

/**
 * Registers a codec.
 *
 * @returns a function that unregisters it, in any order with others: the newest remaining entry, ours or not, takes effect
 */
export function install(registry: CodecRegistry, name: string, factory: Factory): () => void {
  const layer: Layer = { factory, below: registry.get(name) };
  // Another copy of this package may have kept this function, and register it again after it was unregistered.
  const installed: Factory = () => (layer.factory ?? (inEffect(layer.below) as Factory | undefined))?.();
  LAYERS.set(installed, layer);
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
