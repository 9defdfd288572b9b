// Fills the page: each section is a folder with a function that mounts it.

import { followAddress, followSections, keepAddress, wantedFromAddress } from "./address.js";
import { Page } from "./page.js";
import { mount as mountBreakAByte } from "./sections/break-a-byte/index.js";
import { mount as mountFirst } from "./sections/first/index.js";
import { mount as mountIntegrity } from "./sections/integrity/index.js";
import { mount as mountOwnChunk } from "./sections/own-chunk/index.js";
import { mount as mountSpeed } from "./sections/speed/index.js";
import { mount as mountViewer } from "./sections/viewer/index.js";
import { mount as mountStore } from "./store/index.js";
import { byId } from "./ui/dom.js";

const sections = {
  start: mountFirst,
  store: mountStore,
  viewer: mountViewer,
  "break-a-byte": mountBreakAByte,
  integrity: mountIntegrity,
  "own-chunk": mountOwnChunk,
  speed: mountSpeed,
};

const page = new Page();
const wanted = wantedFromAddress();
for (const [id, mount] of Object.entries(sections)) mount(byId(id), page);
keepAddress(page);
followAddress(page);
followSections(document.querySelectorAll('a[href^="#"]'));
/** @type {NodeListOf<HTMLElement>} */
const panels = document.querySelectorAll("#viewer .panel, #break-a-byte .panel, #integrity .panel.integrity");
/** Shows the parts that act on the open store only while one is open. @param {"opening" | "open" | "closed"} state */
const setStore = (state) => {
  document.body.dataset.store = state;
  for (const panel of panels) panel.inert = state !== "open";
};
page.on("opening", () => setStore("opening"));
page.on("opened", () => setStore("open"));
for (const type of /** @type {const} */ (["failed", "choices", "cancelled"]))
  page.on(type, () => setStore("closed"));
page.open(wanted.source, wanted);
