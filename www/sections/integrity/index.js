// The section that verifies every chunk of the array that is shown.

import "./style.css";
import { proxy } from "comlink";
import { chunkLayout, unravel } from "zarr-codecs/verify";
import { nameOf } from "../../store/source.js";
import { byId, byteCount, facts, h, hex } from "../../ui/dom.js";
import { stateSample } from "./cell.js";
import { ChunkGrid, cellLabel } from "./chunk-grid.js";
import { countStates, reportText } from "./report.js";
import { noteOf, STATE_NAMES, STATES, stateOf } from "./states.js";

/** @typedef {import("./states.js").State} State */

/** How many failures are listed. */
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
  const counts = {
    unchecked: h("b", { className: "number" }),
    verified: h("b", { className: "number" }),
    decoded: h("b", { className: "number" }),
    failed: h("b", { className: "number" }),
    missing: h("b", { className: "number" }),
  };
  const grid = new ChunkGrid(describe, showInViewer);

  section.append(
    h(
      "p",
      { className: "lead" },
      "Every chunk of the array above, decoded and checked against the checksum that was stored with it, in a worker.",
    ),
    h(
      "div",
      { className: "panel integrity" },
      h("div", { className: "row" }, verify, cancel, copy),
      progress,
      status,
      h("div", { className: "row legend" }, ...STATE_NAMES.map(legendEntry)),
      h("div", { className: "map" }, grid.element, detail),
      failures,
    ),
  );

  /** @type {import("zarr-codecs/verify").ChunkLayout} */
  let layout;
  /** @type {string | undefined} */
  let shown;
  let path = "/";
  /** @type {import("./report.js").Outcomes} */
  let outcomes = new Map();
  /** The verification that is shown; results of earlier ones are ignored. */
  let current = 0;

  page.on("viewed", (view) => {
    if (view.path !== shown) restart();
  });
  page.on("opened", () => {
    shown = undefined;
  });
  page.on("flipped", restart);

  function restart() {
    stop();
    current += 1;
    shown = page.hasView ? page.view.path : undefined;
    if (shown === undefined) return;
    path = shown;
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
    /** @param {[number, import("./states.js").Outcome][]} results */
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

  /** @param {number} number */
  function describe(number) {
    const outcome = outcomes.get(number);
    const state = outcome ? stateOf(outcome) : "unchecked";
    const { byteLength, milliseconds, checksum, error } = outcome ?? {};
    // The two checksums say all there is to say about a mismatch.
    const reason = error?.code === "checksum_mismatch" ? undefined : error;
    detail.replaceChildren(
      h("h3", { className: "mono" }, cellLabel(path, layout, number)),
      stateText(state),
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

  /** @param {State} state */
  function legendEntry(state) {
    return h("span", { className: "row" }, stateSample(state), STATES[state], counts[state]);
  }

  function showCounts() {
    const now = countStates(outcomes, layout.chunks);
    for (const state of STATE_NAMES) counts[state].textContent = now[state].toLocaleString("en");
    if (now.failed <= MOST_LISTED) return;
    more.textContent = `and ${(now.failed - MOST_LISTED).toLocaleString("en")} more`;
    failures.append(more);
  }

  /** @param {number} number @param {import("./states.js").Outcome} outcome */
  function addFailure(number, { error }) {
    if (failures.childElementCount >= MOST_LISTED) return;
    const button = h(
      "button",
      { type: "button", onclick: () => showInViewer(number) },
      cellLabel(path, layout, number),
    );
    failures.append(
      h("li", {}, h("span", { className: "bad" }, "✗ "), button, ` ${error?.name}: ${error?.message}`),
    );
  }

  /** Shows the slice that a chunk is part of. @param {number} number */
  function showInViewer(number) {
    const { view } = page;
    const position = unravel(number, layout.grid).map((at, axis) => at * layout.chunkShape[axis]);
    const indices = position.map((at, axis) => (view.plane.includes(axis) ? view.indices[axis] : at));
    const channels = view.channels.map((channel) =>
      channel.number === position[view.channelAxis ?? -1] ? { ...channel, isVisible: true } : channel,
    );
    page.goTo({ ...view, indices, channels });
    byId("viewer").scrollIntoView();
  }

  async function copyReport() {
    const { source } = page;
    if (source === undefined) return;
    const labelOf = (/** @type {number} */ number) => cellLabel(path, layout, number);
    const text = reportText({ source: nameOf(source), path, chunks: layout.chunks, outcomes, labelOf });
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = "The report is in the clipboard.";
    } catch (error) {
      status.textContent = `The report could not be copied. ${error.message}`;
    }
  }
}

/** @param {State} state */
function stateText(state) {
  if (state === "verified") return h("p", { className: "good" }, `✓ ${STATES[state]}`);
  if (state === "decoded") return h("p", {}, `✓ ${STATES[state]}`);
  if (state === "failed") return h("p", { className: "bad" }, `✗ ${STATES[state]}`);
  return h("p", {}, STATES[state]);
}
