// What can be opened: the stores that come with the page, or one at an address.

/** The stores that come with the page, by their path beside it. */
export const BUNDLED = { "cells.ome.zarr": "Cells", "sample.zarr": "A world of data types" };

/** What is open if nothing else is wanted. */
export const FIRST = atAddress("cells.ome.zarr");

/** A store at an absolute address, or at a path beside the page. */
export function atAddress(url) {
  return {
    kind: "url",
    url: URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href : url,
  };
}

/** What people call a source. */
export function nameOf(source) {
  if (source.kind !== "url") return source.name;
  const own = Object.keys(BUNDLED).find((path) => atAddress(path).url === source.url);
  return own ? `${BUNDLED[own]} (${own})` : source.url;
}
