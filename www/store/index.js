// The section that opens a store: one that comes with the page, a folder, a zip, or one at an address.

import "./style.css";
import { fromEvent } from "file-selector";
import { h } from "../ui/dom.js";
import { atAddress, BUNDLED, nameOf } from "./source.js";

/** @typedef {import("../page.js").Page} Page */

/** @param {HTMLElement} section @param {Page} page */
export function mount(section, page) {
  const status = h("p", { className: "hint", role: "status" });
  const failure = h("p", { className: "error", role: "alert", hidden: true });
  const address = h("input", {
    type: "url",
    name: "source",
    required: true,
    placeholder: "https://…/image.zarr",
  });
  const form = h(
    "form",
    { className: "address" },
    h("label", { className: "field" }, "Address of a store or of a zipped one", address),
    h("button", { type: "submit" }, "Open"),
  );
  const bundled = bundledButtons(page);
  const zone = h(
    "div",
    { className: "dropzone panel open-store" },
    h(
      "div",
      { className: "row" },
      ...bundled.map(({ button }) => button),
      pickButton(page, "Folder …", { webkitdirectory: true }),
      pickButton(page, "Zip …", { accept: ".zip,.ozx" }),
      h("span", { className: "hint" }, "or drop a .zarr folder or a .zip here"),
    ),
    form,
    status,
    failure,
  );
  section.append(zone);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.open(atAddress(address.value));
  });
  acceptDrops(zone, page);

  page.on("opening", ({ source }) => {
    // If the first store could not be opened, the page opens its own, and the reason stays visible.
    if (page.source) failure.hidden = true;
    status.textContent = `Opening ${nameOf(source)} …`;
  });
  page.on("opened", ({ source }) => {
    const url = source.kind === "url" ? source.url : "";
    status.textContent = `Open: ${nameOf(source)}`;
    address.value = url;
    for (const { button, source } of bundled) button.ariaPressed = String(source.url === url);
  });
  page.on("failed", ({ source, error }) => {
    status.textContent = page.source ? `Still open: ${nameOf(page.source)}` : "";
    failure.textContent = `${nameOf(source)} could not be opened: ${explain(source, error)}`;
    failure.hidden = false;
  });
}

/** @param {Page} page */
function bundledButtons(page) {
  return Object.entries(BUNDLED).map(([path, label]) => {
    const source = atAddress(path);
    return { source, button: h("button", { type: "button", onclick: () => page.open(source) }, label) };
  });
}

/** @param {Page} page @param {string} label @param {object} properties of the input */
function pickButton(page, label, properties) {
  const input = h("input", { type: "file", className: "visually-hidden", ...properties });
  input.addEventListener("change", async (event) => {
    const files = await fromEvent(event);
    input.value = ""; // The same file can be picked again after it has changed.
    openFiles(page, files);
  });
  return h("label", { className: "button" }, label, input);
}

/** Accepts drops anywhere on the page, unless another section handles them. @param {HTMLElement} zone @param {Page} page */
function acceptDrops(zone, page) {
  const over = (/** @type {boolean} */ isOver) => (/** @type {Event} */ event) => {
    zone.classList.toggle("over", isOver && !event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", async (event) => {
    const isHandled = event.defaultPrevented;
    over(false)(event);
    if (!isHandled) openFiles(page, await fromEvent(event));
  });
}

/**
 * Opens files as file-selector returns them: one zip, or all files of a folder.
 *
 * @param {Page} page
 * @param {Awaited<ReturnType<typeof fromEvent>>} items
 */
function openFiles(page, items) {
  const files = items.filter((item) => item instanceof File);
  const [file] = files;
  if (file === undefined) return;
  if (files.length === 1 && /\.(zip|ozx)$/i.test(file.name)) {
    page.open({ kind: "zip", name: file.name, file });
    return;
  }
  /** @type {[string, File][]} */
  const entries = files.map((file) => [pathOf(file), file]);
  page.open({ kind: "files", name: entries[0][0].split("/")[0], files: entries });
}

/** @param {File & { path?: string }} file */
const pathOf = (file) => (file.webkitRelativePath || file.path || file.name).replace(/^\.?\//, "");

/** Explains a failed request, of which browsers say no more than that. @param {import("./source.js").Source} source @param {Error} error */
function explain(source, error) {
  if (source.kind === "url" && error.name === "TypeError" && /fetch|network/i.test(error.message)) {
    return "the server did not answer, or it does not allow other pages to read from it (CORS).";
  }
  return error.message;
}
