/** The groups and arrays that the metadata of OME-Zarr name (https://ngff.openmicroscopy.org). */

import { asObject, isObject, type Json } from "../json.js";

const LAYOUT = "bioformats2raw.layout";

/** Paths relative to a group. */
interface Named {
  /** Levels of images. */
  readonly arrays: readonly string[];
  /** Wells of a plate, images of a well, labels, series of a file: as they are ordered. */
  readonly groups: readonly string[];
  /** Whether these arrays and groups have to be there. */
  readonly isRequired: boolean;
  /** Groups that may be there. */
  readonly possible: readonly string[];
  /** Whether groups may be numbered from 0, without gaps. */
  readonly isNumbered: boolean;
}

/** Returns what OME-Zarr says about a node: up to version 0.4 among the attributes, since then in one of its own. */
function omeOf({ attributes }: Json): Json {
  const all = asObject(attributes);
  return isObject(all.ome) ? all.ome : all;
}

/** Returns what the attributes of a group name. */
export function namedBy(metadata: Json): Named {
  const attributes = asObject(metadata.attributes);
  const ome = omeOf(metadata);
  const multiscales = objectsIn(ome.multiscales);
  const isConverted = (ome[LAYOUT] ?? attributes[LAYOUT]) !== undefined;
  return {
    arrays: pathsIn(multiscales.flatMap(({ datasets }) => pathsOf(datasets))),
    groups: pathsIn([
      ...pathsOf(asObject(ome.plate).wells),
      ...pathsOf(asObject(ome.well).images),
      // Among the attributes, labels may be anything.
      ...listIn(asObject(attributes.ome).labels),
      ...listIn(ome.series).map((name) => `../${name}`),
    ]),
    // Nothing but their names tells that attributes are of OME-Zarr.
    isRequired: isObject(attributes.ome),
    possible: [...(multiscales.length > 0 ? ["labels"] : []), ...(isConverted ? ["OME"] : [])],
    isNumbered: isConverted,
  };
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const objectsIn = (value: unknown): Json[] => listIn(value).filter(isObject);

const pathsOf = (value: unknown): unknown[] => objectsIn(value).map(({ path }) => path);

const pathsIn = (values: unknown[]): string[] =>
  values.filter((path): path is string => typeof path === "string" && path !== "");
