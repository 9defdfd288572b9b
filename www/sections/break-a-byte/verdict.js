// Says what reading a view with a flipped bit came to.

import { endsWithChecksum } from "zarr-codecs/verify";
import { isShown, pointOf, viewAt } from "../../image/view.js";
import { isUnreadable } from "../../store/errors.js";
import { chunkLabel } from "../../ui/chunk-label.js";
import { facts, h, hex } from "../../ui/dom.js";
import { elementAt, hasOwnBytes } from "./element.js";

/**
 * @typedef {import("../../page.js").Page} Page
 * @typedef {import("../../page.js").ReaderWorker} ReaderWorker
 * @typedef {import("../../image/view.js").View} View
 * @typedef {import("../../image/picture.js").Point} Point
 * @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout
 */

/**
 * Describes the outcome of reading a view, and locates the element that was flipped.
 *
 * @param {Page} page
 * @param {ChunkLayout} layout
 * @param {View} view
 * @param {import("../../image/renderer.js").Rendered} rendered
 * @param {ReaderWorker} worker
 * @returns {Promise<{ lines: Node[], target?: Point }>}
 */
export async function judge(page, layout, view, { failures }, worker) {
  const [failure] = failures;
  if (failure === undefined) {
    const quiet = h("p", {}, "No error.");
    if (!page.broken || !isSilent(page, layout, view, worker)) return { lines: [quiet] };
    return { lines: [quiet, await nowAndBefore(view, worker, page.broken)] };
  }
  const { position, error } = failure;
  if (isUnreadable(error)) return { lines: [unread(error)] };
  const mismatch = mismatchOf(error);
  const { byteOffset, bit } = error.diagnosis ?? {};
  const isElement = byteOffset !== undefined && hasOwnBytes(layout);
  const place = isElement ? elementAt(layout, position, byteOffset) : undefined;
  const where = place ? `: element [${place.join(", ")}]` : isElement ? ", in the checksum" : "";
  const lines = [
    h("p", { className: "bad" }, h("strong", {}, `✗ ${error.name}`)),
    facts({
      Chunk: h("code", {}, chunkLabel(view.path, layout, position)),
      Stored: mismatch && h("code", {}, hex(mismatch.stored)),
      Computed: mismatch && h("code", {}, hex(mismatch.computed)),
      Error: mismatch ? undefined : error.message,
      "If it was one bit":
        byteOffset === undefined
          ? undefined
          : `bit ${bit} of byte ${byteOffset.toLocaleString("en")}${where}`,
    }),
  ];
  return { lines, target: place && pointOf(view, place) };
}

/** Says that nothing is known of the data. @param {Error | import("../../workers/errors.js").PlainError} error */
export const unread = (error) => h("p", { className: "hint" }, `Not read: ${error.message}.`);

/**
 * Tells whether a picture is wrong without an error; with this package's codecs, only where no checksum is stored.
 *
 * @param {Page} page
 * @param {ChunkLayout} layout
 * @param {View} view
 * @param {ReaderWorker} worker
 */
function isSilent({ broken, workers }, layout, view, worker) {
  if (!broken || broken.isHidden || broken.component !== view.component) return false;
  return isShown(view, broken) && (worker === workers.builtIn || !endsWithChecksum(layout.codecs));
}

/** @param {View} view @param {ReaderWorker} worker @param {import("../../page.js").Broken} broken */
async function nowAndBefore(view, worker, { position, before }) {
  const now = await elementIn(worker, view, position);
  const text = `Element [${position.join(", ")}] is ${now} here; it was ${before}.`;
  return h("p", { className: "hint" }, text);
}

/** Reads one element as text. @param {ReaderWorker} worker @param {View} view @param {number[]} position */
export async function elementIn(worker, view, position) {
  const there = viewAt(view, position);
  const [element] = await worker.elements(there, ...pointOf(there, position));
  return element;
}

/** Returns the checksums of an error that is a mismatch of them. @param {import("../../workers/errors.js").PlainError} error */
function mismatchOf({ stored, computed, byteLength }) {
  if (stored === undefined || computed === undefined || byteLength === undefined) return undefined;
  return { stored, computed, byteLength };
}
