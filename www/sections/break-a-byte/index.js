// The section in which one bit of the shown array is flipped: what zarrita alone makes of it, and what we do.

import "./style.css";
import { chunkLayout, endsWithChecksum, isOurs, product, ravel, unravel } from "zarr-codecs/verify";
import { failedAreas, Picture } from "../../image/picture.js";
import { newestOnly } from "../../image/renderer.js";
import { isShown, pointOf, positionAt, sizeOf, viewAt } from "../../image/view.js";
import { chunkLabel } from "../../ui/chunk-label.js";
import { facts, h, hex } from "../../ui/dom.js";
import { bitStrip } from "./bit-strip.js";
import { suggestedBit } from "./suggested-bit.js";

/** Places that are tried, since chunks may be missing. */
const ATTEMPTS = 50;

/** @param {HTMLElement} section @param {import("../../page.js").Page} page */
export function mount(section, page) {
  const flipOne = h(
    "button",
    { type: "button", className: "primary", onclick: acting(() => flipAt(...target)) },
    "Flip one bit",
  );
  const hideOne = h("button", { type: "button", onclick: acting(hide) }, "Hide one somewhere in the array");
  const mend = h(
    "button",
    { type: "button", disabled: true, onclick: acting(() => page.flip(undefined)) },
    "Mend it",
  );
  const bits = h("div", {
    className: "bits row",
    role: "group",
    ariaLabel: "Bits of the element, as they are stored",
  });
  const note = h("p", { className: "hint", role: "status" });
  const theirs = side(["zarrita alone"], page.workers.builtIn);
  const ours = side(["zarrita with ", h("code", {}, 'import "zarr-codecs/zarrita"')], page.workers.ours);

  section.append(
    h(
      "p",
      { className: "lead" },
      "One flipped bit, as disks and networks flip them. Click into a picture to break that very element.",
    ),
    h(
      "div",
      { className: "panel break-a-byte" },
      h("div", { className: "row" }, flipOne, hideOne, mend, note),
      bits,
      h("div", { className: "columns" }, theirs.element, ours.element),
    ),
  );

  /** The point of the picture whose element is broken next. */
  let target = [0, 0];
  let layout;
  /** Why the array has no layout. */
  let reason;
  let path;
  /** What the bits that are shown are of. */
  let element;
  /** Of several flips at once, only the last is made. */
  let flips = 0;

  page.addEventListener("viewed", () => {
    const { view, array } = page;
    if (view.path !== path) {
      path = view.path;
      layout = undefined;
      target = sizeOf(view).map((length) => Math.floor(length * 0.45));
      try {
        layout = chunkLayout(array.metadata);
      } catch (error) {
        reason = error;
      }
    }
    showNote();
    showBits();
    for (const { show } of [theirs, ours]) show(view);
  });
  page.addEventListener("opened", () => {
    path = undefined;
    element = undefined;
    bits.replaceChildren();
    showButtons();
  });
  page.addEventListener("flipped", showButtons);

  /** One of both pictures, with what its codecs say. */
  function side(title, worker) {
    const verdict = h("div", { className: "verdict", ariaLive: "polite" });
    const pick = acting(flipAt);
    const heading = h("h3", {}, ...title);
    const label = `Slice, ${heading.textContent}: Enter breaks the element at the point`;
    const picture = new Picture(label, () => {}, pick);
    const render = newestOnly(
      page,
      worker,
      async (view, result) => {
        picture.draw(result);
        picture.mark(failedAreas(view, result.failures, layout));
        const { target, lines } = await judge(view, result, worker);
        if (!page.isCurrent(view)) return;
        if (target) picture.mark(failedAreas(view, result.failures, layout), target);
        verdict.replaceChildren(...lines);
      },
      (error) => {
        picture.element.hidden = true;
        verdict.replaceChildren(h("p", { className: "bad" }, `${error.name}: ${error.message}`));
      },
    );
    const show = (view) => {
      if (layout) return render(view);
      picture.element.hidden = true;
      verdict.replaceChildren();
    };
    return { element: h("div", { className: "side" }, heading, picture.element, verdict), show };
  }

  /** What is said of a picture, and the point in it that is the culprit. */
  async function judge(view, { failures }, worker) {
    if (failures.length === 0) {
      const quiet = h("p", {}, "No error.");
      return { lines: isSilent(view, worker) ? [quiet, await nowAndBefore(view, worker)] : [quiet] };
    }
    const [{ position, error }] = failures;
    const isFound = error.code === "checksum_mismatch";
    const bit = isFound ? await page.workers.integrity.locate(error) : undefined;
    const place = bit && elementAt(position, bit.byte);
    const lines = [
      h("p", { className: "bad" }, h("strong", {}, `✗ ${error.name}`)),
      facts({
        Chunk: h("code", {}, chunkLabel(path, layout, position)),
        Stored: isFound ? h("code", {}, hex(error.stored)) : undefined,
        Computed: isFound ? h("code", {}, hex(error.computed)) : undefined,
        Error: isFound ? undefined : error.message,
        "If it was one bit":
          bit &&
          `bit ${bit.bit} of byte ${bit.byte.toLocaleString("en")}${place ? `: element [${place.join(", ")}]` : ", in the checksum"}`,
      }),
    ];
    return { lines, target: place && pointOf(view, place) };
  }

  /** Whether a picture is wrong and nothing says so: with our codecs only where no checksum is stored. */
  function isSilent(view, worker) {
    const { broken } = page;
    if (!broken || broken.isHidden || broken.component !== view.component) return false;
    return isShown(view, broken) && (worker === page.workers.builtIn || !endsWithChecksum(layout.codecs));
  }

  async function nowAndBefore(view, worker) {
    const { position, before } = page.broken;
    const now = await elementIn(worker, view, position);
    const text = `Element [${position.join(", ")}] is ${now} here; it was ${before}.`;
    return h("p", { className: "hint" }, text);
  }

  async function elementIn(worker, view, position) {
    const there = viewAt(view, position);
    const [element] = await worker.elements(there, ...pointOf(there, position));
    return element;
  }

  /** Whose bytes are at a place in a chunk: a position in the array; undefined for the checksum. */
  function elementAt(chunk, byte) {
    const number = Math.floor(byte / elementBytes(layout));
    if (number >= product(layout.chunkShape)) return undefined;
    return unravel(number, layout.chunkShape).map((at, axis) => chunk[axis] * layout.chunkShape[axis] + at);
  }

  /** Where the bytes of an element are, and what they are. */
  function locate(position) {
    const chunk = position.map((at, axis) => Math.floor(at / layout.chunkShape[axis]));
    const within = position.map((at, axis) => at % layout.chunkShape[axis]);
    const size = elementBytes(layout);
    const start = ravel(within, layout.chunkShape) * size;
    return page.workers.integrity.bytes(page.array, chunk, start, size);
  }

  async function flipAt(row, column) {
    if (!isBreakable()) return;
    const { view } = page;
    target = [row, column];
    const isThere = await flipPosition(view, positionAt(view, row, column), false);
    if (isThere || !page.isCurrent(view)) return;
    note.textContent =
      "The chunk there is missing: it is nothing but the fill value, and no byte is stored. Try elsewhere.";
  }

  /** Flips a bit of an element of a view's array, and tells whether there is one. */
  async function flipPosition(view, position, isHidden) {
    const place = await locate(position);
    if (place === undefined) return false;
    const channel = view.channels.find(({ number }) => number === position[view.channelAxis]);
    if (page.isCurrent(view)) {
      const suggested = suggestedBit(layout, (channel ?? view.channels[0]).window);
      await flip(view, place, position, suggested, isHidden);
    }
    return true;
  }

  async function flip(view, place, position, [byte, bit], isHidden) {
    flips += 1;
    const number = flips;
    const { builtIn } = page.workers;
    await builtIn.flip(undefined);
    const before = await elementIn(builtIn, view, position);
    if (number !== flips) return;
    // Elsewhere by now: what was broken before stays so.
    if (!page.isCurrent(view)) await page.flip(page.broken);
    else {
      const { path, component } = view;
      const where = { key: place.key, byte: place.start + byte, bit };
      await page.flip({ ...where, path, component, position, before, isHidden });
    }
  }

  /** Breaks an element anywhere; where, is for “Verify all” to find out. */
  async function hide() {
    const { view } = page;
    for (let attempt = 0; attempt < ATTEMPTS && page.isCurrent(view); attempt += 1) {
      const anywhere = view.shape.map((length) => Math.floor(Math.random() * length));
      if (await flipPosition(view, anywhere, true)) return;
    }
    if (page.isCurrent(view)) {
      note.textContent = "Hardly any chunk of this array is stored, so there is nothing to break.";
    }
  }

  /** Whether elements can be found in chunks. */
  function isBreakable() {
    return layout !== undefined && isOurs(layout.codecs) && page.view.plane.length > 0;
  }

  /** Whether what is broken in the array that is shown is to be found. */
  const isHiding = () => page.broken?.isHidden && page.broken.path === path;

  function showButtons() {
    mend.disabled = page.broken === undefined;
    hideOne.textContent = page.broken?.isHidden ? "Hide another one" : "Hide one somewhere in the array";
  }

  function showNote() {
    for (const button of [flipOne, hideOne]) button.disabled = !isBreakable();
    note.textContent = situation(page);
  }

  function situation({ view, broken }) {
    if (layout === undefined) return `${reason.message}. Choose another array.`;
    if (!isBreakable())
      return "Elements can be found in chunks of bytes and crc32c alone; choose another array.";
    const silence = endsWithChecksum(layout.codecs)
      ? ""
      : "There is no crc32c in this codec chain: nobody will notice.";
    if (isHiding()) {
      return `One bit of this array is flipped now. ${silence ? "No crc32c will tell where." : "“Verify all” below finds it."}`;
    }
    if (broken && !isShown(view, broken)) return `What is broken is not in this picture. ${silence}`;
    return silence;
  }

  async function showBits() {
    const { view, broken } = page;
    const position = broken && isShown(view, broken) ? broken.position : positionAt(view, ...target);
    const { key, byte, bit } = broken ?? {};
    const wanted =
      isBreakable() && !isHiding() ? JSON.stringify([path, position, key, byte, bit]) : undefined;
    if (wanted === element) return;
    element = wanted;
    bits.replaceChildren();
    if (wanted === undefined) return;
    try {
      const place = await locate(position);
      if (place && wanted === element) bits.replaceChildren(...bitsOf(position, place));
    } catch (error) {
      if (wanted !== element) return;
      element = undefined;
      tell(error);
    }
  }

  function bitsOf(position, place) {
    const isFlipped = (byte, bit) =>
      page.broken?.key === place.key && page.broken.byte === place.start + byte && page.broken.bit === bit;
    const toggle = (byte, bit) =>
      isFlipped(byte, bit) ? page.flip(undefined) : flip(page.view, place, position, [byte, bit], false);
    return [
      h("span", { className: "hint" }, `Element [${position.join(", ")}] in the file`),
      ...bitStrip(place.bytes, isFlipped, acting(toggle)),
    ];
  }

  /** An action of the user's, whose error is told. */
  function acting(action) {
    return (...values) => action(...values)?.catch(tell);
  }

  function tell(error) {
    note.textContent = `${error.name}: ${error.message}`;
  }
}

/** Bytes of an element, which a chain of bytes and crc32c leaves as they are. */
function elementBytes({ dataType }) {
  const name = typeof dataType === "string" ? dataType : dataType.name;
  const bits = name === "bool" ? 8 : Number(/\d+$/.exec(name)[0]);
  return bits / 8;
}
