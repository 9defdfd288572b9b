// Lists the groups and arrays of the open store, to choose from.

import { h } from "../../ui/dom.js";

/** @typedef {import("../../page.js").Page} Page */

/** @param {Page} page */
export function arrayTree(page) {
  const list = h("ul", { className: "tree", ariaLabel: "Arrays" });
  const show = () => list.replaceChildren(...page.nodes.map((node) => entry(page, node)));
  for (const type of /** @type {const} */ (["opening", "opened", "expanded"])) page.on(type, show);
  page.on("viewed", ({ path }) => {
    for (const button of list.querySelectorAll("button")) {
      button.ariaCurrent = String(button.dataset.path === path);
    }
  });
  return list;
}

/** @param {Page} page @param {import("../../store/nodes.js").Node} node */
function entry(page, { path, metadata, problem, isClosed }) {
  const name = path === "/" ? "/" : path.slice(path.lastIndexOf("/") + 1);
  const depth = path === "/" ? 0 : path.split("/").length - 1;
  const item = h("li");
  item.style.setProperty("--depth", String(depth));
  if (problem) {
    item.append(
      h(
        "details",
        { className: "problem" },
        h("summary", {}, `${name} cannot be shown`),
        h("p", {}, problem),
      ),
    );
    return item;
  }
  if (isClosed) {
    item.append(h("button", { type: "button", onclick: () => page.expand(path) }, `${name}/ …`));
    return item;
  }
  if (metadata.node_type === "group") {
    item.append(h("span", { className: "group" }, name === "/" ? "group" : `${name}/`));
    return item;
  }
  const { data_type: dataType, shape } = /** @type {{ data_type: any, shape: number[] }} */ (
    /** @type {unknown} */ (metadata)
  );
  const about = `${dataType?.name ?? dataType} ${shape.join("×")}`;
  const button = h("button", { type: "button", onclick: () => page.show(path) }, name, h("small", {}, about));
  button.dataset.path = path;
  item.append(button);
  return item;
}
