// The form: metadata, a chunk, and options.

import { byteCount, h } from "../../ui/dom.js";
import { loadChunk, loadExamples } from "./examples.js";
import { formatMetadata, locate, parseMetadata } from "./metadata.js";

/** The options of a codec chain and their values, the default first. @type {Record<string, string[]>} */
const OPTIONS = {
  verify: ["true", "false"],
  missingEndian: ["error", "little", "big"],
  invalidBool: ["error", "coerce"],
  float16: ["auto", "float16", "float32", "bits"],
};

/** @typedef {import("./examples.js").Example} Example */

/**
 * @param {(chunk: Blob | undefined) => void} onChunk
 * @param {(how?: { isTyping?: boolean }) => void} onChange of metadata, chunk or options
 * @param {(error: Error) => void} onError of an example that cannot be loaded
 * @param {() => Promise<import("./store-chunk.js").StoreChunk>} readOpen reads the chunk that the viewer shows
 */
export function createForm(onChunk, onChange, onError, readOpen) {
  const text = h("textarea", {
    id: "own-chunk-metadata",
    rows: 11,
    spellcheck: false,
    autocapitalize: "off",
  });
  /** @type {string | undefined} */
  let fileName;
  const file = createFileInput((chunk, name) => {
    onChunk(chunk);
    onChange();
    fileName = name;
    chosen.textContent = `${name}, ${byteCount(chunk.size)}`;
  });
  const chosen = h("p", { className: "hint", role: "status" }, "No chunk yet");
  const selects = Object.entries(OPTIONS).map(([name, values]) => ({ name, select: createSelect(values) }));
  const isUntouched = () => text.value === "" && fileName === undefined;
  /** @param {Example} wanted @param {() => boolean} [isStillWanted] */
  const example = async (wanted, isStillWanted = () => true) => {
    const chunk = await loadChunk(wanted);
    if (!isStillWanted()) return;
    text.value = formatMetadata(wanted.metadata);
    onChunk(chunk);
    onChange();
    fileName = wanted.key;
    chosen.textContent = `${wanted.key} of the sample store, ${byteCount(chunk.size)}`;
  };
  const useOpen = async () => {
    const { name, metadata, bytes } = await readOpen();
    text.value = formatMetadata(metadata);
    onChunk(new Blob([bytes]));
    onChange();
    fileName = name;
    chosen.textContent = `${name} of the open store, ${byteCount(bytes.length)}`;
  };
  const ofOpen = h(
    "button",
    { type: "button", onclick: () => useOpen().catch(onError) },
    "The chunk in the viewer",
  );
  const examples = h("div", { className: "row" }, ofOpen);
  const readExamples = async () => {
    const known = await loadExamples();
    const buttons = known.map((one) => {
      const button = h("button", { type: "button" }, one.name);
      button.addEventListener("click", () => example(one).catch(onError));
      return button;
    });
    examples.append(...buttons);
    await example(known.find(({ name }) => name === "temperature") ?? known[0], isUntouched);
  };

  text.addEventListener("input", () => onChange({ isTyping: true }));
  for (const { select } of selects) select.addEventListener("change", () => onChange());

  const element = h(
    "div",
    { className: "stack" },
    h(
      "div",
      { className: "panel", role: "group", ariaLabel: "Examples" },
      h("p", { className: "hint" }, "Use a chunk of the open store, or an example that zarr-python wrote:"),
      examples,
    ),
    h(
      "div",
      { className: "columns own-chunk-input" },
      h(
        "div",
        { className: "panel stack" },
        h("label", { htmlFor: text.id }, h("strong", {}, "Metadata")),
        h(
          "p",
          { className: "hint" },
          h("code", {}, "dataType"),
          ", the ",
          h("code", {}, "shape"),
          " of one chunk and ",
          h("code", {}, "codecs"),
          "; or the whole ",
          h("code", {}, "zarr.json"),
          " of an array",
        ),
        text,
      ),
      h(
        "div",
        { className: "panel stack" },
        h("strong", {}, "Chunk"),
        file.element,
        chosen,
        h(
          "fieldset",
          { className: "own-chunk-options" },
          h("legend", {}, h("strong", {}, "Options")),
          ...selects.map(({ name, select }) =>
            h("label", { className: "field" }, h("code", {}, name), select),
          ),
        ),
      ),
    ),
  );

  return {
    element,
    readExamples,
    /** Parses the metadata. @throws {import("./metadata.js").JsonError} */
    metadata: () => parseMetadata(text.value),
    options: () =>
      Object.fromEntries(
        selects.map(({ name, select: { value } }) => [name, name === "verify" ? value === "true" : value]),
      ),
    fileName: () => fileName ?? "chunk",
    /** Finds the value at a path of the metadata. @param {string} path */
    placeOf: (path) => locate(text.value, path),
    /** Selects a part of the text. @param {import("./metadata.js").Place} place */
    select({ start, end }) {
      text.focus();
      text.setSelectionRange(start, end);
    },
    /** @param {boolean} isInvalid */
    setInvalid(isInvalid) {
      text.setAttribute("aria-invalid", String(isInvalid));
    },
  };
}

/** @param {string[]} values */
function createSelect(values) {
  return h(
    "select",
    {},
    ...values.map((value, i) => h("option", { value }, i === 0 ? `${value} (default)` : value)),
  );
}

/** Makes an input for a file to pick or drop. @param {(file: File, name: string) => void} onFile */
function createFileInput(onFile) {
  const input = h("input", { type: "file", className: "visually-hidden" });
  const element = h(
    "div",
    { className: "dropzone row" },
    h("label", { className: "button" }, input, "Pick a chunk file"),
    h("span", { className: "hint" }, "or drop it here"),
  );
  /** @param {FileList | null | undefined} files */
  const take = (files) => {
    const file = files?.[0];
    if (file) onFile(file, file.name);
  };
  input.addEventListener("change", () => {
    take(input.files);
    input.value = ""; // The same file may be picked again after it has changed.
  });
  const isOver = (/** @type {boolean} */ over) => (/** @type {Event} */ event) => {
    event.preventDefault();
    element.classList.toggle("over", over);
  };
  element.addEventListener("dragover", isOver(true));
  element.addEventListener("dragleave", isOver(false));
  element.addEventListener("drop", (event) => {
    isOver(false)(event);
    event.stopPropagation(); // Elsewhere on the page, a dropped file is a store.
    take(event.dataTransfer?.files);
  });
  return { element };
}
