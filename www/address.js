// The address of the page: the store in its query; the array, the slice and the section in its hash.

import { atAddress, FIRST } from "./store/source.js";

/** @typedef {import("./page.js").Page} Page */

const read = () => new URLSearchParams(location.hash.slice(1));

/** Reads what the address asks for. */
export function wantedFromAddress() {
  const hash = read();
  const source = new URLSearchParams(location.search).get("source");
  const indices = hash
    .get("slice")
    ?.split(",")
    .map((index) => (index === ":" ? 0 : Number(index)));
  return {
    source: source === null ? FIRST : atAddress(source),
    array: hash.get("array") ?? undefined,
    indices: indices?.every((index) => Number.isInteger(index) && index >= 0) ? indices : undefined,
    section: hash.get("section") ?? undefined,
  };
}

/** Keeps the address up to date. @param {Page} page */
export function keepAddress(page) {
  page.on("viewed", ({ path, indices, plane, shape, region }) => {
    /** @param {number} axis */
    const isWhole = (axis) => plane.includes(axis) && region[plane.indexOf(axis)][1] === shape[axis];
    const slice = indices.map((at, axis) => (isWhole(axis) && at === 0 ? ":" : at));
    write({ array: path, slice: slice.join(",") });
  });
  page.on("opened", ({ source }) => {
    const address = new URL(location.href);
    const url = source.kind === "url" ? source.url : FIRST.url;
    if (url !== FIRST.url) address.searchParams.set("source", url);
    else address.searchParams.delete("source");
    history.replaceState(null, "", address);
  });
}

/** Shows what the address asks for when it is edited. @param {Page} page */
export function followAddress(page) {
  window.addEventListener("hashchange", () => {
    const { array, indices } = wantedFromAddress();
    const node = page.nodes.find(({ path }) => path === array);
    if (node?.metadata.node_type === "array") page.show(node.path, indices);
  });
}

/**
 * Lets links to sections change only that part of the hash, and marks the current one.
 *
 * @param {NodeListOf<HTMLAnchorElement>} links
 */
export function followSections(links) {
  /** @param {string} section */
  const go = (section) => {
    const element = document.getElementById(section);
    element?.scrollIntoView();
    // The next press of Tab continues from there.
    element?.setAttribute("tabindex", "-1");
    element?.focus({ preventScroll: true });
    for (const link of links) link.ariaCurrent = String(sectionOf(link) === section);
  };
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(sectionOf(link));
      write({ section: sectionOf(link) });
    });
  }
  const { section } = wantedFromAddress();
  if (section) go(section);
}

/** @param {HTMLAnchorElement} link */
const sectionOf = (link) => link.hash.slice(1);

/** @param {Record<string, string>} members */
function write(members) {
  const hash = read();
  for (const [name, value] of Object.entries(members)) hash.set(name, value);
  // A hash may contain commas, colons and slashes, which are easier to read than their escapes.
  const text = String(hash).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  history.replaceState(null, "", `#${text}`);
}
