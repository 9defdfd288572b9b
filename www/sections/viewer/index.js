// The section that shows an array: a tree to choose it from, a slice of it, its metadata.

import "./style.css";
import { chunkLayout } from "zarr-codecs/verify";
import { imageOf } from "../../image/ome.js";
import { chunkLabel } from "../../ui/chunk-label.js";
import { h } from "../../ui/dom.js";
import { linePlot } from "../../ui/line-plot.js";
import { describe, showScale } from "./about.js";
import { arrayTree } from "./array-tree.js";
import { channelControls } from "./channels.js";
import { viewControls } from "./controls.js";
import { createFailures } from "./failures.js";
import { contentOf, levelsOf } from "./pyramid.js";
import { described } from "./readout.js";
import { Stage } from "./stage.js";
import { elementTable } from "./table.js";

/** How long the picture has to rest before the rest of the page follows, in milliseconds. */
const REST = 250;

/**
 * @typedef {import("../../page.js").Page} Page
 * @typedef {import("../../image/view.js").View} View
 * @typedef {import("../../image/plane.js").Failure} Failure
 */

/** @param {HTMLElement} section @param {Page} page */
export function mount(section, page) {
  const { ours } = page.workers;
  const plot = h("div", { className: "plot", hidden: true });
  const table = h("div", {
    className: "scroll elements",
    tabIndex: 0,
    role: "region",
    ariaLabel: "Elements",
    hidden: true,
  });
  const scale = h("div", { className: "scale-bar", hidden: true });
  const readout = h("p", { className: "readout mono", role: "status" });
  const sliders = h("div", { className: "stack" });
  const channels = h("div", { className: "stack" });
  const about = h("div", { className: "about" });
  const failures = createFailures(retry);
  const stage = new Stage(
    ours,
    "Slice of the array: arrow keys move the point, + and - zoom, 0 shows all of it",
    {
      onPoint: showPoint,
      onMove: follow,
      onDraw,
      onError: showError,
    },
  );
  stage.element.append(scale);
  const zoom = zoomButtons(stage);

  section.append(
    h(
      "div",
      { className: "panel viewer" },
      h("div", { className: "arrays" }, h("h3", {}, "Arrays"), arrayTree(page)),
      h("div", { className: "image" }, stage.element, plot, table, zoom, readout, failures.element),
      h("div", { className: "controls stack" }, sliders, channels),
    ),
    h("div", { className: "panel" }, about),
  );

  /** @type {import("zarr-codecs/verify").ChunkLayout} */
  let layout;
  /** @type {number | undefined} */
  let generation;
  /** @type {string | undefined} */
  let path;
  /** The view whose numbers have been measured. @type {string | undefined} */
  let measured;

  page.on("opening", clear);
  page.on("viewed", (view) => {
    if (!page.isCurrent({ generation })) {
      generation = view.generation;
      measured = undefined;
      layout = chunkLayout(page.array.metadata);
      sliders.replaceChildren(...viewControls(page));
      channels.replaceChildren();
      describe(about, page.array, layout);
      failures.showError(undefined);
      if (view.path !== path) hideText();
      path = view.path;
    }
    show(view);
  });
  page.on("flipped", () => {
    if (!page.hasView) return;
    stage.retry();
    page.change(page.view);
  });

  /** @param {View} view */
  function show(view) {
    const isPicture = view.plane.length === 2 && view.isPaintable;
    if (!isPicture) stage.clear();
    zoom.hidden = !isPicture;
    if (view.shape.includes(0)) {
      hideAll();
      failures.showError(new Error("This array has no elements: one of its axes has length 0."));
    } else if (isPicture) showPicture(view);
    else if (view.plane.length === 1 && view.isPaintable) showLine(view);
    else showTable(view);
  }

  /** @param {View} view */
  async function showPicture(view) {
    plot.hidden = true;
    table.hidden = true;
    stage.show(view, levelsOf(page.nodes, view, imageOf(page.nodes, view.path)));
    showPoint();
    const visible = view.channels.filter(({ isVisible }) => isVisible).map(({ number }) => number);
    const name = JSON.stringify([view.generation, view.component, view.channelAxis]);
    const isKnown = view.channels.every(({ isVisible, window }) => !isVisible || window);
    if (measured === name && isKnown) return;
    try {
      const known = visible.length > 0 ? await ours.measure(stage.sample.map((tile) => tile.view)) : [];
      if (!page.isCurrent(view) || page.view.component !== view.component) return;
      measured = name;
      keepWindows(page, known);
      channels.replaceChildren(...channelControls(page, known));
      stage.show(page.view, levelsOf(page.nodes, page.view, imageOf(page.nodes, view.path)));
      showPoint();
    } catch (error) {
      if (page.isCurrent(view)) showError(error);
    }
  }

  /** @param {View} view */
  async function showLine(view) {
    channels.replaceChildren();
    table.hidden = true;
    try {
      const { numbers, failures: failed } = await ours.line(view);
      if (view !== page.view) return;
      const place = h("div");
      plot.hidden = false;
      plot.replaceChildren(place);
      const [[start]] = view.region;
      linePlot(
        place,
        `The elements of ${view.path}`,
        Array.from(numbers, (_, i) => start + i),
        Array.from(numbers, (number) => (Number.isFinite(number) ? number : null)),
      );
      showFailures(failed);
      const total = view.shape[0];
      const part =
        numbers.length < total ? `${numbers.length} of ${total.toLocaleString("en")}` : String(total);
      readout.textContent = `${part} elements along ${view.names[0]}`;
    } catch (error) {
      if (view === page.view) showError(error);
    }
  }

  /** @param {View} view */
  async function showTable(view) {
    channels.replaceChildren();
    plot.hidden = true;
    try {
      const { rows, failures: failed } = await ours.table(view);
      if (view !== page.view) return;
      const isScalar = view.shape.length === 0;
      table.hidden = isScalar;
      table.replaceChildren(...(isScalar ? [] : [elementTable(view, rows, page.coordinates)]));
      readout.textContent = isScalar ? ` ${rows[0][0]}` : "";
      showFailures(failed);
    } catch (error) {
      if (view === page.view) showError(error);
    }
  }

  function hideAll() {
    stage.clear();
    zoom.hidden = true;
    hideText();
  }

  /** Hides what says something about the elements of another array. */
  function hideText() {
    plot.hidden = true;
    table.hidden = true;
    readout.textContent = "";
  }

  function clear() {
    generation = undefined;
    measured = undefined;
    hideAll();
    failures.showError(undefined);
    for (const filled of [sliders, channels, about, plot, table]) filled.replaceChildren();
  }

  /** @param {Error} error */
  function showError(error) {
    hideAll();
    failures.showError(error);
  }

  function retry() {
    for (const reader of [ours, page.workers.builtIn]) reader.forget();
    failures.showError(undefined);
    measured = undefined;
    stage.retry();
    page.change(page.view);
  }

  function onDraw() {
    if (!page.hasView) return;
    showScale(scale, page, stage.visibleShare);
    showFailures(stage.failures);
  }

  /** @param {Failure[]} failed */
  function showFailures(failed) {
    failures.show(failed, ({ position }) => chunkLabel(page.view.path, layout, position));
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;
  /** Lets the address and the other pictures follow. @param {View["extent"]} extent */
  function follow(extent) {
    showPoint();
    clearTimeout(rest);
    const { view } = page;
    rest = setTimeout(() => {
      if (!page.isCurrent(view)) return;
      const { indices, plane, shape, flipped } = page.view;
      // The array may be displayed backwards.
      const starts = extent?.map(([from, to], i) =>
        flipped.includes(plane[i]) ? shape[plane[i]] - to : from,
      );
      const moved = indices.map((at, axis) =>
        plane.includes(axis) ? (starts?.[plane.indexOf(axis)] ?? 0) : at,
      );
      page.change({ ...page.view, extent, indices: moved });
    }, REST);
  }

  let isAsking = false;
  async function showPoint() {
    if (isAsking || !page.hasView || page.view.plane.length !== 2) return;
    const pixel = stage.pixel;
    if (pixel === undefined) return;
    isAsking = true;
    const { view } = page;
    const { tile, row, column } = pixel;
    const point = String(stage.point);
    const elements = await ours.elements(tile.view, row, column).catch(() => undefined);
    isAsking = false;
    if (elements && page.isCurrent(view)) readout.textContent = described(page, tile, row, column, elements);
    const isStale = page.hasView && contentOf(page.view) !== contentOf(view);
    if (isStale || point !== String(stage.point)) showPoint();
  }
}

/** @param {Stage} stage */
function zoomButtons(stage) {
  const button = (
    /** @type {string} */ text,
    /** @type {string} */ ariaLabel,
    /** @type {() => void} */ onclick,
  ) => h("button", { type: "button", ariaLabel, onclick }, text);
  return h(
    "div",
    { className: "row zoom", hidden: true },
    button("+", "Zoom in", () => stage.zoomBy(2)),
    button("−", "Zoom out", () => stage.zoomBy(0.5)),
    button("All", "Show all of it", () => stage.fit()),
    h("span", { className: "hint" }, "Drag to move; click, then turn the wheel to zoom."),
  );
}

/**
 * Keeps the windows that a worker chose, so that other slices are shown with them too.
 *
 * @param {Page} page
 * @param {import("./channels.js").Measured[]} known
 */
function keepWindows(page, known) {
  const channels = page.view.channels.map((channel) => {
    const chosen = known.find(({ number }) => number === channel.number)?.window;
    return { ...channel, window: channel.window ?? chosen };
  });
  page.keep({ ...page.view, channels });
}
