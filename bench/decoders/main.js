// `npm run bench:decoders`: our decoders beside those of numcodecs and of the host, in Node or a browser.
//
// Options: --browser chromium, --case "zstd, level 1" and --size 1024 (KiB), both several times, --rounds 11, --floors (fails where
// one does not hold), --json PATH.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../scripts/run.mjs";
import { describeHost } from "../host.js";
import { CASES, FLOORS, runDecoders, SIZES, summary } from "./suite.js";

const { values } = parseArgs({
  options: {
    browser: { type: "string" },
    case: { type: "string", multiple: true, default: Object.keys(CASES) },
    size: { type: "string", multiple: true, default: SIZES.map((size) => String(size / 1024)) },
    rounds: { type: "string", default: "11" },
    floors: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

const wanted = {
  names: values.case,
  sizes: values.size.map((size) => 1024 * Number(size)),
  rounds: Number(values.rounds),
};
const results = [];

function add(result) {
  const { name, kind, size, compression, gigabytes, ratio, host } = result;
  const times = host === undefined ? "" : `, host ${host.toFixed(2)}`;
  const place = `${size / 1024} KiB, ${kind} (${compression.toFixed(1)} x)`;
  console.log(`${place}: ${name}: ${gigabytes.toFixed(2)} GB/s, numcodecs ${ratio.toFixed(2)}${times}`);
  results.push(result);
}

let runtime = `Node ${process.versions.node}`;
if (values.browser === undefined) {
  for await (const result of runDecoders(wanted)) add(result);
} else {
  const { runInBrowser } = await import("../browser.js");
  runtime = await runInBrowser(values.browser, { ...wanted, suite: "decoders" }, add);
}

const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/numcodecs/package.json"), "utf8"));
console.log(
  `\n${describeHost(runtime)}; numcodecs ${version}. Their time / ours, geometric means (least):\n`,
);
const rows = {};
const missed = [];
for (const group of new Set(results.map((result) => result.group))) {
  const inGroup = results.filter((result) => result.group === group);
  const row = {};
  const show = ({ mean, least }) => `${mean.toFixed(2)} (${least.toFixed(2)})`;
  for (const size of wanted.sizes) {
    const ofSize = inGroup.filter((result) => result.size === size);
    row[`${size / 1024} KiB`] = show(summary(ofSize.map(({ ratio }) => ratio)));
  }
  const all = summary(inGroup.map(({ ratio }) => ratio));
  row.all = show(all);
  row.fastest = show(summary(inGroup.map(({ fastest }) => fastest)));
  const hosts = inGroup.flatMap(({ host = [] }) => host);
  if (hosts.length > 0) row.host = show(summary(hosts));
  const { mean = 0, each = 0 } = FLOORS[group] ?? {};
  row.floor = mean || "";
  if (all.mean < mean || all.least < each) missed.push(group);
  rows[group] = row;
}
console.table(rows);
if (values.json) {
  mkdirSync(dirname(values.json), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ runtime, results }, undefined, 2)}\n`);
}
if (values.floors && missed.length > 0) {
  console.error(`below the floor: ${missed.join(", ")}`);
  process.exitCode = 1;
}
