// The section that opens a store: one that comes with the page, a folder, a zip, or one at an address.

import "./style.css";
import { fromEvent } from "file-selector";
import { h } from "../ui/dom.js";
import { dropped, fromFiles } from "./drops.js";
import { atAddress, BUNDLED, nameOf } from "./source.js";
import { isUnlisted } from "./unlisted.js";

/**
 * @typedef {import("../page.js").Page} Page
 * @typedef {import("./source.js").Source} Source
 */

/** @param {HTMLElement} section @param {Page} page */
export function mount(section, page) {
  const status = h("p", { className: "hint", role: "status" });
  const cancel = h("button", { type: "button" }, "Cancel");
  const progress = h(
    "div",
    { className: "row opening", hidden: true },
    h("progress", { ariaLabel: "Opening" }),
    cancel,
  );
  const failure = h("p", { className: "error", role: "alert", hidden: true });
  const choices = h("div", {
    className: "row choices",
    hidden: true,
    role: "group",
    ariaLabel: "Stores to choose from",
  });
  const address = h("input", {
    type: "url",
    name: "source",
    required: true,
    placeholder: "https://…/image.zarr",
  });
  const form = h(
    "form",
    { className: "address" },
    h("label", { className: "field" }, "Address of a store or zip", address),
    h("button", { type: "submit" }, "Open"),
  );
  const arrayPath = h("input", { name: "array", required: true, placeholder: "temperature, or images/raw" });
  const arrayForm = h(
    "form",
    { className: "address", hidden: true },
    h("label", { className: "field" }, "Path of an array in this group", arrayPath),
    h("button", { type: "submit" }, "Open the array"),
  );
  const bundled = bundledButtons(page);
  const openFound = (/** @type {import("./drops.js").Found} */ { sources, reason }) => {
    if (sources.length === 1) page.open(sources[0]);
    else if (sources.length > 1) offer(`${sources.length} stores were dropped. Choose one:`, sources);
    else complain(String(reason));
  };
  const zone = h(
    "div",
    { className: "dropzone panel open-store" },
    h(
      "div",
      { className: "row" },
      ...bundled.map(({ button }) => button),
      pickButton("Folder …", { webkitdirectory: true }, openFound),
      pickButton("Zip …", { accept: ".zip,.ozx", multiple: true }, openFound),
      h("span", { className: "hint" }, "or drop a .zarr folder, a .zip or a link here"),
    ),
    form,
    status,
    progress,
    failure,
    arrayForm,
    choices,
  );
  section.append(zone);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.open(atAddress(address.value));
  });
  arrayForm.addEventListener("submit", (event) => {
    event.preventDefault();
    page.open(opening, { array: `/${arrayPath.value.trim().replace(/^\/+|\/+$/g, "")}` });
  });
  acceptDrops(zone, openFound, () => {
    status.textContent = "Listing the files that were dropped …";
  });

  /** @type {Source} */
  let opening;
  cancel.addEventListener("click", () => page.cancel(opening));

  /** @param {string} message */
  function complain(message) {
    failure.textContent = message;
    failure.hidden = false;
    choices.hidden = true;
  }

  /** @param {string} message @param {Source[]} sources */
  function offer(message, sources) {
    status.textContent = message;
    progress.hidden = true;
    failure.hidden = true;
    choices.hidden = false;
    choices.replaceChildren(
      ...sources.map((source) =>
        h(
          "button",
          { type: "button", onclick: () => page.open(source) },
          source.root?.replace(/\/$/, "") ?? nameOf(source),
        ),
      ),
    );
  }

  /** @param {Source} source */
  const showSource = (source) => {
    const url = source.kind === "url" ? source.url : "";
    address.value = url;
    for (const { button, source } of bundled) button.ariaPressed = String(source.url === url);
  };
  page.on("opening", ({ source }) => {
    opening = source;
    failure.hidden = true;
    arrayForm.hidden = true;
    choices.hidden = true;
    progress.hidden = false;
    status.textContent = `Opening ${nameOf(source)} …`;
    showSource(source);
  });
  page.on("progress", ({ count }) => {
    status.textContent = `Opening ${nameOf(opening)} … ${count.toLocaleString("en")} groups and arrays`;
  });
  page.on("choices", ({ source, choices }) => {
    offer(
      `${nameOf(source)} contains ${choices.length} stores. Choose one:`,
      choices.map((root) => ({ ...source, root })),
    );
  });
  page.on("opened", ({ source }) => {
    progress.hidden = true;
    status.textContent = `Open: ${nameOf(source)}`;
  });
  page.on("cancelled", ({ source }) => {
    progress.hidden = true;
    status.textContent = `${nameOf(source)} was not opened.`;
  });
  page.on("failed", ({ source, error }) => {
    progress.hidden = true;
    const unlisted = isUnlisted(error);
    status.textContent = unlisted
      ? "Nothing is open yet. Name an array, or choose another store."
      : "Nothing is open. Correct the address, or choose another store.";
    complain(`${nameOf(source)} could not be opened: ${error.message}`);
    arrayForm.hidden = !unlisted;
  });
}

/** @param {Page} page */
function bundledButtons(page) {
  return Object.entries(BUNDLED).map(([path, label]) => {
    const source = atAddress(path);
    return { source, button: h("button", { type: "button", onclick: () => page.open(source) }, label) };
  });
}

/** @param {string} label @param {object} properties of the input @param {(found: import("./drops.js").Found) => void} onFound */
function pickButton(label, properties, onFound) {
  const input = h("input", { type: "file", className: "visually-hidden", ...properties });
  input.addEventListener("change", async (event) => {
    const files = await fromEvent(event);
    input.value = ""; // The same file can be picked again after it has changed.
    onFound(fromFiles(files));
  });
  const element = h("label", { className: "button" }, label, input);
  if ("webkitdirectory" in properties)
    element.addEventListener("click", (event) => pickFolder(event, onFound));
  return element;
}

/** Picks a folder without listing its files, where the browser can. @param {Event} event @param {(found: import("./drops.js").Found) => void} onFound */
async function pickFolder(event, onFound) {
  const { showDirectoryPicker } = /** @type {any} */ (window);
  if (!showDirectoryPicker) return;
  event.preventDefault();
  /** @type {FileSystemDirectoryHandle | undefined} */
  const handle = await showDirectoryPicker().catch(() => undefined); // Nothing was chosen.
  if (handle) onFound({ sources: [{ kind: "folder", name: handle.name, handle }] });
}

/**
 * Accepts drops anywhere on the page, unless another section handles them.
 *
 * @param {HTMLElement} zone
 * @param {(found: import("./drops.js").Found) => void} onFound
 * @param {() => void} onReading
 */
function acceptDrops(zone, onFound, onReading) {
  const over = (/** @type {boolean} */ isOver) => (/** @type {Event} */ event) => {
    zone.classList.toggle("over", isOver && !event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", async (event) => {
    const isHandled = event.defaultPrevented;
    over(false)(event);
    if (!isHandled) onFound(await dropped(event, onReading));
  });
}
