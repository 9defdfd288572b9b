// The section that runs the benchmark in this browser.

import { backend } from "zarr-codecs";
import { CASES, SIZES } from "../../../bench/cases.js";
import { sizeName } from "../../../bench/report.js";
import { h } from "../../ui/dom.js";
import { createResultsView, withCode } from "./charts.js";
import { createHeadline } from "./headline.js";
import { browserName, cores } from "./host.js";
import { estimate, FULL, runInWorker, SHORT, stepsOf } from "./runs.js";
import "./style.css";

/**
 * @typedef {import("./runs.js").Run} Run
 * @typedef {import("./runs.js").Agreement} Agreement
 * @typedef {ReturnType<typeof describe>} Report
 */

/** @param {HTMLElement} section */
export function mount(section) {
  const choice = createChoice();
  const start = h("button", { type: "submit", className: "primary" }, "Run");
  const cancel = h("button", { type: "button", disabled: true }, "Cancel");
  const copy = h("button", { type: "button", disabled: true }, "Copy as JSON");
  const form = h(
    "form",
    { className: "panel stack" },
    choice.element,
    h("div", { className: "row" }, start, cancel, copy),
  );
  const bar = h("progress", { value: 0, max: 1, ariaLabel: "Progress of the run" });
  const status = h("p", { role: "status", className: "hint" });
  const agreements = h("div", {});
  const results = createResultsView();
  const outcome = h("div", { className: "panel stack", hidden: true }, bar, status, agreements);

  section.append(
    createHeadline(),
    h(
      "p",
      {},
      "The benchmark of this package, in your browser. All implementations get the same bytes. Before anything is timed, ",
      "their results are compared with ours, bit for bit. In every round each of them runs for a while, in a new order; ",
      "the median counts.",
    ),
    form,
    outcome,
    results.element,
  );

  let report = describe(SHORT);
  let abort = new AbortController();

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const run = choice.run();
    abort = new AbortController();
    report = describe(run);
    results.clear();
    outcome.hidden = false;
    setRunning(true);
    const progress = createProgress(bar, status, run);
    /** @param {import("./runs.js").RunEvent} event */
    const onEvent = ({ agreement, result }) => {
      if (agreement) {
        report.agreements.push(agreement);
        showAgreements(agreements, report.agreements, run);
        progress.step(`comparing results: ${agreement.name}, ${sizeName(agreement.size)}`);
      } else if (result) {
        report.results.push(result);
        results.show(report.results);
      } else {
        const { name, size } = nextOf(run, report.results);
        progress.step(`${name}, ${sizeName(size)}`);
      }
    };
    agreements.replaceChildren();
    try {
      await runInWorker(run, onEvent, abort.signal);
      status.textContent = `Measured on ${report.date.slice(0, 10)}: ${report.host}; ${run.rounds} rounds.`;
    } catch (error) {
      status.textContent = abort.signal.aborted ? "Cancelled. The results so far are below." : "";
      if (!abort.signal.aborted) {
        agreements.append(h("p", { className: "error", role: "alert" }, error.message));
      }
    }
    setRunning(false);
  });

  cancel.addEventListener("click", () => abort.abort());

  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(report, null, 1));
    } catch (error) {
      status.textContent = `The report could not be copied. ${error.message}`;
      return;
    }
    copy.textContent = "Copied";
    setTimeout(() => {
      copy.textContent = "Copy as JSON";
    }, 2000);
  });

  /** @param {boolean} running */
  function setRunning(running) {
    start.disabled = running;
    cancel.disabled = !running;
    copy.disabled = running || report.results.length === 0;
    choice.element.disabled = running;
  }
}

/** Starts a report, in the form that `npm run bench -- --from` reads. @param {Run} run */
function describe({ rounds }) {
  return {
    date: new Date().toISOString(),
    host: `${browserName()}, ${counted(cores(), "core")}, ${backend()} build`,
    browser: browserName(),
    userAgent: navigator.userAgent,
    cores: cores(),
    backend: backend(),
    crossOriginIsolated,
    versions: import.meta.env.VERSIONS,
    rounds,
    agreements: /** @type {Agreement[]} */ ([]),
    results: /** @type {import("./runs.js").Result[]} */ ([]),
  };
}

/** @param {number} count @param {string} noun */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Returns the case and the size that run after these results. @param {Run} run @param {object[]} results */
function nextOf({ names, sizes }, results) {
  const inOrder = CASES.filter(({ name }) => names.includes(name));
  return {
    name: inOrder[Math.floor(results.length / sizes.length)].name,
    size: sizes[results.length % sizes.length],
  };
}

/** @param {HTMLProgressElement} bar @param {HTMLElement} status @param {Run} run */
function createProgress(bar, status, run) {
  bar.max = stepsOf(run);
  bar.value = 0;
  status.textContent = "Starting";
  return {
    /** @param {string} what */
    step(what) {
      bar.value += 1;
      status.textContent = `${Math.round((100 * bar.value) / bar.max)} %: ${what}`;
    },
  };
}

/** Shows how many results were equal, and whose. @param {HTMLElement} place @param {Agreement[]} agreements @param {Run} run */
function showAgreements(place, agreements, { names, sizes }) {
  const implementations = new Set(agreements.flatMap(({ implementations }) => implementations));
  const all = agreements.length === names.length * sizes.length;
  place.replaceChildren(
    h(
      "p",
      {},
      h("span", { className: all ? "badge good" : "badge" }, all ? "all equal" : "comparing"),
      ` ${agreements.length} of ${names.length * sizes.length} comparisons: the results of `,
      `${[...implementations].join(", ")} are the same, bit for bit.`,
    ),
  );
}

/** @typedef {{ input: HTMLInputElement, label: HTMLElement }} Box */

/** Makes the choice of a run: short, full, or any other. */
function createChoice() {
  /** @param {string} label @param {Run} run @param {boolean} checked */
  const preset = (label, run, checked) => {
    const input = h("input", { type: "radio", name: "speed-run", checked });
    input.addEventListener("change", () => set(run));
    return h("label", {}, input, ` ${label}: ${summary(run)}`);
  };
  /** @param {string} value @param {...(string | Node)} label */
  const box = (value, ...label) => {
    const input = h("input", { type: "checkbox", value });
    return { input, label: h("label", {}, input, " ", ...label) };
  };
  const names = CASES.map(({ name, title }) => box(name, ...withCode(title)));
  const sizes = SIZES.map((size) => box(String(size), sizeName(size)));
  const rounds = h("input", { type: "number", min: 3, max: 99, required: true });
  const chosen = h("p", { className: "hint", role: "status" });
  const fieldset = h(
    "fieldset",
    { className: "stack speed-choice" },
    h("legend", { className: "visually-hidden" }, "What to run"),
    h("div", { className: "row" }, preset("Short", SHORT, true), preset("Full", FULL, false)),
    h(
      "details",
      {},
      h("summary", {}, "Choose cases, sizes and rounds"),
      group("Cases", names),
      group("Sizes", sizes),
      h("label", { className: "field" }, "Rounds", rounds),
      chosen,
    ),
  );

  /** @param {Run} run */
  const set = (run) => {
    for (const { input } of names) input.checked = run.names.includes(input.value);
    for (const { input } of sizes) input.checked = run.sizes.includes(Number(input.value));
    rounds.value = String(run.rounds);
    showChosen();
  };
  const values = (/** @type {Box[]} */ boxes) =>
    boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
  const run = () => ({
    names: values(names),
    sizes: values(sizes).map(Number),
    rounds: Number(rounds.value),
  });
  const showChosen = () => {
    const now = run();
    chosen.textContent = summary(now);
    const empty = now.names.length === 0 || now.sizes.length === 0;
    names[0].input.setCustomValidity(empty ? "Choose at least one case and one size" : "");
  };
  fieldset.addEventListener("input", showChosen);
  set(SHORT);
  return { element: fieldset, run };
}

/** @param {string} legend @param {Box[]} boxes */
function group(legend, boxes) {
  const list = h("div", { className: "speed-boxes" }, ...boxes.map(({ label }) => label));
  return h("fieldset", {}, h("legend", {}, legend), list);
}

/** @param {Run} run */
function summary(run) {
  const seconds = estimate(run);
  const time = seconds < 100 ? `${Math.ceil(seconds / 5) * 5} s` : `${Math.ceil(seconds / 60)} min`;
  const { names, sizes, rounds } = run;
  return `${counted(names.length, "case")}, ${counted(sizes.length, "size")}, ${counted(rounds, "round")}, about ${time}`;
}
