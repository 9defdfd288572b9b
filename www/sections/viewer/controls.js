// The controls of a view: the level, the component, the axes of the picture, and a slider for each other axis.

import { mayBeChannels } from "../../image/channels.js";
import { imageOf } from "../../image/ome.js";
import { longest, reoriented } from "../../image/view.js";
import { h } from "../../ui/dom.js";

/**
 * @typedef {import("../../page.js").Page} Page
 * @typedef {import("../../image/view.js").View} View
 */

/** @param {Page} page */
export function viewControls(page) {
  const { view, nodes } = page;
  const image = imageOf(nodes, view.path);
  const controls = [];
  if (image && image.levels.length > 1) controls.push(levelChoice(page, image.levels));
  if (view.components.length > 1) controls.push(componentChoice(page));
  if (view.plane.length === 2 && view.shape.length > 2) controls.push(axesChoice(page));
  for (const [axis, length] of view.shape.entries()) {
    const isPlane = view.plane.includes(axis);
    // Pictures are moved by the pointer.
    if (axis === view.channelAxis || (isPlane && view.plane.length === 2 && view.isPaintable)) continue;
    const most = isPlane ? length - longest(view, axis) : length - 1;
    if (most > 0) controls.push(axisSlider(page, axis, most, isPlane));
  }
  return controls;
}

/** @param {Page} page @param {import("../../image/ome.js").Level[]} levels */
function levelChoice(page, levels) {
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { name: "level", onchange: () => page.show(select.value) },
    ...levels.map(({ path }, level) => {
      const shape = /** @type {number[]} */ (
        page.nodes.find((node) => node.path === path)?.metadata.shape ?? []
      );
      const text = `${level}: ${shape.at(-1)} × ${shape.at(-2)} pixels`;
      return h("option", { value: path, selected: path === page.view.path }, text);
    }),
  );
  return h("label", { className: "field" }, "Level of the pyramid", select);
}

/** @param {Page} page */
function componentChoice(page) {
  const { components, component } = page.view;
  const text = (/** @type {string | number} */ component) =>
    typeof component === "number" ? `byte ${component}` : component;
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    {
      name: "component",
      onchange: () => {
        const chosen = components[select.selectedIndex];
        /** @type {Partial<import("../../image/channels.js").Channel>} */
        const look = chosen === "phase" ? { map: "cyclic", window: [-Math.PI, Math.PI] } : { map: "viridis" };
        const channels = [{ number: 0, isVisible: true, ...look }];
        page.change({ ...page.view, component: chosen, channels });
      },
    },
    ...components.map((each) => h("option", { selected: each === component }, text(each))),
  );
  return h("label", { className: "field" }, "Component", select);
}

/** Lets any two axes be the picture, and a short one its colours. @param {Page} page */
function axesChoice(page) {
  const { names, shape, plane, channelAxis } = page.view;
  /** @param {string} label @param {number | undefined} value @param {number[]} axes @param {(axis: number | undefined) => void} onChange */
  const choice = (label, value, axes, onChange) => {
    /** @type {HTMLSelectElement} */
    const select = h(
      "select",
      { onchange: () => onChange(select.value === "" ? undefined : Number(select.value)) },
      ...(label === "Colours" ? [h("option", { value: "" }, "none")] : []),
      ...axes.map((axis) => h("option", { value: axis, selected: axis === value }, names[axis])),
    );
    return h("label", { className: "field" }, label, select);
  };
  /** @param {number} i @param {number | undefined} axis */
  const turn = (i, axis) => {
    if (axis === undefined) return;
    // The axis that was there takes the place of the chosen one.
    const turned = plane.map((old, at) => (at === i ? axis : old === axis ? plane[i] : old));
    page.goTo(reoriented(page.view, turned, channelAxis === axis ? undefined : channelAxis));
  };
  const all = shape.map((_, axis) => axis).filter((axis) => shape[axis] > 1);
  const colours = all.filter(
    (axis) => axis === channelAxis || (mayBeChannels(shape, axis) && !plane.includes(axis)),
  );
  return h(
    "div",
    { className: "row axes" },
    choice("Down", plane[0], all, (axis) => turn(0, axis)),
    choice("Across", plane[1], all, (axis) => turn(1, axis)),
    colours.length > 0
      ? choice("Colours", channelAxis, colours, (axis) =>
          page.goTo(reoriented(page.view, plane, axis, imageOf(page.nodes, page.view.path))),
        )
      : undefined,
  );
}

/** @param {Page} page @param {number} axis @param {number} most @param {boolean} isPlane */
function axisSlider(page, axis, most, isPlane) {
  const name = page.view.names[axis];
  const text = (/** @type {number} */ index) => {
    const at = page.coordinates[axis]?.texts[index];
    return at === undefined ? String(index) : `${index}: ${at}`;
  };
  const number = h("output", {}, text(page.view.indices[axis]));
  /** @type {HTMLInputElement} */
  const slider = h("input", {
    type: "range",
    name: `axis-${name}`,
    min: 0,
    max: most,
    value: page.view.indices[axis],
    oninput: () => {
      number.textContent = text(Number(slider.value));
      page.change({ ...page.view, indices: page.view.indices.with(axis, Number(slider.value)) });
    },
  });
  return h(
    "label",
    { className: "field" },
    h("span", {}, isPlane ? `${name} from ` : `${name} `, number),
    slider,
  );
}
