/** Names that say what something is. */

/** The name of the file with the metadata of a group or an array. */
export const METADATA = "zarr.json";

/** Returns whether a key is that of the metadata of a group or an array. */
export const isMetadata = (key: string): boolean => key === METADATA || key.endsWith(`/${METADATA}`);

/** Returns whether a location is that of a zip file. */
export const isZip = (location: string): boolean => /\.(zip|ozx)$/i.test(location);
