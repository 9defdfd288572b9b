// The section that flips one bit of the array: what zarrita alone reads then, and what it reads with this package.

import "./style.css";
import { chunkLayout } from "zarr-codecs/verify";
import { isShown, pointOf, positionAt, sizeOf } from "../../image/view.js";
import { h } from "../../ui/dom.js";
import { bitStrip } from "./bit-strip.js";
import { elementBytes, hasOwnBytes, placeOf } from "./element.js";
import { side } from "./side.js";
import { situation } from "./situation.js";
import { suggestedBit } from "./suggested-bit.js";
import { elementIn } from "./verdict.js";

/** How many random elements are tried, because chunks may be missing. */
const ATTEMPTS = 50;

/**
 * @typedef {import("../../page.js").Page} Page
 * @typedef {import("../../image/view.js").View} View
 * @typedef {import("../../image/picture.js").Point} Point
 * @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout
 * @typedef {{ key: string, start: number, bytes: Uint8Array }} Place where an element is stored
 */

/** @param {HTMLElement} section @param {Page} page */
export function mount(section, page) {
  const flipOne = h(
    "button",
    { type: "button", className: "primary", onclick: acting(() => flipAt(...target)) },
    "Flip one bit",
  );
  const hideOne = h("button", { type: "button", onclick: acting(hide) }, "Hide one somewhere in the array");
  const restore = h(
    "button",
    { type: "button", disabled: true, onclick: acting(() => page.flip(undefined)) },
    "Restore it",
  );
  const bits = h("div", {
    className: "bits row",
    role: "group",
    ariaLabel: "Bits of the element in storage order",
  });
  const note = h("p", { className: "hint", role: "status" });
  const { builtIn, ours } = page.workers;
  const ourTitle = ["zarrita with ", h("code", {}, "withCodecs(store)")];
  const sides = [
    side(page, ["zarrita alone"], builtIn, acting(flipAt)),
    side(page, ourTitle, ours, acting(flipAt)),
  ];

  section.append(
    h(
      "p",
      { className: "lead" },
      "One flipped bit, as disks and networks flip them. Click into a picture to break that very element.",
    ),
    h(
      "div",
      { className: "panel break-a-byte" },
      h("div", { className: "row" }, flipOne, hideOne, restore, note),
      bits,
      h("div", { className: "columns" }, ...sides.map(({ element }) => element)),
    ),
  );

  /** The pixel whose element the button breaks. @type {Point} */
  let target = [0, 0];
  /** @type {ChunkLayout | undefined} */
  let layout;
  /** Why the array has no layout. @type {Error | undefined} */
  let reason;
  /** @type {string | undefined} */
  let path;
  /** The element whose bits are shown. @type {string | undefined} */
  let element;
  /** Counts flips: of several at once, only the last one takes effect. */
  let flips = 0;

  page.on("viewed", (view) => {
    if (view.path !== path) {
      path = view.path;
      layout = undefined;
      const [height, width] = sizeOf(view);
      target = [Math.floor(height * 0.45), Math.floor(width * 0.45)];
      try {
        layout = chunkLayout(page.array.metadata);
      } catch (error) {
        reason = error;
      }
    }
    aim();
    showNote();
    showBits();
    showSides(view);
  });
  /** @type {View | undefined} */
  let newest;
  /** Shows our side first: zarrita alone requests inner chunks one by one, unless they have been read. @param {View} view */
  async function showSides(view) {
    newest = view;
    const [theirSide, ourSide] = sides;
    await ourSide.show(view, layout);
    if (view === newest) theirSide.show(view, layout);
  }

  page.on("opening", () => {
    path = undefined;
    element = undefined;
    bits.replaceChildren();
    showButtons();
  });
  page.on("flipped", showButtons);
  page.on("selected", () => {
    aim();
    showBits();
  });

  /** Aims at the chunk that is selected, unless an element of it is aimed at. */
  function aim() {
    const { view, chunk } = page;
    if (!isBreakable(layout) || chunk === undefined) return;
    if (String(placeOf(layout, positionAt(view, ...target)).chunk) === String(chunk)) return;
    const { chunkShape } = layout;
    const middle = view.shape.map((length, axis) => {
      const first = chunk[axis] * chunkShape[axis];
      return first + (Math.min(chunkShape[axis], length - first) >> 1);
    });
    const { path } = view;
    if (isShown(view, { path, position: middle })) target = pointOf(view, middle);
  }

  /**
   * Reads the bytes of an element; of a compressed chunk, the byte in its middle.
   *
   * @param {ChunkLayout} layout
   * @param {number[]} position
   * @returns {Promise<Place | undefined>}
   */
  async function locate(layout, position) {
    const { chunk, start } = placeOf(layout, position);
    if (hasOwnBytes(layout)) return ours.bytes(page.array, chunk, start, elementBytes(layout));
    const all = await ours.bytes(page.array, chunk, 0);
    if (all === undefined) return undefined;
    const middle = all.byteLength >> 1;
    return { key: all.key, start: all.start + middle, bytes: all.bytes.slice(middle, middle + 1) };
  }

  /** @param {number} row @param {number} column */
  async function flipAt(row, column) {
    if (!isBreakable(layout)) return;
    const { view } = page;
    target = [row, column];
    const isStored = await flipPosition(layout, view, positionAt(view, row, column), false);
    if (isStored || !page.isCurrent(view)) return;
    note.textContent =
      "The chunk there is missing: all of it is the fill value, and no byte is stored. Try elsewhere.";
  }

  /**
   * Flips a bit of an element, and returns whether the element is stored.
   *
   * @param {ChunkLayout} layout
   * @param {View} view
   * @param {number[]} position
   * @param {boolean} isHidden
   */
  async function flipPosition(layout, view, position, isHidden) {
    const place = await locate(layout, position);
    if (place === undefined) return false;
    const channel = view.channels.find(({ number }) => number === position[view.channelAxis ?? -1]);
    if (page.isCurrent(view)) {
      const suggested = suggestedBit(layout, (channel ?? view.channels[0]).window);
      await flip(view, place, position, suggested, isHidden);
    }
    return true;
  }

  /**
   * @param {View} view
   * @param {Place} place
   * @param {number[]} position
   * @param {[byte: number, bit: number]} bit of the element
   * @param {boolean} isHidden
   */
  async function flip(view, place, position, [byte, bit], isHidden) {
    flips += 1;
    const number = flips;
    await builtIn.flip(undefined);
    const before = await elementIn(builtIn, view, position);
    if (number !== flips) return;
    // Another array is shown by now, so the bit that was flipped before is flipped again.
    if (!page.isCurrent(view)) await page.flip(page.broken);
    else {
      const { path, component } = view;
      const where = { key: place.key, byte: place.start + byte, bit };
      if (layout && !isHidden) page.select(placeOf(layout, position).chunk);
      await page.flip({ ...where, path, component, position, before, isHidden });
    }
  }

  /** Breaks a random element, for “Verify all” to find. */
  async function hide() {
    const { view } = page;
    if (!isBreakable(layout)) return;
    for (let attempt = 0; attempt < ATTEMPTS && page.isCurrent(view); attempt += 1) {
      const anywhere = view.shape.map((length) => Math.floor(Math.random() * length));
      if (await flipPosition(layout, view, anywhere, true)) return;
    }
    if (page.isCurrent(view)) {
      note.textContent = "Hardly any chunk of this array is stored, so there is nothing to break.";
    }
  }

  /** Tells whether elements can be located in chunks. @param {ChunkLayout | undefined} layout @returns {layout is ChunkLayout} */
  function isBreakable(layout) {
    return layout !== undefined && page.view.isPaintable && page.view.plane.length > 0;
  }

  /** Tells whether a hidden element of this array is broken. */
  const isHiding = () => page.broken?.isHidden === true && page.broken.path === path;

  function showButtons() {
    restore.disabled = page.broken === undefined;
    hideOne.textContent = page.broken?.isHidden ? "Hide another one" : "Hide one somewhere in the array";
  }

  function showNote() {
    for (const button of [flipOne, hideOne]) button.disabled = !isBreakable(layout);
    if (layout === undefined) note.textContent = `${reason?.message}. Choose another array.`;
    else if (isBreakable(layout)) note.textContent = situation(page, layout, isHiding());
    else
      note.textContent =
        "Only arrays that can be seen as a picture or a plot are broken here; choose another one.";
  }

  async function showBits() {
    const { view, broken } = page;
    const position = broken && isShown(view, broken) ? broken.position : positionAt(view, ...target);
    const { key, byte, bit } = broken ?? {};
    const wanted =
      isBreakable(layout) && !isHiding() ? JSON.stringify([path, position, key, byte, bit]) : undefined;
    if (wanted === element) return;
    element = wanted;
    bits.replaceChildren();
    if (wanted === undefined || layout === undefined) return;
    try {
      const place = await locate(layout, position);
      if (place && wanted === element) bits.replaceChildren(...bitsOf(position, place));
    } catch (error) {
      if (wanted !== element) return;
      element = undefined;
      report(error);
    }
  }

  /** @param {number[]} position @param {Place} place */
  function bitsOf(position, place) {
    /** @param {number} byte @param {number} bit */
    const isFlipped = (byte, bit) =>
      page.broken?.key === place.key && page.broken.byte === place.start + byte && page.broken.bit === bit;
    /** @param {number} byte @param {number} bit */
    const toggle = (byte, bit) =>
      isFlipped(byte, bit) ? page.flip(undefined) : flip(page.view, place, position, [byte, bit], false);
    return [
      h(
        "span",
        { className: "hint" },
        layout && hasOwnBytes(layout)
          ? `Element [${position.join(", ")}] in the file`
          : `Byte ${place.start.toLocaleString("en")} of ${place.key.slice(1)}, in the middle of the compressed chunk`,
      ),
      ...bitStrip(place.bytes, isFlipped, acting(toggle)),
    ];
  }

  /**
   * Wraps an action so that its error is shown.
   *
   * @template {unknown[]} Values
   * @param {(...values: Values) => Promise<void>} action
   */
  function acting(action) {
    return (/** @type {Values} */ ...values) => {
      action(...values).catch(report);
    };
  }

  /** @param {Error} error */
  function report(error) {
    note.textContent = `${error.name}: ${error.message}`;
  }
}
