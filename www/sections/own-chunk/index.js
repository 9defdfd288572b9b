// The section that decodes a chunk of the user's, with metadata that can be edited.

import { wrap } from "comlink";
import { hasChecksum } from "zarr-codecs/verify";
import { h } from "../../ui/dom.js";
import { createDownload } from "./download.js";
import { createForm } from "./form.js";
import { chainFacts, errorBox } from "./outcome.js";
import { readShownChunk } from "./store-chunk.js";
import { createValues } from "./values.js";
import "./style.css";

/** How long typing has to pause before the metadata are parsed. */
const PAUSE_MS = 120;

/**
 * What became of the metadata and the chunk, with the place of an error in the metadata.
 *
 * @typedef {import("./open-chunk.js").Opened & { place?: import("./metadata.js").Place }} Opened
 */

/** @param {HTMLElement} section @param {import("../../page.js").Page} page */
export function mount(section, page) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  /** @type {import("comlink").Remote<import("./open-chunk.js").OpenChunk>} */
  const chunk = wrap(worker);

  const form = createForm(
    (blob) => chunk.load(blob),
    update,
    showError,
    () => readShownChunk(page),
  );
  const outcome = h("div", { className: "stack", role: "status" });
  const values = createValues(chunk);
  const download = createDownload(chunk, form.fileName);
  section.append(
    h(
      "p",
      {},
      "Paste metadata from ",
      h("code", {}, "zarr.json"),
      ", drop a chunk file, and see what is in it or what is wrong with it.",
    ),
    h(
      "div",
      { className: "stack" },
      form.element,
      h("div", { className: "panel" }, outcome),
      values.element,
      download.element,
    ),
  );

  let latest = 0;
  /** Opens what the form contains; of several runs only the last one shows its outcome. */
  async function update({ isTyping = false } = {}) {
    latest += 1;
    const run = latest;
    outcome.ariaBusy = "true";
    if (isTyping) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (run !== latest) return;
    const opened = await open();
    if (run !== latest) return;
    try {
      await show(opened);
    } catch (error) {
      if (run === latest) throw error; // Otherwise the worker has opened another chunk by now.
    } finally {
      if (run === latest) outcome.ariaBusy = "false";
    }
  }

  /** @param {Opened} opened */
  async function show({ chain, byteLength, decoded, error, place }) {
    form.setInvalid(chain === undefined);
    /** @type {Node[]} */
    const parts = chain ? [chainFacts(chain, byteLength)] : [];
    if (error) parts.push(errorBox(error, place, form.select));
    else if (chain) parts.push(h("p", {}, verdict(chain, decoded)));
    outcome.replaceChildren(...parts);
    if (chain && decoded) {
      download.show(chain);
      await values.show(chain, decoded);
    } else {
      values.hide();
      download.hide();
    }
  }

  /** @returns {Promise<Opened>} */
  async function open() {
    let metadata;
    try {
      metadata = form.metadata();
    } catch ({ name, message, place }) {
      return { error: { name, message }, place };
    }
    const opened = await chunk.open(metadata, form.options());
    const path = opened.error?.path;
    return path === undefined ? opened : { ...opened, place: form.placeOf(path) };
  }

  /** @param {Error} error */
  function showError(error) {
    outcome.replaceChildren(errorBox(error));
  }

  form.readExamples().catch(showError);
}

/** @param {import("./open-chunk.js").ChainDescription} chain @param {Opened["decoded"]} decoded */
function verdict(chain, decoded) {
  if (!decoded) {
    const { encodedByteLength } = chain;
    return `The metadata are valid${encodedByteLength === undefined ? "" : `; a chunk has ${encodedByteLength} bytes`}.`;
  }
  const { array, milliseconds } = decoded;
  return h(
    "span",
    {},
    h("span", { className: "badge good" }, "decoded"),
    ` ${array} in ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`,
    isChecked(chain) ? "" : "; these codecs store no checksum, so damage to the chunk can go unnoticed",
  );
}

/** Tells whether a checksum is stored with the elements; zstd has one if its configuration says so. @param {import("./open-chunk.js").ChainDescription} chain */
const isChecked = ({ codecs }) =>
  hasChecksum(codecs) || codecs.some(({ configuration }) => configuration?.checksum === true);
