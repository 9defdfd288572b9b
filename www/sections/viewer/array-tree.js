// The groups and arrays of the open store, to choose from.

import { h } from "../../ui/dom.js";

/** @param {import("../../page.js").Page} page */
export function arrayTree(page) {
  const list = h("ul", { className: "tree", ariaLabel: "Arrays" });
  page.addEventListener("opened", () => list.replaceChildren(...page.nodes.map((node) => entry(page, node))));
  page.addEventListener("viewed", () => {
    for (const button of list.querySelectorAll("button")) {
      button.ariaCurrent = String(button.dataset.path === page.view.path);
    }
  });
  return list;
}

function entry(page, { path, metadata }) {
  const name = path === "/" ? "/" : path.slice(path.lastIndexOf("/") + 1);
  const depth = path === "/" ? 0 : path.split("/").length - 1;
  const item = h("li");
  item.style.setProperty("--depth", depth);
  if (metadata.node_type === "group") {
    item.append(h("span", { className: "group" }, name === "/" ? "group" : `${name}/`));
    return item;
  }
  const type = typeof metadata.data_type === "string" ? metadata.data_type : metadata.data_type?.name;
  const about = `${type} ${metadata.shape.join("×")}`;
  const button = h("button", { type: "button", onclick: () => page.show(path) }, name, h("small", {}, about));
  button.dataset.path = path;
  item.append(button);
  return item;
}
