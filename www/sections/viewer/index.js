// The section that shows an array: the tree to choose from, a slice, what it is made of.

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

/** Of many chunks that fail, so many are named. */
const NAMED_FAILURES = 3;

/** @param {HTMLElement} section @param {import("../../page.js").Page} page */
export function mount(section, page) {
  const picture = new Picture("Slice of the array: arrow keys move the point", () => tellPoint());
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

  let layout;
  let generation;
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
      tellPoint();
      const name = JSON.stringify([view.generation, view.component]);
      if (controlsOf === name) return;
      controlsOf = name;
      channels.replaceChildren(...channelControls(page, result.channels));
    },
    showError,
  );

  page.addEventListener("viewed", () => {
    const { view, array } = page;
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
    // What is shown instead of it appears when it is drawn.
    const isLine = view.plane.length === 1;
    if (isLine) picture.element.hidden = true;
    else plot.hidden = true;
    if (isLine) showLine();
    else render(view);
  });
  page.addEventListener("flipped", () => page.view && page.change(page.view));

  async function showLine() {
    const { view } = page;
    channels.replaceChildren();
    try {
      const { numbers, failures } = await page.workers.ours.line(view);
      if (view !== page.view) return;
      const place = h("div");
      plot.hidden = false;
      plot.replaceChildren(place);
      const indices = Float64Array.from(numbers, (_, i) => i);
      linePlot(place, `The elements of ${view.path}`, indices, numbers);
      showFailures(failures);
      readout.textContent = `${numbers.length} elements along ${view.names[0]}`;
    } catch (error) {
      if (view === page.view) showError(error);
    }
  }

  function showError(error) {
    for (const shown of [picture.element, plot]) shown.hidden = true;
    readout.textContent = "";
    failure.replaceChildren(h("p", {}, error.message));
    failure.hidden = false;
  }

  function showFailures(failures) {
    const lines = failures
      .slice(0, NAMED_FAILURES)
      .map(
        ({ position, error }) =>
          `${chunkLabel(page.view.path, layout, position)}: ${error.name}: ${error.message}`,
      );
    if (failures.length > lines.length) lines.push(`and ${failures.length - lines.length} chunks more`);
    failure.replaceChildren(...lines.map((line) => h("p", {}, line)));
    failure.hidden = failures.length === 0;
  }

  let isAsking = false;
  async function tellPoint() {
    if (isAsking || page.view === undefined || page.view.plane.length === 1) return;
    isAsking = true;
    const { view } = page;
    const point = picture.point;
    const elements = await page.workers.ours.elements(view, ...point).catch(() => undefined);
    isAsking = false;
    if (elements && page.isCurrent(view)) readout.textContent = described(view, point, elements);
    if (view !== page.view || String(point) !== String(picture.point)) tellPoint();
  }

  function described(view, point, elements) {
    const position = positionAt(view, ...point);
    const where = position.map((at, axis) => (axis === view.channelAxis ? "" : `${view.names[axis]} ${at}`));
    const shown = view.channels.filter(({ isVisible }) => isVisible);
    const values = elements.map((text, i) => (shown[i]?.label ? `${shown[i].label} ${text}` : text));
    return `${where.filter(Boolean).join("  ")}   ${values.join("   ")}`;
  }
}

/** Windows that a worker chose stay as they are while other slices are looked at. */
function keepWindows(page, painted) {
  const windowOf = (channel) =>
    channel.window ?? painted.find(({ number }) => number === channel.number)?.window;
  page.view = {
    ...page.view,
    channels: page.view.channels.map((channel) => ({ ...channel, window: windowOf(channel) })),
  };
}

/** Level, component, and a slider for each axis that is not shown in full. */
function viewControls(page) {
  const { view, nodes } = page;
  const image = imageOf(nodes, view.path);
  const controls = [];
  if (image?.levels.length > 1) controls.push(levelChoice(page, image.levels));
  if (view.components.length > 0) controls.push(componentChoice(page));
  for (const [axis, length] of view.shape.entries()) {
    const isPlane = view.plane.includes(axis);
    const most = isPlane ? length - LONGEST : length - 1;
    if (axis === view.channelAxis || most <= 0) continue;
    controls.push(axisSlider(page, axis, most, isPlane));
  }
  return controls;
}

function levelChoice(page, levels) {
  const select = h(
    "select",
    { name: "level", onchange: () => page.show(select.value) },
    ...levels.map(({ path }, level) => {
      const { shape } = page.nodes.find((node) => node.path === path).metadata;
      const text = `${level}: ${shape.at(-1)} × ${shape.at(-2)} pixels`;
      return h("option", { value: path, selected: path === page.view.path }, text);
    }),
  );
  return h("label", { className: "field" }, "Level of the pyramid", select);
}

function componentChoice(page) {
  const { components, component } = page.view;
  const text = (component) => (typeof component === "number" ? `byte ${component}` : component);
  const select = h(
    "select",
    {
      name: "component",
      onchange: () => {
        const chosen = components[select.selectedIndex];
        const look = chosen === "phase" ? { map: "cyclic", window: [-Math.PI, Math.PI] } : { map: "viridis" };
        const channels = [{ number: 0, isVisible: true, ...look }];
        page.change({ ...page.view, component: chosen, channels });
      },
    },
    ...components.map((each) => h("option", { selected: each === component }, text(each))),
  );
  return h("label", { className: "field" }, "Component", select);
}

function axisSlider(page, axis, most, isPlane) {
  const name = page.view.names[axis];
  const number = h("output", {}, String(page.view.indices[axis]));
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

function describe(element, { path, metadata }, layout) {
  const { shard, chunkShape, shape, chunks } = layout;
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
    h("div", {}, h("h3", {}, "Codec chain"), codecBoxes(metadata.codecs)),
    h(
      "details",
      {},
      h("summary", {}, "zarr.json"),
      h("pre", { tabIndex: 0 }, JSON.stringify(metadata, null, 2)),
    ),
  );
}

/** A bar of a round length, where the image says how long a pixel is. */
function showScale(bar, page, view) {
  const image = imageOf(page.nodes, view.path);
  const scale = image?.levels.find(({ path }) => path === view.path)?.scale;
  const axis = view.plane.at(-1);
  bar.hidden = !scale || !image.axes[axis].unit;
  if (bar.hidden) return;
  const [start, stop] = view.region.at(-1);
  const width = (stop - start) * scale[axis];
  const power = 10 ** Math.floor(Math.log10(width / 4));
  const length = power * (width / 4 / power >= 5 ? 5 : width / 4 / power >= 2 ? 2 : 1);
  bar.style.width = `${(100 * length) / width}%`;
  bar.textContent = `${+length.toPrecision(3)} ${image.axes[axis].unit.replace("micrometer", "µm")}`;
}
