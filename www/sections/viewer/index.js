// The section that shows an array: a tree to choose it from, a slice of it, its metadata.

import "./style.css";
import { chunkLayout } from "zarr-codecs/verify";
import { failedAreas, Picture } from "../../image/picture.js";
import { newestOnly } from "../../image/renderer.js";
import { imageOf, LONGEST, positionAt } from "../../image/view.js";
import { chunkLabel } from "../../ui/chunk-label.js";
import { codecBoxes } from "../../ui/codec-boxes.js";
import { facts, h } from "../../ui/dom.js";
import { linePlot } from "../../ui/line-plot.js";
import { arrayTree } from "./array-tree.js";
import { channelControls } from "./channels.js";

/** How many of the chunks that could not be decoded are named. */
const NAMED_FAILURES = 3;

/**
 * @typedef {import("../../page.js").Page} Page
 * @typedef {import("../../image/view.js").View} View
 * @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout
 */

/** @param {HTMLElement} section @param {Page} page */
export function mount(section, page) {
  const picture = new Picture("Slice of the array: arrow keys move the point", () => showPoint());
  const plot = h("div", { className: "plot", hidden: true });
  const scale = h("div", { className: "scale-bar", hidden: true });
  const readout = h("p", { className: "readout mono", role: "status" });
  const failure = h("div", { className: "error", role: "alert", hidden: true });
  const sliders = h("div", { className: "stack" });
  const channels = h("div", { className: "stack" });
  const about = h("div", { className: "about" });
  picture.element.append(scale);

  section.append(
    h(
      "div",
      { className: "panel viewer" },
      h("div", { className: "arrays" }, h("h3", {}, "Arrays"), arrayTree(page)),
      h("div", { className: "image" }, picture.element, plot, readout, failure),
      h("div", { className: "controls stack" }, sliders, channels),
    ),
    h("div", { className: "panel" }, about),
  );

  /** @type {ChunkLayout} */
  let layout;
  /** @type {number | undefined} */
  let generation;
  /** The view that the controls of channels belong to. @type {string | undefined} */
  let controlsOf;

  const render = newestOnly(
    page,
    page.workers.ours,
    (view, result) => {
      picture.draw(result);
      picture.mark(failedAreas(view, result.failures, layout));
      showFailures(result.failures);
      keepWindows(page, result.channels);
      showScale(scale, page, view);
      showPoint();
      const name = JSON.stringify([view.generation, view.component]);
      if (controlsOf === name) return;
      controlsOf = name;
      channels.replaceChildren(...channelControls(page, result.channels));
    },
    showError,
  );

  page.on("viewed", (view) => {
    const { array } = page;
    if (!page.isCurrent({ generation })) {
      try {
        layout = chunkLayout(array.metadata);
      } catch (error) {
        showError(error);
        return;
      }
      generation = view.generation;
      sliders.replaceChildren(...viewControls(page));
      describe(about, array, layout);
    }
    // The other element appears once it is drawn.
    const isLine = view.plane.length === 1;
    if (isLine) picture.element.hidden = true;
    else plot.hidden = true;
    if (isLine) showLine();
    else render(view);
  });
  page.on("flipped", () => page.hasView && page.change(page.view));

  async function showLine() {
    const { view } = page;
    channels.replaceChildren();
    try {
      const { numbers, failures } = await page.workers.ours.line(view);
      if (view !== page.view) return;
      const place = h("div");
      plot.hidden = false;
      plot.replaceChildren(place);
      linePlot(place, `The elements of ${view.path}`, [...numbers.keys()], [...numbers]);
      showFailures(failures);
      readout.textContent = `${numbers.length} elements along ${view.names[0]}`;
    } catch (error) {
      if (view === page.view) showError(error);
    }
  }

  /** @param {Error} error */
  function showError(error) {
    for (const shown of [picture.element, plot]) shown.hidden = true;
    readout.textContent = "";
    failure.replaceChildren(h("p", {}, error.message));
    failure.hidden = false;
  }

  /** @param {import("../../image/plane.js").Failure[]} failures */
  function showFailures(failures) {
    const lines = failures
      .slice(0, NAMED_FAILURES)
      .map(
        ({ position, error }) =>
          `${chunkLabel(page.view.path, layout, position)}: ${error.name}: ${error.message}`,
      );
    if (failures.length > lines.length) lines.push(`and ${failures.length - lines.length} more chunks`);
    failure.replaceChildren(...lines.map((line) => h("p", {}, line)));
    failure.hidden = failures.length === 0;
  }

  let isAsking = false;
  async function showPoint() {
    if (isAsking || !page.hasView || page.view.plane.length === 1) return;
    isAsking = true;
    const { view } = page;
    const point = picture.point;
    const elements = await page.workers.ours.elements(view, ...point).catch(() => undefined);
    isAsking = false;
    if (elements && page.isCurrent(view)) readout.textContent = described(view, point, elements);
    if (view !== page.view || String(point) !== String(picture.point)) showPoint();
  }

  /** @param {View} view @param {import("../../image/picture.js").Point} point @param {string[]} elements */
  function described(view, point, elements) {
    const position = positionAt(view, ...point);
    const where = position.map((at, axis) => (axis === view.channelAxis ? "" : `${view.names[axis]} ${at}`));
    const shown = view.channels.filter(({ isVisible }) => isVisible);
    const values = elements.map((text, i) => (shown[i]?.label ? `${shown[i].label} ${text}` : text));
    return `${where.filter(Boolean).join("  ")}   ${values.join("   ")}`;
  }
}

/**
 * Keeps the windows that a worker chose, so that other slices are shown with them too.
 *
 * @param {Page} page
 * @param {import("./channels.js").Painted[]} painted
 */
function keepWindows(page, painted) {
  const channels = page.view.channels.map((channel) => {
    const chosen = painted.find(({ number }) => number === channel.number)?.window;
    return { ...channel, window: channel.window ?? chosen };
  });
  page.keep({ ...page.view, channels });
}

/** Makes the controls of a view: level, component, and a slider for each axis that is not shown in full. @param {Page} page */
function viewControls(page) {
  const { view, nodes } = page;
  const image = imageOf(nodes, view.path);
  const controls = [];
  if (image && image.levels.length > 1) controls.push(levelChoice(page, image.levels));
  if (view.components.length > 0) controls.push(componentChoice(page));
  for (const [axis, length] of view.shape.entries()) {
    const isPlane = view.plane.includes(axis);
    const most = isPlane ? length - LONGEST : length - 1;
    if (axis === view.channelAxis || most <= 0) continue;
    controls.push(axisSlider(page, axis, most, isPlane));
  }
  return controls;
}

/** @param {Page} page @param {import("../../image/view.js").Level[]} levels */
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
        /** @type {Partial<import("../../image/view.js").Channel>} */
        const look = chosen === "phase" ? { map: "cyclic", window: [-Math.PI, Math.PI] } : { map: "viridis" };
        const channels = [{ number: 0, isVisible: true, ...look }];
        page.change({ ...page.view, component: chosen, channels });
      },
    },
    ...components.map((each) => h("option", { selected: each === component }, text(each))),
  );
  return h("label", { className: "field" }, "Component", select);
}

/** @param {Page} page @param {number} axis @param {number} most @param {boolean} isPlane */
function axisSlider(page, axis, most, isPlane) {
  const name = page.view.names[axis];
  const number = h("output", {}, String(page.view.indices[axis]));
  /** @type {HTMLInputElement} */
  const slider = h("input", {
    ...{ type: "range", name: `axis-${name}`, min: 0, max: most, value: page.view.indices[axis] },
    oninput: () => {
      number.textContent = slider.value;
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

/** @param {HTMLElement} element @param {import("zarr-codecs/verify").StoreNode} array @param {ChunkLayout} layout */
function describe(element, { path, metadata }, layout) {
  const { shard, chunkShape, shape, chunks } = layout;
  const codecs = /** @type {import("../../ui/codec-boxes.js").Codecs} */ (metadata.codecs);
  const type = metadata.data_type;
  element.replaceChildren(
    h(
      "div",
      {},
      h("h3", {}, path === "/" ? "The array" : path.slice(1)),
      facts({
        "Data type": typeof type === "string" ? type : JSON.stringify(type),
        Shape: shape.join(" × ") || "one element",
        Chunks: `${chunks.toLocaleString("en")} of ${chunkShape.join(" × ") || "one element"}`,
        Shards: shard && `of ${shard.shape.join(" × ")}`,
        "Fill value": JSON.stringify(metadata.fill_value),
      }),
    ),
    h("div", {}, h("h3", {}, "Codec chain"), codecBoxes(codecs)),
    h(
      "details",
      {},
      h("summary", {}, "zarr.json"),
      h("pre", { tabIndex: 0 }, JSON.stringify(metadata, null, 2)),
    ),
  );
}

/** Shows a bar of a round length, if the image says how long a pixel is. @param {HTMLElement} bar @param {Page} page @param {View} view */
function showScale(bar, page, view) {
  const image = imageOf(page.nodes, view.path);
  const scale = image?.levels.find(({ path }) => path === view.path)?.scale;
  const axis = view.plane[view.plane.length - 1];
  const unit = image?.axes[axis]?.unit;
  bar.hidden = !scale || !unit;
  if (!scale || !unit) return;
  const [start, stop] = view.region[view.region.length - 1];
  const width = (stop - start) * scale[axis];
  const power = 10 ** Math.floor(Math.log10(width / 4));
  const length = power * (width / 4 / power >= 5 ? 5 : width / 4 / power >= 2 ? 2 : 1);
  bar.style.width = `${(100 * length) / width}%`;
  bar.textContent = `${+length.toPrecision(3)} ${unit.replace("micrometer", "µm")}`;
}
