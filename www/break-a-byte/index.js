// The section in which one bit of the shown array is flipped: what zarrita alone makes of it, and what we do.

import "./style.css";
import { chunkLabel, chunkLayout, hasChecksum, isOurs, product, ravel, unravel } from "../array/layout.js";
import { facts, h, hex } from "../dom.js";
import { failedAreas, Picture } from "../viewer/picture.js";
import { newestOnly } from "../viewer/renderer.js";
import { pointOf, positionAt, viewAt } from "../viewer/view.js";
import { bitStrip } from "./bit-strip.js";
import { suggestedBit } from "./suggested-bit.js";

/** Places that are tried, since chunks may be missing. */
const ATTEMPTS = 50;

/** @param {HTMLElement} section @param {import("../page.js").Page} page */
export function mount(section, page) {
  const flipOne = h(
    "button",
    { type: "button", className: "primary", onclick: () => flipAt(...target) },
    "Flip one bit",
  );
  const hideOne = h("button", { type: "button", onclick: hide }, "Hide one somewhere in the array");
  const mend = h(
    "button",
    { type: "button", disabled: true, onclick: () => page.flip(undefined) },
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
  let path;

  page.addEventListener("viewed", () => {
    const { view, array } = page;
    if (view.path !== path) {
      path = view.path;
      layout = undefined;
      const extent = view.region.map(([start, stop]) => stop - start);
      target = [extent.length > 1 ? extent[0] : 1, extent.at(-1) ?? 1].map((length) =>
        Math.floor(length * 0.45),
      );
      try {
        layout = chunkLayout(array.metadata);
      } catch {
        note.textContent = "The chunks of this array are in no regular grid; choose another one.";
        return;
      }
    }
    if (layout === undefined) return;
    showBits();
    theirs.render(view);
    ours.render(view);
  });
  page.addEventListener("opened", () => {
    path = undefined;
    mend.disabled = true;
  });
  page.addEventListener("flipped", () => {
    mend.disabled = page.broken === undefined;
    hideOne.textContent = page.broken?.isHidden ? "Hide another one" : "Hide one somewhere in the array";
  });

  /** One of both pictures, with what its codecs say. */
  function side(title, worker) {
    const verdict = h("div", { className: "verdict", ariaLive: "polite" });
    const pick = (row, column) => flipAt(row, column);
    const heading = h("h3", {}, ...title);
    const label = `Slice, ${heading.textContent}: Enter breaks the element at the point`;
    const picture = new Picture(label, () => {}, pick);
    const render = newestOnly(
      worker,
      async (view, result) => {
        if (view.path !== page.view.path) return;
        picture.draw(result);
        picture.mark(failedAreas(view, result.failures, layout));
        verdict.replaceChildren(...(await judge(view, result, picture)));
      },
      (error) => verdict.replaceChildren(h("p", { className: "bad" }, `${error.name}: ${error.message}`)),
    );
    return { element: h("div", { className: "side" }, heading, picture.element, verdict), render };
  }

  async function judge(view, { failures }, picture) {
    if (failures.length === 0) {
      const isBroken = page.broken !== undefined && !page.broken.isHidden;
      const quiet = h("p", {}, "No error.");
      return isBroken ? [quiet, await nowAndBefore(view)] : [quiet];
    }
    const [{ position, error }] = failures;
    const isFound = error.code === "checksum_mismatch";
    const bit = isFound ? await page.workers.integrity.locate(error) : undefined;
    const place = bit && elementAt(position, bit.byte);
    if (place) picture.mark(failedAreas(view, failures, layout), pointOf(view, place));
    return [
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
  }

  async function nowAndBefore(view) {
    const { position, before } = page.broken;
    const now = await elementInBuiltIn(view, position);
    const text = `Element [${position.join(", ")}] is ${now} here; it was ${before}.`;
    return h("p", { className: "hint" }, text);
  }

  async function elementInBuiltIn(view, position) {
    const there = viewAt(view, position);
    const [element] = await page.workers.builtIn.elements(there, ...pointOf(there, position)).catch(() => []);
    return element;
  }

  /** Whose bytes are at a place in a chunk: a position in the array; undefined for the checksum. */
  function elementAt(chunk, byte) {
    const number = Math.floor(byte / elementBytes(layout));
    if (number >= product(layout.chunkShape)) return undefined;
    return unravel(number, layout.chunkShape).map((at, axis) => chunk[axis] * layout.chunkShape[axis] + at);
  }

  /** Where the bytes of an element are. */
  async function locate(position) {
    const chunk = position.map((at, axis) => Math.floor(at / layout.chunkShape[axis]));
    const found = await page.workers.integrity.chunk(path, page.array.metadata, chunk);
    if (found === undefined) return undefined;
    const within = position.map((at, axis) => at % layout.chunkShape[axis]);
    const size = elementBytes(layout);
    const start = ravel(within, layout.chunkShape) * size;
    return { ...found, start, element: found.bytes.subarray(start, start + size) };
  }

  function flipAt(row, column) {
    target = [row, column];
    return flipPosition(positionAt(page.view, row, column), false);
  }

  async function flipPosition(position, isHidden) {
    const place = await locate(position);
    if (place === undefined) {
      note.textContent =
        "The chunk there is missing: it is nothing but the fill value, and no byte is stored. Try elsewhere.";
      return false;
    }
    const channel = page.view.channels.find(({ number }) => number === position[page.view.channelAxis]);
    const [byte, bit] = suggestedBit(layout, (channel ?? page.view.channels[0]).window);
    await flip(place, position, byte, bit, isHidden);
    return true;
  }

  async function flip(place, position, byte, bit, isHidden) {
    await page.workers.builtIn.flip(undefined);
    const before = await elementInBuiltIn(page.view, position);
    await page.flip({
      key: place.key,
      byte: place.offset + place.start + byte,
      bit,
      position,
      before,
      isHidden,
    });
  }

  /** Breaks an element anywhere; where, is for “Verify all” to find out. */
  async function hide() {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const anywhere = layout.shape.map((length) => Math.floor(Math.random() * length));
      if (!(await flipPosition(anywhere, true))) continue;
      note.textContent = `One bit of this array is flipped now. ${
        hasChecksum(layout.codecs) ? "“Verify all” below finds it." : "No crc32c will tell where."
      }`;
      return;
    }
    note.textContent = "Hardly any chunk of this array is stored, so there is nothing to break.";
  }

  async function showBits() {
    const isBreakable = isOurs(layout.codecs) && page.view.plane.length > 0;
    for (const button of [flipOne, hideOne]) button.disabled = !isBreakable;
    bits.replaceChildren();
    if (!isBreakable) {
      note.textContent = "Elements can be found in chunks of bytes and crc32c alone; choose another array.";
      return;
    }
    if (!page.broken) {
      note.textContent = hasChecksum(layout.codecs)
        ? ""
        : "There is no crc32c in this codec chain: nobody will notice.";
    }
    if (page.broken?.isHidden) return;
    const position = page.broken?.position ?? positionAt(page.view, ...target);
    const place = await locate(position);
    if (place === undefined) return;
    const start = place.offset + place.start;
    const isFlipped = (byte, bit) =>
      page.broken?.key === place.key && page.broken.byte === start + byte && page.broken.bit === bit;
    const toggle = (byte, bit) =>
      isFlipped(byte, bit) ? page.flip(undefined) : flip(place, position, byte, bit, false);
    bits.replaceChildren(
      h("span", { className: "hint" }, `Element [${position.join(", ")}] in the file`),
      ...bitStrip(place.element, isFlipped, toggle),
    );
  }
}

/** Bytes of an element, which a chain of bytes and crc32c leaves as they are. */
function elementBytes({ dataType }) {
  const name = typeof dataType === "string" ? dataType : dataType.name;
  const bits = name === "bool" ? 8 : Number(/\d+$/.exec(name)[0]);
  return bits / 8;
}
