// The address of the page: the store in its query; the array, the slice, the channels and the section in its hash.

import { atAddress, FIRST } from "./store/source.js";

/**
 * @typedef {import("./page.js").Page} Page
 * @typedef {import("./page.js").Wanted} Wanted
 * @typedef {import("./store/source.js").Source} Source
 */

/** What has been opened from this computer, which an address cannot say, for going back to. @type {Source[]} */
const own = [];

const read = () => new URLSearchParams(location.hash.slice(1));

/** @param {string | null} text */
const numbers = (text) => {
  const found = text?.split(",").map(Number);
  return found?.every((number) => Number.isInteger(number) && number >= 0) ? found : undefined;
};

/** Reads what the address asks for. @returns {Wanted & { source: Source, section?: string }} */
export function wantedFromAddress() {
  const hash = read();
  const source = new URLSearchParams(location.search).get("source");
  const slice = hash.get("slice")?.split(",") ?? [];
  const ranges = slice.map((part) => /^(\d*):?(\d*)$/.exec(part));
  const isSlice = slice.length > 0 && ranges.every((range) => range !== null);
  const shown = slice.flatMap((part, axis) => (part.includes(":") ? [axis] : []));
  const plane = numbers(hash.get("axes")) ?? (shown.length > 0 ? shown : undefined);
  const known = own[history.state?.own];
  // A plain link to a section, such as #integrity.
  const [first] = [...hash.keys()];
  return {
    source: source !== null ? atAddress(source) : (known ?? FIRST),
    array: hash.get("array") ?? undefined,
    indices: isSlice ? ranges.map((range) => Number(range?.[1] || 0)) : undefined,
    plane: isSlice ? plane : undefined,
    extent: isSlice
      ? plane?.map((axis) => [Number(ranges[axis]?.[1]), Number(ranges[axis]?.[2])])
      : undefined,
    visible: numbers(hash.get("channels")),
    chunk: numbers(hash.get("chunk")),
    section: hash.get("section") ?? (first && document.getElementById(first) ? first : undefined),
  };
}

/** Keeps the address up to date: another store, array or chunk is a step to go back from. @param {Page} page */
export function keepAddress(page) {
  page.on("opening", ({ source }) => {
    const wanted = wantedFromAddress().source;
    const isSame =
      source === wanted || (source.kind === "url" && wanted.kind === "url" && source.url === wanted.url);
    if (isSame) return;
    const address = new URL(location.href);
    address.hash = "";
    address.searchParams.delete("source");
    if (source.kind === "url" && source.url !== FIRST.url) address.searchParams.set("source", source.url);
    if (source.kind !== "url") own.push(source);
    history.pushState(source.kind === "url" ? null : { own: own.length - 1 }, "", address);
  });
  page.on("viewed", (view) => {
    const { path, indices, plane, shape, extent, channels, channelAxis } = view;
    const part = (/** @type {number} */ axis) => {
      const i = plane.indexOf(axis);
      if (i < 0) return String(indices[axis]);
      if (plane.length < 2) return indices[axis] === 0 ? ":" : String(indices[axis]);
      const [start, stop] = extent?.[i] ?? [0, shape[axis]];
      return start === 0 && stop === shape[axis] ? ":" : `${start}:${stop}`;
    };
    const isUsual = plane.every((axis, i) => i === 0 || plane[i - 1] < axis);
    const visible = channels.filter(({ isVisible }) => isVisible).map(({ number }) => number);
    const isAll = channelAxis === undefined || visible.length === channels.length;
    write(
      {
        array: path,
        slice: shape.map((_, axis) => part(axis)).join(","),
        axes: isUsual ? undefined : plane.join(","),
        channels: isAll ? undefined : visible.join(","),
        chunk: page.chunk?.join(","),
      },
      read().has("array") && read().get("array") !== path,
    );
  });
  page.on("selected", (chunk) => write({ chunk: chunk?.join(",") }, true));
}

/** Shows what the address asks for when it is edited, and when people go back. @param {Page} page */
export function followAddress(page) {
  window.addEventListener("popstate", () => {
    const wanted = wantedFromAddress();
    const { source } = page;
    const isOpen =
      wanted.source === source ||
      (source?.kind === "url" && wanted.source.kind === "url" && source.url === wanted.source.url);
    if (!isOpen) page.open(wanted.source, wanted);
    else if (wanted.array !== undefined && page.nodes.some(({ path }) => path === wanted.array))
      page.show(wanted.array, wanted);
    if (wanted.section) goTo(wanted.section);
  });
}

/**
 * Lets links to sections change only that part of the hash, and marks the current one.
 *
 * @param {NodeListOf<HTMLAnchorElement>} links
 */
export function followSections(links) {
  const mark = (/** @type {string} */ section) => {
    for (const link of links) link.ariaCurrent = String(sectionOf(link) === section);
  };
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      goTo(sectionOf(link));
      mark(sectionOf(link));
      write({ section: sectionOf(link) }, false);
    });
  }
  const { section } = wantedFromAddress();
  if (section === undefined) return;
  goTo(section);
  mark(section);
}

/** Ends what keeps a section in place. */
let release = () => {};

/** Scrolls to a section, and stays there while what is above it grows, until somebody scrolls. @param {string} section */
function goTo(section) {
  const element = document.getElementById(section);
  if (element === null) return;
  release();
  element.scrollIntoView();
  // The next press of Tab continues from there.
  element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
  const grown = new ResizeObserver(() => element.scrollIntoView({ behavior: "instant" }));
  grown.observe(document.body);
  const end = new AbortController();
  release = () => {
    grown.disconnect();
    end.abort();
  };
  for (const type of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    window.addEventListener(type, () => release(), { signal: end.signal, passive: true });
  }
}

/** @param {HTMLAnchorElement} link */
const sectionOf = (link) => link.hash.slice(1);

/** @param {Record<string, string | undefined>} members @param {boolean} isStep to go back from */
function write(members, isStep) {
  const hash = read();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) hash.delete(name);
    else hash.set(name, value);
  }
  for (const name of [...hash.keys()]) if (hash.get(name) === "") hash.delete(name);
  // A hash may contain commas, colons and slashes, which are easier to read than their escapes.
  const text = `#${String(hash).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
  if (text === location.hash) return;
  if (isStep) history.pushState(history.state, "", text);
  else history.replaceState(history.state, "", text);
}
