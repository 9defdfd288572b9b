// The section in which a store is opened: one of the page's own, a folder, a zip, an address.

import "./style.css";
import { fromEvent } from "file-selector";
import { h } from "../ui/dom.js";
import { atAddress, BUNDLED, nameOf } from "./source.js";

/** @param {HTMLElement} section @param {import("../page.js").Page} page */
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
    h("label", { className: "field" }, "Address of a store, or of a .zip with one", address),
    h("button", { type: "submit" }, "Open"),
  );
  const zone = h(
    "div",
    { className: "dropzone panel open-store" },
    h(
      "div",
      { className: "row" },
      ...bundledButtons(page),
      pickButton(page, "Folder …", { webkitdirectory: true }),
      pickButton(page, "Zip …", { accept: ".zip,.ozx" }),
      hint(),
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

  page.addEventListener("opening", ({ detail }) => {
    // Where what was wanted first cannot be opened, something else is, and the reason stays to be read.
    if (page.source) failure.hidden = true;
    status.textContent = `Opening ${nameOf(detail.source)} …`;
  });
  page.addEventListener("opened", () => {
    status.textContent = `Open: ${nameOf(page.source)}`;
    address.value = page.source.kind === "url" ? page.source.url : "";
    for (const button of zone.querySelectorAll("[data-bundled]")) {
      button.ariaPressed = String(page.source.url === atAddress(button.dataset.bundled).url);
    }
  });
  page.addEventListener("failed", ({ detail }) => {
    status.textContent = page.source ? `Still open: ${nameOf(page.source)}` : "";
    failure.textContent = `${nameOf(detail.source)} could not be opened. ${explain(detail)}`;
    failure.hidden = false;
  });
}

function bundledButtons(page) {
  return Object.entries(BUNDLED).map(([path, label]) => {
    const button = h("button", { type: "button", onclick: () => page.open(atAddress(path)) }, label);
    button.dataset.bundled = path;
    return button;
  });
}

function pickButton(page, label, properties) {
  const input = h("input", { type: "file", className: "visually-hidden", ...properties });
  input.addEventListener("change", async (event) => {
    const files = await fromEvent(event);
    input.value = ""; // The same may be picked again after it has changed.
    openFiles(page, files);
  });
  return h("label", { className: "button" }, label, input);
}

const hint = () => h("span", { className: "hint" }, "or drop a .zarr folder or a .zip here");

/** Anywhere on the page, unless another section takes what is dropped. */
function acceptDrops(zone, page) {
  const over = (isOver) => (event) => {
    zone.classList.toggle("over", isOver && !event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", async (event) => {
    const isTaken = event.defaultPrevented;
    over(false)(event);
    if (!isTaken) openFiles(page, await fromEvent(event));
  });
}

/** Opens files as file-selector gives them: one zip, or all that a folder has. */
function openFiles(page, files) {
  if (files.length === 0) return undefined;
  const [file] = files;
  if (files.length === 1 && /\.(zip|ozx)$/i.test(file.name)) {
    return page.open({ kind: "zip", name: file.name, file });
  }
  const entries = files.map((file) => [pathOf(file), file]);
  return page.open({ kind: "files", name: entries[0][0].split("/")[0], files: entries });
}

const pathOf = (file) => (file.webkitRelativePath || file.path || file.name).replace(/^\.?\//, "");

/** Browsers say of a request that failed only that it failed. */
function explain({ source, error }) {
  if (source.kind === "url" && error.name === "TypeError" && /fetch|network/i.test(error.message)) {
    return "No answer came: the server is not there, or it does not allow other pages to read from it (CORS).";
  }
  return error.message;
}
