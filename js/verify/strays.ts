/** Finds keys that belong to no array or group. */

import { METADATA, pathsAbove, type StoreKey, withoutSlash } from "../array/keys.js";
import type { Hierarchy } from "../store/hierarchy.js";
import type { ArrayUnits } from "./array-units.js";
import type { UnitResult } from "./types.js";

/** What the converter of Bio-Formats stores beside the metadata of Zarr. */
const OME_XML = "METADATA.ome.xml";

export class KnownKeys {
  readonly #arrays: ReadonlyMap<string, ArrayUnits>;
  readonly #groups: ReadonlySet<string>;
  readonly #invalid: ReadonlySet<string>;

  constructor({ nodes, problems }: Hierarchy, arrays: readonly ArrayUnits[]) {
    this.#arrays = new Map(arrays.map((array) => [array.path, array]));
    const groups = nodes.filter(({ metadata }) => metadata.node_type === "group");
    this.#groups = new Set(groups.map(({ path }) => path));
    this.#invalid = new Set(problems.map(({ path }) => path));
  }

  /** Returns the result of a key if it is a stray. */
  strayOf(listed: string): UnitResult | undefined {
    const key = `/${withoutSlash(listed)}`;
    const name = key.slice(key.lastIndexOf("/") + 1);
    // Names that end with a slash are folders.
    if (name === METADATA || name === "") return undefined;
    for (const folder of pathsAbove(key)) {
      const path = folder.slice(0, -1) || "/";
      const array = this.#arrays.get(path);
      if (array) return isChunk(array, key as StoreKey) ? undefined : stray(path, key);
      // What belongs to an array is not known without its metadata.
      if (this.#invalid.has(path)) return undefined;
      if (this.#groups.has(path)) return name === OME_XML ? undefined : stray(path, key);
    }
    return stray("/", key);
  }
}

function isChunk({ reader: { stored } }: ArrayUnits, key: StoreKey): boolean {
  const position = stored.coordsOf(key);
  return position?.every((at, axis) => at < (stored.gridShape[axis] as number)) ?? false;
}

const stray = (path: string, key: string): UnitResult => ({
  array: withoutSlash(path),
  key: withoutSlash(key),
  state: "stray",
  proof: "none",
});
