// `npm run bench`: ours and the peers, in Node or a browser. bench/README.md says how and lists the options.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import progress from "cli-progress";
import { build } from "../scripts/build.mjs";
import { ensureTools, ROOT } from "../scripts/run.mjs";
import { FIRST_USE, runFirstUse } from "./first-use.js";
import { checkFloors, RUNTIMES } from "./floors.js";
import { describeHost, processor, versions } from "./host.js";
import { drawPlots } from "./plot.js";
import { floorTable, origin, sizeName, tables } from "./report.js";
import { writeSections } from "./write.js";

const { values } = parseArgs({
  options: {
    case: { type: "string", multiple: true },
    size: { type: "string", multiple: true },
    rounds: { type: "string", default: "21" },
    browser: { type: "string" },
    floors: { type: "boolean", default: false },
    json: { type: "string" },
    from: { type: "string" },
    plot: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    build: { type: "boolean", default: true },
  },
  allowNegative: true,
});

const BROWSERS = Object.keys(RUNTIMES).filter((runtime) => runtime !== "node");
if (values.browser !== undefined && !BROWSERS.includes(values.browser)) {
  console.error(`No such browser: ${values.browser}. There are:\n  ${BROWSERS.join("\n  ")}`);
  process.exit(2);
}
/** Where this runs, and which floors must hold. */
const runtime = values.browser ?? "node";

if (values.from === undefined && values.build) await build();
// These need the package, which has to be built before.
const { CASES } = await import("./cases.js");
const { runThroughZarrita, THROUGH_ZARRITA } = await import("./through-zarrita.js");
const ALL_CASES = [...CASES, THROUGH_ZARRITA, FIRST_USE];

const report = values.from === undefined ? await measure() : JSON.parse(readFileSync(values.from, "utf8"));
console.log(`${tables(ALL_CASES, report.results)}\n\n${origin(report)}`);
console.log("First column: ours. Others: their time / ours, median (quartiles).\n");

if (values.plot) drawPlots(report.results, join(ROOT, "bench/plots"));
if (values.write) writeSections(ALL_CASES, report);
if (values.floors) {
  if (!Object.hasOwn(RUNTIMES, report.runtime)) {
    console.error(`${values.from} names no runtime that has floors: it is older, or from the page`);
    process.exit(2);
  }
  const floors = checkFloors(report);
  console.log(floorTable(floors, report, RUNTIMES[report.runtime].measuredOn));
  const missed = floors.filter(({ holds }) => !holds).length;
  console.log(
    missed > 0 ? `${missed} of ${floors.length} floors do not hold.` : `All ${floors.length} floors hold.`,
  );
  process.exitCode = missed > 0 ? 1 : 0;
}

/** Runs what was asked for, shows the progress, and writes the results to a file. */
async function measure() {
  const names = chosenNames();
  const sizes = values.size?.map(sizeOf);
  const rounds = Number(values.rounds);
  const results = [];
  const bar = startBar(names, sizes, rounds);
  const onEvent = (result) => {
    if (result === undefined) return bar.increment();
    results.push(result);
    bar.update({ last: `${result.name} ${sizeName(result.size)}` });
  };
  const run = values.browser ? runBrowser : runNode;
  const version = await run({ names, sizes, rounds }, onEvent);
  bar.stop();
  const report = {
    date: new Date().toISOString(),
    runtime,
    processor: processor(),
    host: describeHost(version),
    versions: versions(),
    rounds,
    results,
  };
  const path = values.json ?? join(ROOT, `target/bench/${runtime}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(report, null, 1)}\n`);
  return report;
}

/** The cases asked for; for the floors alone, those that have one. */
function chosenNames() {
  const known = values.browser ? CASES : ALL_CASES;
  const names = known.map(({ name }) => name);
  const unknown = values.case?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) {
    console.error(`No such case: ${unknown.join(", ")}. There are:\n  ${names.join("\n  ")}`);
    process.exit(2);
  }
  if (values.case !== undefined) return values.case;
  const publish = values.plot || values.write || !values.floors;
  return publish
    ? names
    : names.filter((name) => RUNTIMES[runtime].floors.some((floor) => floor.name === name));
}

/** Bytes: 65536, 64KiB, 1MiB. */
function sizeOf(text) {
  const [, number, unit] = /^(\d+)\s*(B|KiB|MiB)?$/.exec(text) ?? [];
  const bytes = Number(number) * { B: 1, KiB: 1024, MiB: 1024 ** 2 }[unit ?? "B"];
  if (bytes > 0 && bytes % 256 === 0) return bytes;
  console.error(`${text} is no multiple of 256 bytes, such as 1024, 64KiB or 1MiB`);
  process.exit(2);
}

function startBar(names, sizes, rounds) {
  const format = "{bar} {percentage}%  {eta_formatted} left  {last}";
  const bar = new progress.SingleBar(
    { format, clearOnComplete: true, hideCursor: true },
    progress.Presets.shades_grey,
  );
  const stepsOf = (name) => {
    const known = ALL_CASES.find((known) => known.name === name);
    return known.steps ?? (sizes ?? known.sizes).length;
  };
  const steps = names.reduce((sum, name) => sum + stepsOf(name), 0);
  bar.start(steps * rounds, 0, { last: "checking that all agree" });
  return bar;
}

async function runNode({ names, sizes, rounds }, onEvent) {
  // Garbage is collected between samples: see timeInRounds.
  setFlagsFromString("--expose-gc");
  globalThis.gc = runInNewContext("gc");
  const { loadPeers } = await import("./peers.js");
  const { nodePeers } = await import("./peers-node.js");
  const { runSuite } = await import("./suite.js");
  const cases = CASES.filter(({ name }) => names.includes(name));
  const peers = await loadPeers(nodePeers);
  for (const result of runSuite({ cases, sizes, rounds, peers })) onEvent(result);
  if (names.includes(THROUGH_ZARRITA.name)) {
    for await (const result of runThroughZarrita(rounds)) onEvent(result);
  }
  if (names.includes(FIRST_USE.name)) for (const result of runFirstUse(rounds)) onEvent(result);
  return `Node ${process.version}`;
}

async function runBrowser(wanted, onEvent) {
  ensureTools(values.browser);
  const { runInBrowser } = await import("./browser.js");
  return runInBrowser(values.browser, wanted, onEvent);
}
