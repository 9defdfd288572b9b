// Results as pictures: throughput by size, both axes logarithmic, one line per implementation.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { LIMITS, sizeName } from "./report.js";

export const PLOTS = [
  { file: "crc32c.svg", name: "crc32c", title: "CRC-32C" },
  { file: "decode-big.svg", name: "decode-big-4", title: "decode, bytes big endian, float32, fresh output" },
  {
    file: "decode-big-out.svg",
    name: "decode-big-4-out",
    title: "decode, bytes big endian, float32, reused output",
  },
  {
    file: "decode-big-crc32c.svg",
    name: "decode-big-crc32c",
    title: "decode, bytes big endian and crc32c, float32, fresh output",
  },
];

/** Readable on white and on black. */
const TEXT = "#7d8590";
const OURS = "#e8590c";
const OTHERS = ["#228be6", "#12a150", "#ae3ec9", "#c29200", "#15a3b5"];

const WIDTH = 720;
const HEIGHT = 380;
const MARGIN = 44;
const LABELS = 210;

/** Draws the plots of those cases that have results, and gives the files' names. */
export function drawPlots(results, folder) {
  mkdirSync(folder, { recursive: true });
  return PLOTS.flatMap(({ file, name, title }) => {
    const ofCase = results.filter((result) => result.name === name);
    if (ofCase.length < 2) return [];
    writeFileSync(join(folder, file), draw(title, ofCase));
    return [file];
  });
}

function draw(title, results) {
  const { document } = parseHTML("<html><body></body></html>");
  const names = results[0].implementations.map(({ name }) => name);
  const points = results.flatMap(({ size, implementations }) =>
    implementations.map(({ name, seconds }) => ({ name, size, speed: size / seconds.median / 1e9 })),
  );
  const ends = points.slice(-names.length);
  const domain = [
    Math.min(...points.map(({ speed }) => speed)),
    Math.max(...points.map(({ speed }) => speed)),
  ];
  const svg = Plot.plot({
    document,
    width: WIDTH,
    height: HEIGHT,
    marginLeft: MARGIN,
    marginRight: LABELS,
    marginTop: MARGIN,
    marginBottom: MARGIN,
    style: { background: "none", color: TEXT, fontSize: "13px" },
    x: {
      type: "log",
      base: 2,
      label: null,
      ticks: results.map(({ size }) => size),
      tickFormat: sizeName,
    },
    y: { type: "log", label: null, domain, nice: true, grid: true, tickFormat: (speed) => String(speed) },
    color: { domain: names, range: names.map((name, i) => colorOf(name, i)) },
    marks: [
      Plot.line(points, { x: "size", y: "speed", stroke: "name", strokeWidth: isOurs(names, 3, 1.5) }),
      Plot.dot(points, { x: "size", y: "speed", fill: "name", r: isOurs(names, 4, 2.5) }),
      Plot.text(apart(ends, domain), {
        x: "size",
        y: "place",
        text: "name",
        fill: "name",
        textAnchor: "start",
        dx: 10,
      }),
      Plot.text([`${title}: GB/s by bytes of data`], {
        frameAnchor: "top-left",
        dx: -MARGIN / 2,
        dy: -MARGIN + 4,
        fontWeight: "bold",
      }),
    ],
  });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${title}: throughput by size`);
  return `${svg.outerHTML}\n`;
}

function colorOf(name, i) {
  if (i === 0) return OURS;
  return LIMITS.includes(name) ? TEXT : OTHERS[(i - 1) % OTHERS.length];
}

const isOurs =
  (names, ours, other) =>
  ({ name }) =>
    name === names[0] ? ours : other;

/** The labels of lines that end close to each other, moved apart. */
function apart(ends, [lowest, highest]) {
  const least = (highest / lowest) ** (16 / (HEIGHT - 2 * MARGIN));
  const places = [];
  for (const end of ends.toSorted((a, b) => b.speed - a.speed)) {
    places.push({ ...end, place: Math.min(end.speed, (places.at(-1)?.place ?? Infinity) / least) });
  }
  return places;
}
