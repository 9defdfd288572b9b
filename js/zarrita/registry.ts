/** Puts codecs into a registry, and takes them out again in any order. */

import type { PipelineMetadata } from "./view.js";

/** A registry of codecs: zarrita's, whatever its version, or any other map of functions that return codecs. */
export interface CodecRegistry {
  get(name: string): unknown;
  set(name: string, factory: () => Promise<never>): unknown;
  delete(name: string): unknown;
}

/** What a registry's functions return. */
export interface CodecEntry {
  readonly kind?: "array_to_bytes" | "bytes_to_bytes";
  fromConfig(configuration: unknown, metadata: PipelineMetadata): unknown;
}

type Factory = () => unknown;

/** One registration of one name. */
interface Layer {
  /** Undefined once it has been unregistered. */
  factory: Factory | undefined;
  /** What the registry had under this name before. */
  below: unknown;
}

/** The layers by the functions that stand for them in registries. */
const LAYERS = new WeakMap<object, Layer>();

/**
 * Registers a codec.
 *
 * @returns a function that takes it out: what is in force then is the newest of what was registered and not taken out,
 * be it ours or not. Calls may come in any order.
 */
export function install(registry: CodecRegistry, name: string, factory: Factory): () => void {
  const layer: Layer = { factory, below: registry.get(name) };
  // Somebody who has kept this function, such as another copy of this package, may put it back after it was taken out.
  const installed: Factory = () => (layer.factory ?? (inForce(layer.below) as Factory | undefined))?.();
  LAYERS.set(installed, layer);
  registry.set(name, installed as () => Promise<never>);
  return () => {
    layer.factory = undefined;
    const top = registry.get(name);
    const next = inForce(top);
    if (next === undefined) registry.delete(name);
    else if (next !== top) registry.set(name, next as () => Promise<never>);
  };
}

/** The first of a function and what lies below it that has not been taken out; drops what has been. */
function inForce(top: unknown): unknown {
  const layer = LAYERS.get(top as object);
  if (layer === undefined) return top;
  layer.below = inForce(layer.below);
  return layer.factory ? top : layer.below;
}
