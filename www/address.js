// Which array, which slice and which section, in the hash of the address; which store, in its query.

import { atAddress, FIRST } from "./store/source.js";

const read = () => new URLSearchParams(location.hash.slice(1));

/** What the address asks for. */
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

/** Keeps the address true. @param {import("./page.js").Page} page */
export function keepAddress(page) {
  page.addEventListener("viewed", () => {
    const { path, indices, plane, shape, region } = page.view;
    const isWhole = (axis) => plane.includes(axis) && region[plane.indexOf(axis)][1] === shape[axis];
    const slice = indices.map((at, axis) => (isWhole(axis) && at === 0 ? ":" : at));
    write({ array: path, slice: slice.join(",") });
  });
  page.addEventListener("opened", () => {
    const address = new URL(location.href);
    const { url } = page.source;
    if (url && url !== FIRST.url) address.searchParams.set("source", url);
    else address.searchParams.delete("source");
    history.replaceState(null, "", address);
  });
}

/** Goes where the address says when somebody edits it. @param {import("./page.js").Page} page */
export function followAddress(page) {
  window.addEventListener("hashchange", () => {
    const { array, indices } = wantedFromAddress();
    if (page.nodes.some(({ path, metadata }) => path === array && metadata.node_type === "array")) {
      page.show(array, indices);
    }
  });
}

/** Links to sections change that part of the hash only, and mark the section as current. */
export function followSections(links) {
  const go = (section, isAsked) => {
    const element = document.getElementById(section);
    element?.scrollIntoView();
    // The next press of Tab goes on from there.
    element?.setAttribute("tabindex", -1);
    element?.focus({ preventScroll: true });
    for (const link of links) link.ariaCurrent = String(sectionOf(link) === section);
    if (isAsked) write({ section });
  };
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(sectionOf(link), true);
    });
  }
  const { section } = wantedFromAddress();
  if (section) go(section, false);
}

const sectionOf = (link) => link.hash.slice(1);

function write(members) {
  const hash = read();
  for (const [name, value] of Object.entries(members)) hash.set(name, value);
  // Commas, colons and slashes are allowed there, and easier to read.
  const text = String(hash).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  history.replaceState(null, "", `#${text}`);
}
