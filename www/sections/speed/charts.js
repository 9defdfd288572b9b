// Results as plots and tables.

import { CASES } from "../../../bench/cases.js";
import { digits, duration, LIMITS, sizeName, spread, throughput } from "../../../bench/report.js";
import { color } from "../../ui/color.js";
import { h } from "../../ui/dom.js";
import { drawPlot } from "../../ui/plot.js";

const PEERS = ["series-2", "series-3", "series-4", "series-5"];
/** Of the limits, in the plot and in its legend. */
const DASHES = {
  slice: { lengths: [6, 4], style: "dashed" },
  "Uint8Array.set": { lengths: [2, 3], style: "dotted" },
};

const caseOf = (name) => CASES.find((known) => known.name === name);
/** The name of what a case with fresh and one with reused output have in common. */
const workOf = (name) => name.replace(/-out$/, "");

/** Text in which backticks mark code. */
export function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}
const plain = (text) => text.replaceAll("`", "");

/** What is plotted of an implementation: bytes per second in GB/s, or microseconds. */
const plotted = ({ inTime }, size, { median }) => (inTime ? median * 1e6 : size / median / 1e9);
const unitOf = ({ inTime }) => (inTime ? "µs" : "GB/s");

/** Round numbers between two others, on a logarithmic axis: 1, 2 and 5 of each power, or powers of 10 only. */
function ticksOf([lowest, highest]) {
  const steps = highest / lowest > 200 ? [1] : [1, 2, 5];
  const first = Math.floor(Math.log10(lowest));
  const powers = Array.from({ length: Math.ceil(Math.log10(highest)) - first }, (_, i) => first + i);
  return powers
    .flatMap((power) => steps.map((step) => Number(`${step}e${power}`)))
    .filter((tick) => tick >= lowest && tick <= highest);
}

const asTheyAre = (_, splits) => splits;

/** How lines look: ours first and thick, peers in colours, limits grey and dashed. */
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

/** The results of one case as a plot: both axes logarithmic, one line for each implementation. */
function plotOf(results, related) {
  const [{ name, implementations }] = results;
  const known = caseOf(name);
  const unit = unitOf(known);
  const values = related.flatMap(({ size, implementations }) =>
    implementations.map(({ seconds }) => plotted(known, size, seconds)),
  );
  // The same range for fresh and reused output: they stand beside each other.
  const range = [Math.min(...values) / 1.4, Math.max(...values) * 1.4];
  const sizes = results.map(({ size }) => size);
  const place = h("div", { className: "plot" });
  const figure = h(
    "figure",
    { className: "panel" },
    h("figcaption", {}, ...withCode(known.title), `: ${unit}`),
    place,
  );
  const options = {
    scales: {
      x: { time: false, distr: 3, log: 2, range: [sizes[0] / 1.3, sizes.at(-1) * 1.3] },
      y: { distr: 3, log: 10, range },
    },
    axes: [
      { splits: () => sizes, filter: asTheyAre, values: (_, splits) => splits.map(sizeName) },
      {
        size: 56,
        splits: () => ticksOf(range),
        filter: asTheyAre,
        values: (_, splits) => splits.map(String),
      },
    ],
    series: [{}, ...seriesOf(implementations)],
    // The numbers stand in the table.
    legend: {
      live: false,
      markers: { dash: (_, series) => DASHES[implementations[series - 1]?.name]?.style ?? "solid" },
    },
    cursor: { show: false },
  };
  const data = [
    sizes,
    ...implementations.map((_, i) =>
      results.map(({ size, implementations }) => plotted(known, size, implementations[i].seconds)),
    ),
  ];
  // Plots need the width of their place, which has one when it is in the page.
  return { figure, draw: () => drawPlot(place, `${plain(known.title)}: ${unit} by size`, options, data) };
}

/** The results of one case as a table: medians and, in parentheses, quartiles. */
function tableOf(results) {
  const [{ name, implementations }] = results;
  const known = caseOf(name);
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

const cell = (name, text, properties) => h(name, properties, text);

const LEGEND =
  "zarr-codecs: bytes per second; the others: how many times as long as ours they take. Median and, in parentheses, " +
  "quartiles. Dashed lines are copies, the limit of what is possible.";

/** Where results are shown: plots of fresh and reused output beside each other, then all tables. */
export function createResultsView() {
  const plots = h("div", { className: "stack speed-plots" });
  const tables = h("div", { className: "stack" });
  const panel = h(
    "div",
    { className: "panel stack", hidden: true },
    h("p", { className: "hint" }, LEGEND),
    tables,
  );
  const places = new Map();

  const placeOf = (work) => {
    if (!places.has(work)) {
      const place = {
        plots: h("div", { className: "columns" }),
        tables: h("div", { className: "stack" }),
      };
      plots.append(place.plots);
      tables.append(place.tables);
      places.set(work, place);
    }
    return places.get(work);
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
    /** Draws anew what the last of `results` belongs to; the rest stands as it is. */
    show(results) {
      const work = workOf(results.at(-1).name);
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
