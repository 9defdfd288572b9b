// A chunk of one's own, decoded with metadata that may be typed.

import { wrap } from "comlink";
import { h } from "../../ui/dom.js";
import { createDownload } from "./download.js";
import { createForm } from "./form.js";
import { chainFacts, errorBox } from "./outcome.js";
import { createValues } from "./values.js";
import "./style.css";

/** Nobody stops typing for longer in the middle of a word. */
const PAUSE_MS = 120;

/** @param {HTMLElement} section */
export function mount(section) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  /** @type {import("comlink").Remote<import("./open-chunk.js").OpenChunk>} */
  const chunk = wrap(worker);

  const form = createForm((blob) => chunk.load(blob), update, showError);
  const outcome = h("div", { className: "stack", role: "status" });
  const values = createValues(chunk);
  const download = createDownload(chunk, form.fileName);
  section.append(
    h(
      "p",
      {},
      "Paste what ",
      h("code", {}, "zarr.json"),
      " says, drop a chunk file, and see what is in it, or what is wrong with it.",
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
  /** Opens what stands in the form; of several runs only the last one shows what it found. */
  async function update({ isTyping = false } = {}) {
    latest += 1;
    const run = latest;
    outcome.ariaBusy = "true";
    if (isTyping) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const said = run === latest ? await open() : undefined;
    if (run !== latest) return;
    try {
      await show(said);
    } catch (error) {
      if (run === latest) throw error; // Otherwise the worker has another chunk by now.
    } finally {
      if (run === latest) outcome.ariaBusy = "false";
    }
  }

  async function show(said) {
    form.setInvalid(said.chain === undefined);
    const parts = said.chain ? [chainFacts(said.chain, said.byteLength)] : [];
    if (said.error) parts.push(errorBox(said.error, said.place, form.select));
    else parts.push(h("p", {}, verdict(said)));
    outcome.replaceChildren(...parts);
    if (said.decoded) {
      download.show(said.chain);
      await values.show(said.chain, said.decoded);
    } else {
      values.hide();
      download.hide();
    }
  }

  async function open() {
    let metadata;
    try {
      metadata = form.metadata();
    } catch ({ name, message, place }) {
      return { error: { name, message }, place };
    }
    const said = await chunk.open(metadata, form.options());
    const path = said.error?.path;
    return path === undefined ? said : { ...said, place: form.placeOf(path) };
  }

  function showError(error) {
    outcome.replaceChildren(errorBox(error));
  }

  form.readExamples().catch(showError);
}

function verdict({ chain, decoded }) {
  if (!decoded) return `The metadata are valid; a chunk has ${chain.encodedByteLength} bytes.`;
  const checksums = chain.codecs.filter(({ name }) => name === "crc32c").length;
  const { array, milliseconds } = decoded;
  return h(
    "span",
    {},
    h("span", { className: "badge good" }, "decoded"),
    ` ${array} in ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`,
    checksums > 0
      ? ""
      : "; these codecs store no checksum, so nobody can tell whether its bytes are those written",
  );
}
