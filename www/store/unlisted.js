// Groups that nothing lists: a server of files, and no consolidated metadata. What is in them is found by names.

const UNLISTED = "UnlistedGroupError";

/** A group whose arrays are unknown: somebody has to name one. */
export class UnlistedGroupError extends Error {
  /** @override */
  name = UNLISTED;

  /** @param {string} [wanted] path that was tried */
  constructor(wanted) {
    super(
      (wanted === undefined ? "" : `there is no array at ${wanted.slice(1)}; `) +
        "this group has no consolidated metadata, and a server of files cannot list what is in it",
    );
  }
}

/** Tells whether an error, also one of another thread, is that. @param {{ name: string }} error */
export const isUnlisted = ({ name }) => name === UNLISTED;

/**
 * Lists the names that attributes and axes declare: coordinates as xarray writes them, labels and series of OME-Zarr.
 *
 * @param {Record<string, any>} metadata of a group or an array
 * @returns {string[]}
 */
export function declaredNames({ attributes, dimension_names: dimensions }) {
  const { coordinates, ancillary_variables: ancillary, grid_mapping: mapping } = attributes ?? {};
  const words = [coordinates, ancillary, mapping].flatMap((text) =>
    typeof text === "string" ? text.split(/\s+/) : [],
  );
  const lists = [dimensions, attributes?._ARRAY_DIMENSIONS, attributes?.labels].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const names = [...words, ...lists].filter(
    (name) => typeof name === "string" && /^[^/.:][^/:]*$/.test(name),
  );
  return [...new Set(names)];
}
