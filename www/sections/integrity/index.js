// The section that verifies every chunk of the array that is shown, and says what that proves of each.

import "./style.css";
import { proxy } from "comlink";
import { chunkLayout, endsWithChecksum, ravel, unravel } from "zarr-codecs/verify";
import { nameOf } from "../../store/source.js";
import { STATES, TEXTS } from "../../ui/chunk-states.js";
import { byId, h } from "../../ui/dom.js";
import { stateSample } from "./cell.js";
import { ChunkGrid } from "./chunk-grid.js";
import { describe, progressText } from "./detail.js";
import { Findings } from "./findings.js";
import { reasonOf, reportText } from "./report.js";
import { mountReports } from "./reports.js";

/** How many problems are listed. */
const MOST_LISTED = 20;
/** How many chunks are shown: the command has no limit. */
const MOST_CHUNKS = 20_000_000;

/** How long somebody looks at a chunk whose checksums are read, in milliseconds. */
const REST = 200;

/** @typedef {import("../../ui/chunk-states.js").State} State */

/** @param {HTMLElement} section @param {import("../../page.js").Page} page */
export function mount(section, page) {
  const verify = h("button", { type: "button", className: "primary", onclick: verifyAll }, "Verify all");
  const cancel = h("button", { type: "button", disabled: true, onclick: stop }, "Cancel");
  const retry = h("button", { type: "button", hidden: true, onclick: readAgain }, "Retry");
  const copy = h("button", { type: "button", disabled: true, onclick: copyReport }, "Copy report");
  const progress = h("progress", { value: 0, ariaLabel: "Chunks checked" });
  const status = h("p", { className: "hint", role: "status" });
  const detail = h("div", { className: "detail", ariaLive: "polite" });
  const problems = h("ul", { className: "failures" });
  const counts = /** @type {Record<State, HTMLElement>} */ (
    Object.fromEntries(STATES.map((state) => [state, h("b", { className: "number" })]))
  );
  const grid = new ChunkGrid(look, showInViewer);

  section.append(
    h(
      "p",
      { className: "lead" },
      "Reads every chunk of the array above in a worker, decodes it, and compares it with every checksum that was stored with it.",
    ),
    h(
      "div",
      { className: "panel integrity" },
      h("div", { className: "row" }, verify, cancel, retry, copy),
      progress,
      status,
      h("div", { className: "row legend" }, ...STATES.map(legendEntry)),
      h("div", { className: "map" }, grid.element, detail),
      problems,
    ),
    mountReports(),
  );

  /** @type {Findings | undefined} */
  let findings;
  /** The path of the array that is shown. @type {string | undefined} */
  let shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  /** The verification that is shown; results of earlier ones are ignored. */
  let current = 0;

  page.on("viewed", (view) => {
    if (view.path !== shown) restart();
  });
  // No array is shown until it is viewed.
  page.on("opening", () => {
    shown = undefined;
    forget();
  });
  page.on("flipped", restart);
  page.on("selected", () => {
    if (page.chunk) lookAtSelected();
  });

  /** Ends what is running, and ignores its results. */
  function forget() {
    current += 1;
    findings = undefined;
    stop();
  }

  function restart() {
    forget();
    shown = page.hasView ? page.view.path : undefined;
    if (shown === undefined) return;
    try {
      const layout = chunkLayout(page.array.metadata);
      if (layout.chunks > MOST_CHUNKS) throw new Error(tooMany(layout.chunks));
      findings = new Findings(shown, layout);
    } catch (error) {
      status.textContent = error.message;
      return;
    }
    const { layout } = findings;
    verify.disabled = false;
    grid.show(layout, page.view.names, findings.states);
    progress.value = 0;
    progress.max = layout.chunks;
    status.textContent = `${layout.chunks.toLocaleString("en")} chunks of ${shown === "/" ? "the array" : shown.slice(1)}`;
    copy.disabled = true;
    showCounts();
    showProblems();
    detail.replaceChildren();
    if (layout.chunks > 0) showDetail(0);
    lookAtSelected();
  }

  /** Shows what is known of the chunk that is selected. */
  function lookAtSelected() {
    const number = selectedNumber();
    if (number === undefined) return;
    grid.look(number);
    look(grid.current);
  }

  /** Returns the number of the chunk that is selected. */
  function selectedNumber() {
    return page.chunk && findings && ravel(page.chunk, findings.layout.grid);
  }

  function verifyAll() {
    restart();
    return run();
  }

  /** Reads the chunks again that were unreadable. */
  function readAgain() {
    const numbers = findings?.forgetUnreadable();
    if (numbers === undefined) return;
    current += 1;
    grid.changed(numbers);
    showCounts();
    showProblems();
    return run(numbers);
  }

  /** @param {Uint32Array} [only] the chunks to verify, by default all */
  async function run(only) {
    const mine = current;
    const known = findings;
    if (known === undefined) return;
    const foundBefore = known.found;
    verify.disabled = true;
    retry.hidden = true;
    cancel.disabled = false;
    status.textContent = progressText(known);
    const start = performance.now();
    /** @param {import("../../workers/cells.js").Changes} changes */
    const onChanges = (changes) => {
      if (mine !== current) return;
      known.add(changes, foundBefore);
      grid.changed(changes.numbers);
      progress.value = known.done;
      status.textContent = progressText(known);
      showCounts();
      if (changes.problems.length > 0) showProblems();
      showDetail(grid.current);
    };
    try {
      const isDone = await page.workers.integrity.verify(page.array, proxy(onChanges), only);
      if (mine !== current) return;
      const seconds = (performance.now() - start) / 1000;
      status.textContent = `${progressText(known)}${
        isDone ? `, in ${seconds.toLocaleString("en", { maximumSignificantDigits: 2 })} s` : ": cancelled"
      }`;
      copy.disabled = false;
      retry.hidden = known.count("unreadable") === 0;
      if (known.problems.length > 0 && page.chunk === undefined) grid.look(known.problems[0].number);
      lookAtSelected();
    } catch (error) {
      if (mine !== current) return;
      status.textContent = error.message;
    }
    verify.disabled = false;
    cancel.disabled = true;
  }

  function stop() {
    page.workers.integrity.cancel();
    verify.disabled = findings === undefined;
    cancel.disabled = true;
    retry.hidden = true;
  }

  /** @param {number} first chunk of a cell */
  function showDetail(first) {
    if (findings) detail.replaceChildren(...describe(findings, numberIn(first), first, grid.chunksPerCell));
  }

  /** Shows a chunk and, if somebody looks at it for a moment, its checksums. @param {number} first chunk of a cell */
  function look(first) {
    showDetail(first);
    clearTimeout(resting);
    resting = setTimeout(() => readChecksums(numberIn(first)), REST);
  }

  /** @param {number} number of a chunk */
  async function readChecksums(number) {
    const known = findings;
    if (known?.stateAt(number) !== "checksum" || !endsWithChecksum(known.layout.codecs)) return;
    if (known.checksums.has(number)) return;
    const position = unravel(number, known.layout.grid);
    // Those that cannot be read again are not shown; verifying them again says why.
    const checksums = await page.workers.ours.checksums(page.array, position).catch(() => undefined);
    if (checksums === undefined || known !== findings) return;
    known.checksums.set(number, checksums);
    showDetail(grid.current);
  }

  /** Returns the chunk of a cell that is selected, or matters most. @param {number} first chunk of the cell */
  function numberIn(first) {
    const selected = selectedNumber() ?? -1;
    const isInside = selected >= first && selected < first + grid.chunksPerCell;
    return isInside ? selected : (findings?.worstOf(first, grid.chunksPerCell) ?? first);
  }

  /** @param {State} state */
  function legendEntry(state) {
    const { name } = TEXTS[state];
    return h("span", { className: "row" }, stateSample(state), name, counts[state]);
  }

  function showCounts() {
    if (findings === undefined) return;
    for (const state of STATES) counts[state].textContent = findings.count(state).toLocaleString("en");
  }

  function showProblems() {
    if (findings === undefined) return;
    const listed = findings.problems.slice(0, MOST_LISTED);
    const more = findings.found - listed.length;
    problems.replaceChildren(
      ...listed.map(problemItem),
      ...(more > 0 ? [h("li", {}, `and ${more.toLocaleString("en")} more`)] : []),
    );
  }

  /** @param {import("../../workers/cells.js").Problem} problem */
  function problemItem(problem) {
    const { name, sign, className } = TEXTS[STATES[problem.code]];
    const place = findings?.placeOf(problem);
    const button = h("button", { type: "button", onclick: () => showInViewer(problem.number) }, place);
    return h("li", {}, h("span", { className }, `${sign}${name} `), button, ` ${reasonOf(problem.error)}`);
  }

  /** Shows the slice that a chunk is part of. @param {number} first chunk of a cell */
  function showInViewer(first) {
    if (findings === undefined) return;
    const { view } = page;
    const { grid: chunks, chunkShape } = findings.layout;
    const chunk = unravel(findings.worstOf(first, grid.chunksPerCell), chunks);
    const position = chunk.map((at, axis) => at * chunkShape[axis]);
    const indices = position.map((at, axis) => (view.plane.includes(axis) ? view.indices[axis] : at));
    const channels = view.channels.map((channel) =>
      channel.number === position[view.channelAxis ?? -1] ? { ...channel, isVisible: true } : channel,
    );
    page.select(chunk);
    page.goTo({ ...view, indices, channels });
    byId("viewer").scrollIntoView();
  }

  async function copyReport() {
    const { source } = page;
    if (source === undefined || findings === undefined) return;
    try {
      await navigator.clipboard.writeText(reportText(nameOf(source), findings));
      status.textContent = "The report is in the clipboard.";
    } catch (error) {
      status.textContent = `The report could not be copied. ${error.message}`;
    }
  }
}

/** @param {number} chunks */
const tooMany = (chunks) =>
  `This array has ${chunks.toLocaleString("en")} chunks, too many for this page: run npx zarr-codecs verify`;
