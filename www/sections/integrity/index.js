// The section that verifies every chunk of the array that is shown.

import "./style.css";
import { proxy } from "comlink";
import { chunkLayout, unravel } from "zarr-codecs/verify";
import { nameOf } from "../../store/source.js";
import { byteCount, facts, h, hex } from "../../ui/dom.js";
import { ChunkGrid, cellLabel, stateSample } from "./chunk-grid.js";
import { countStates, reportText } from "./report.js";
import { noteOf, STATES, stateOf } from "./states.js";

/** Of very many failures, the first ones are listed. */
const MOST_LISTED = 20;

/** @param {HTMLElement} section @param {import("../../page.js").Page} page */
export function mount(section, page) {
  const verify = h("button", { type: "button", className: "primary", onclick: run }, "Verify all");
  const cancel = h("button", { type: "button", disabled: true, onclick: stop }, "Cancel");
  const copy = h("button", { type: "button", disabled: true, onclick: copyReport }, "Copy report");
  const progress = h("progress", { value: 0, ariaLabel: "Chunks checked" });
  const status = h("p", { className: "hint", role: "status" });
  const detail = h("div", { className: "detail", ariaLive: "polite" });
  const failures = h("ul", { className: "failures" });
  const more = h("li", {});
  const counts = Object.fromEntries(
    Object.keys(STATES).map((state) => [state, h("b", { className: "number" })]),
  );
  const grid = new ChunkGrid(describe, showInViewer);

  section.append(
    h(
      "p",
      { className: "lead" },
      "Every chunk of the array above, checked against the checksum that was stored with it, in a worker.",
    ),
    h(
      "div",
      { className: "panel integrity" },
      h("div", { className: "row" }, verify, cancel, copy),
      progress,
      status,
      h("div", { className: "row legend" }, ...Object.entries(STATES).map(legendEntry)),
      h("div", { className: "map" }, grid.element, detail),
      failures,
    ),
  );

  let layout;
  let path;
  let outcomes = new Map();
  /** Which verification the section shows: what an earlier one still finds is not of interest. */
  let current = 0;

  page.addEventListener("viewed", () => {
    if (page.view.path !== path) restart();
  });
  page.addEventListener("opened", () => {
    path = undefined;
  });
  page.addEventListener("flipped", restart);

  function restart() {
    stop();
    current += 1;
    path = page.view?.path;
    if (path === undefined) return;
    try {
      layout = chunkLayout(page.array.metadata);
    } catch (error) {
      status.textContent = error.message;
      return;
    }
    outcomes = new Map();
    grid.show(layout, page.view.names);
    progress.value = 0;
    progress.max = layout.chunks;
    status.textContent = `${layout.chunks.toLocaleString("en")} chunks of ${path === "/" ? "the array" : path.slice(1)}`;
    copy.disabled = true;
    failures.replaceChildren();
    showCounts();
    detail.replaceChildren();
    if (layout.chunks > 0) describe(0);
  }

  async function run() {
    restart();
    const mine = current;
    verify.disabled = true;
    cancel.disabled = false;
    const start = performance.now();
    let done = 0;
    let bytes = 0;
    const onResults = (results) => {
      if (mine !== current) return;
      for (const [number, outcome] of results) {
        outcomes.set(number, outcome);
        bytes += outcome.byteLength ?? 0;
        if (stateOf(outcome) === "failed") addFailure(number, outcome);
      }
      grid.set(results.map(([number, outcome]) => [number, stateOf(outcome)]));
      done += results.length;
      progress.value = done;
      status.textContent = `${done.toLocaleString("en")} of ${layout.chunks.toLocaleString("en")} chunks, ${byteCount(bytes)}`;
      showCounts();
      if (results.some(([number]) => number === grid.current)) describe(grid.current);
    };
    try {
      const isDone = await page.workers.integrity.verify(page.array, proxy(onResults));
      if (mine !== current) return;
      const seconds = (performance.now() - start) / 1000;
      status.textContent += isDone
        ? `, in ${seconds.toLocaleString("en", { maximumSignificantDigits: 2 })} s`
        : ": cancelled";
      copy.disabled = false;
      const [failed] = [...outcomes].find(([, outcome]) => stateOf(outcome) === "failed") ?? [];
      if (failed !== undefined) grid.look(failed);
    } catch (error) {
      status.textContent = `${error.name}: ${error.message}`;
    }
    verify.disabled = false;
    cancel.disabled = true;
  }

  function stop() {
    page.workers.integrity.cancel();
    verify.disabled = false;
    cancel.disabled = true;
  }

  function describe(number) {
    const outcome = outcomes.get(number);
    const state = outcome ? stateOf(outcome) : "unchecked";
    const { byteLength, milliseconds, checksum, error } = outcome ?? {};
    // Of a mismatch both checksums tell everything.
    const reason = error?.code === "checksum_mismatch" ? undefined : error;
    detail.replaceChildren(
      h("h3", { className: "mono" }, cellLabel(path, layout, number)),
      h("p", { className: { verified: "good", failed: "bad" }[state] ?? "" }, stateText(state)),
      facts({
        "Stored checksum": checksum && h("code", {}, hex(checksum.stored)),
        Computed: checksum && h("code", {}, hex(checksum.computed)),
        Bytes: byteLength?.toLocaleString("en"),
        Time: milliseconds === undefined ? undefined : `${(1000 * milliseconds).toFixed(0)} µs`,
        Note: outcome && noteOf(outcome),
        Error: reason && `${reason.name}: ${reason.message}`,
      }),
    );
  }

  function legendEntry([state, text]) {
    return h("span", { className: "row" }, stateSample(state), text, counts[state]);
  }

  function showCounts() {
    const now = countStates(outcomes, layout.chunks);
    for (const [state, count] of Object.entries(now)) counts[state].textContent = count.toLocaleString("en");
    if (now.failed <= MOST_LISTED) return;
    more.textContent = `and ${(now.failed - MOST_LISTED).toLocaleString("en")} more`;
    failures.append(more);
  }

  function addFailure(number, { error }) {
    if (failures.childElementCount >= MOST_LISTED) return;
    const button = h(
      "button",
      { type: "button", onclick: () => showInViewer(number) },
      cellLabel(path, layout, number),
    );
    failures.append(
      h("li", {}, h("span", { className: "bad" }, "✗ "), button, ` ${error.name}: ${error.message}`),
    );
  }

  /** The slice that the chunk is in. */
  function showInViewer(number) {
    const { view } = page;
    const position = unravel(number, layout.grid).map((at, axis) => at * layout.chunkShape[axis]);
    const indices = position.map((at, axis) => (view.plane.includes(axis) ? view.indices[axis] : at));
    const channels = view.channels.map((channel) =>
      channel.number === position[view.channelAxis] ? { ...channel, isVisible: true } : channel,
    );
    page.goTo({ ...view, indices, channels });
    document.getElementById("viewer").scrollIntoView();
  }

  async function copyReport() {
    const labelOf = (number) => cellLabel(path, layout, number);
    const text = reportText({ source: nameOf(page.source), path, chunks: layout.chunks, outcomes, labelOf });
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = "The report is in the clipboard.";
    } catch (error) {
      status.textContent = `The report could not be copied. ${error.message}`;
    }
  }
}

const stateText = (state) =>
  ({ verified: "✓ ", failed: "✗ " })[state]?.concat(STATES[state]) ?? STATES[state];
