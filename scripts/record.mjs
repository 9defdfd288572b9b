// `npm run record`: records `zarr-codecs verify` on a damaged copy of a real store, as a picture for the README.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

const PICTURE = join(ROOT, "cli/verify.svg");
const COLUMNS = 104;
const FONT_SIZE = 14;
const LINE_HEIGHT = 20;
const CHARACTER_WIDTH = 8.43;
const MARGIN = 16;
const COLORS = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 35: "#d2a8ff" };

/** Begins a code for a style, which ends with an m. */
const ESCAPE = "\u{1b}[";

/** A copy of the store with one flipped bit, one shard cut off, and one key too many. */
function damage(folder) {
  const store = join(folder, "cells.ome.zarr");
  cpSync(join(ROOT, "www/data/cells.ome.zarr"), store, { recursive: true });
  const flipped = readFileSync(join(store, "0/c/0/0/0/0"));
  flipped[100] ^= 16;
  writeFileSync(join(store, "0/c/0/0/0/0"), flipped);
  const cut = readFileSync(join(store, "1/c/2/0/0/0"));
  writeFileSync(join(store, "1/c/2/0/0/0"), cut.subarray(0, cut.length / 2));
  writeFileSync(join(store, "1/copy of zarr.json"), "{}");
}

/** What fits into a row: whole words, if there are several. */
function firstRow(text, length) {
  if (text.length <= length) return text;
  return text.slice(0, text.lastIndexOf(" ", length) + 1 || length);
}

/** Splits a line with colours into parts of one style, in pieces that fit the terminal. */
function partsOf(line) {
  let [color, isBold, column] = [undefined, false, 0];
  const rows = [[]];
  const indent = line.search(/[^ ]/);
  for (const [i, styled] of line.split(ESCAPE).entries()) {
    const code = i === 0 ? undefined : styled.slice(0, styled.indexOf("m"));
    const text = i === 0 ? styled : styled.slice(styled.indexOf("m") + 1);
    if (COLORS[code]) color = COLORS[code];
    if (code === "39" || code === "0") color = undefined;
    if (code === "1") isBold = true;
    if (code === "22" || code === "0") isBold = false;
    for (let rest = text; rest !== ""; ) {
      const piece = firstRow(rest, COLUMNS - column);
      rows.at(-1).push({ text: piece, color, isBold, column });
      rest = rest.slice(piece.length);
      column += piece.length;
      if (rest === "") break;
      rows.push([]);
      column = indent;
    }
  }
  return rows;
}

const escapeXml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

function textOf({ text, color, isBold, column }, row) {
  const [x, y] = [MARGIN + column * CHARACTER_WIDTH, MARGIN + (row + 0.75) * LINE_HEIGHT];
  const style = `${color ? ` fill="${color}"` : ""}${isBold ? ' font-weight="bold"' : ""}`;
  const length = `textLength="${(text.length * CHARACTER_WIDTH).toFixed(1)}"`;
  return `<text x="${x.toFixed(1)}" y="${y}" ${length}${style} xml:space="preserve">${escapeXml(text)}</text>`;
}

const folder = mkdtempSync(join(tmpdir(), "zarr-codecs-"));
try {
  damage(folder);
  const args = [join(ROOT, "dist/cli/main.js"), "verify", "cells.ome.zarr"];
  const env = { ...process.env, FORCE_COLOR: "1" };
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
  const lines = [
    `${ESCAPE}1m$ npx zarr-codecs verify cells.ome.zarr${ESCAPE}22m`,
    ...stdout.trimEnd().split("\n"),
  ];
  const rows = lines.flatMap(partsOf);
  const [width, height] = [2 * MARGIN + COLUMNS * CHARACTER_WIDTH, 2 * MARGIN + rows.length * LINE_HEIGHT];
  const texts = rows.flatMap((parts, row) => parts.map((part) => textOf(part, row)));
  const title =
    "A run of zarr-codecs verify that finds a flipped bit, a shard that is cut off, and a stray key";
  writeFileSync(
    PICTURE,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img" aria-label="${title}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" fill="#e6edf3">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join("\n")}
</svg>
`,
  );
  console.log(stdout);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
