// Shows results as plots and tables.

import { CASES } from "../../../bench/cases.js";
import { digits, duration, LIMITS, sizeName, spread, throughput } from "../../../bench/report.js";
import { color } from "../../ui/color.js";
import { h } from "../../ui/dom.js";
import { drawPlot } from "../../ui/plot.js";

const PEERS = ["series-2", "series-3", "series-4", "series-5"];
/** The dashes of limits, in the plot and in its legend. @type {Record<string, { lengths: number[], style: "dashed" | "dotted" }>} */
const DASHES = {
  slice: { lengths: [6, 4], style: "dashed" },
  "Uint8Array.set": { lengths: [2, 3], style: "dotted" },
};

/**
 * @typedef {import("../../../bench/cases.js").Case} Case
 * @typedef {import("./runs.js").Result} Result
 * @typedef {import("./runs.js").Quartiles} Quartiles
 */

/** @param {string} name @returns {Case} */
const caseOf = (name) => CASES.find((known) => known.name === name) ?? CASES[0];

/** Returns the name that the cases with fresh and with reused output share. @param {string} name */
const workOf = (name) => name.replace(/-out$/, "");

/** Splits text in which backticks mark code. @param {string} text */
export function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}
const plain = (/** @type {string} */ text) => text.replaceAll("`", "");

/** Returns the plotted value: GB/s, or microseconds. @param {Case} of @param {number} size @param {Quartiles} seconds @returns {number} */
const plotted = ({ inTime }, size, { median }) => (inTime ? median * 1e6 : size / median / 1e9);
const unitOf = (/** @type {Case} */ { inTime }) => (inTime ? "µs" : "GB/s");

/** Returns round numbers in a range, for a logarithmic axis: 1, 2 and 5 of each power of 10, or 1 only. @param {[number, number]} range */
function ticksOf([lowest, highest]) {
  const steps = highest / lowest > 200 ? [1] : [1, 2, 5];
  const first = Math.floor(Math.log10(lowest));
  const powers = Array.from({ length: Math.ceil(Math.log10(highest)) - first }, (_, i) => first + i);
  return powers
    .flatMap((power) => steps.map((step) => Number(`${step}e${power}`)))
    .filter((tick) => tick >= lowest && tick <= highest);
}

/** Keeps all ticks. @param {uPlot} _ @param {number[]} splits */
const keepAll = (_, splits) => splits;

/** Styles lines: ours first and thick, peers in colours, limits grey and dashed. @param {{ name: string }[]} implementations */
function seriesOf(implementations) {
  const peers = implementations.slice(1).filter(({ name }) => !LIMITS.includes(name));
  return implementations.map(({ name }, i) => {
    const isLimit = LIMITS.includes(name);
    const variable =
      i === 0
        ? "series-1"
        : isLimit
          ? "text-muted"
          : PEERS[peers.findIndex((peer) => peer.name === name) % 4];
    return {
      label: name,
      stroke: () => color(variable),
      width: i === 0 ? 3 : 1.5,
      dash: DASHES[name]?.lengths,
      points: { show: !isLimit, size: i === 0 ? 8 : 5, fill: () => color(variable) },
    };
  });
}

/** Plots the results of one case: both axes logarithmic, one line for each implementation. @param {Result[]} results @param {Result[]} related of the same work */
function plotOf(results, related) {
  const [{ name, implementations }] = results;
  const known = caseOf(name);
  const unit = unitOf(known);
  const values = related.flatMap(({ size, implementations }) =>
    implementations.map(({ seconds }) => plotted(known, size, seconds)),
  );
  /**
   * The same for fresh and reused output, whose plots are beside each other.
   *
   * @type {[number, number]}
   */
  const range = [Math.min(...values) / 1.4, Math.max(...values) * 1.4];
  const sizes = results.map(({ size }) => size);
  const place = h("div", { className: "plot" });
  const figure = h(
    "figure",
    { className: "panel" },
    h("figcaption", {}, ...withCode(known.title), `: ${unit}`),
    place,
  );
  /** @type {Omit<uPlot.Options, "width" | "height">} */
  const options = {
    scales: {
      x: { time: false, distr: 3, log: 2, range: [sizes[0] / 1.3, sizes[sizes.length - 1] * 1.3] },
      y: { distr: 3, log: 10, range },
    },
    axes: [
      { splits: () => sizes, filter: keepAll, values: (_, splits) => splits.map(sizeName) },
      {
        size: 56,
        splits: () => ticksOf(range),
        filter: keepAll,
        values: (_, splits) => splits.map(String),
      },
    ],
    series: [{}, ...seriesOf(implementations)],
    // The table has the numbers.
    legend: {
      live: false,
      markers: { dash: (_, series) => DASHES[implementations[series - 1]?.name]?.style ?? "solid" },
    },
    cursor: { show: false },
  };
  /** @type {[number[], ...number[][]]} */
  const data = [
    sizes,
    ...implementations.map((_, i) =>
      results.map(({ size, implementations }) => plotted(known, size, implementations[i].seconds)),
    ),
  ];
  // Drawn later: a place has a width only in the page.
  return { figure, draw: () => drawPlot(place, `${plain(known.title)}: ${unit} by size`, options, data) };
}

/** Makes a table of the results of one case: medians and, in parentheses, quartiles. @param {Result[]} results */
function tableOf(results) {
  const [{ name, implementations }] = results;
  const known = caseOf(name);
  /** @param {number} size @param {Quartiles} seconds */
  const ours = (size, seconds) =>
    known.inTime
      ? `${duration(seconds.median)} (${duration(seconds.q1)}–${duration(seconds.q3)})`
      : `${throughput(size, seconds)} (${digits(size / seconds.q3 / 1e9)}–${digits(size / seconds.q1 / 1e9)})`;
  const header = h("tr", {}, cell("th", "size", { scope: "col" }));
  for (const { name } of implementations) {
    header.append(cell("th", name, { scope: "col", className: "number" }));
  }
  const rows = results.map(({ size, implementations: [first, ...others] }) =>
    h(
      "tr",
      {},
      cell("th", sizeName(size), { scope: "row" }),
      cell("td", ours(size, first.seconds), { className: "number" }),
      ...others.map(({ ratio }) => cell("td", spread(ratio), { className: "number" })),
    ),
  );
  const table = h(
    "table",
    {},
    h("caption", {}, ...withCode(known.title)),
    h("thead", {}, header),
    h("tbody", {}, ...rows),
  );
  return h("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: plain(known.title) }, table);
}

/** @param {"th" | "td"} name @param {string} text @param {Record<string, string>} properties */
const cell = (name, text, properties) => h(name, properties, text);

const LEGEND =
  "zarr-codecs: bytes per second; the others: their time / ours. Median and, in parentheses, quartiles. Dashed lines are " +
  "copies, the limit of what is possible.";

/** Makes the view of results: plots of fresh and reused output beside each other, then all tables. */
export function createResultsView() {
  const plots = h("div", { className: "stack speed-plots" });
  const tables = h("div", { className: "stack" });
  const panel = h(
    "div",
    { className: "panel stack", hidden: true },
    h("p", { className: "hint" }, LEGEND),
    tables,
  );
  /** @type {Map<string, { plots: HTMLElement, tables: HTMLElement }>} */
  const places = new Map();

  /** @param {string} work */
  const placeOf = (work) => {
    const known = places.get(work);
    if (known) return known;
    const place = { plots: h("div", { className: "columns" }), tables: h("div", { className: "stack" }) };
    plots.append(place.plots);
    tables.append(place.tables);
    places.set(work, place);
    return place;
  };

  return {
    element: h("div", { className: "stack" }, plots, panel),
    clear() {
      for (const { plots, tables } of places.values()) {
        plots.remove();
        tables.remove();
      }
      places.clear();
      panel.hidden = true;
    },
    /** Redraws the work that the last result belongs to. @param {Result[]} results */
    show(results) {
      const work = workOf(results[results.length - 1].name);
      const related = results.filter(({ name }) => workOf(name) === work);
      const cases = [...Map.groupBy(related, ({ name }) => name).values()];
      const drawings = cases.map((ofCase) => plotOf(ofCase, related));
      const place = placeOf(work);
      place.plots.replaceChildren(...drawings.map(({ figure }) => figure));
      for (const { draw } of drawings) draw();
      place.tables.replaceChildren(...cases.map(tableOf));
      panel.hidden = false;
    },
  };
}
