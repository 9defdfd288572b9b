/** The groups and arrays that the metadata of OME-Zarr name (https://ngff.openmicroscopy.org). */

import { isObject, type Json } from "../json.js";

/** Paths relative to a group. */
interface Named {
  /** Those that have to be there. */
  readonly declared: readonly string[];
  /** Those that may be. */
  readonly possible: readonly string[];
  /** Whether groups may be numbered from 0, without gaps. */
  readonly isNumbered: boolean;
}

/** Returns what the attributes of a group name. */
export function namedBy({ attributes }: Json): Named {
  const ome = isObject(attributes) && isObject(attributes.ome) ? attributes.ome : {};
  const plate = isObject(ome.plate) ? ome.plate : {};
  const well = isObject(ome.well) ? ome.well : {};
  const multiscales = objectsIn(ome.multiscales);
  const declared = [
    ...multiscales.flatMap(({ datasets }) => objectsIn(datasets).map(({ path }) => path)),
    ...objectsIn(plate.wells).map(({ path }) => path),
    ...objectsIn(well.images).map(({ path }) => path),
    ...listIn(ome.labels),
    ...listIn(ome.series).map((name) => `../${name}`),
  ];
  const isConverted = ome["bioformats2raw.layout"] !== undefined;
  return {
    declared: declared.filter((path): path is string => typeof path === "string" && path !== ""),
    possible: [...(multiscales.length > 0 ? ["labels"] : []), ...(isConverted ? ["OME"] : [])],
    isNumbered: isConverted,
  };
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const objectsIn = (value: unknown): Json[] => listIn(value).filter(isObject);
