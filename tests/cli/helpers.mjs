// Runs the command of the packed package as users do, on stores that other implementations wrote.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromHex } from "../js/vectors.mjs";

export const COMMAND = fileURLToPath(
  new URL("../node_modules/zarr-codecs/dist/cli/main.js", import.meta.url),
);

/** Variables that would change what the command does. */
const CLEAN = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(SLURM|AWS|JOB_COMPLETION|FORCE_COLOR|NO_COLOR|NODE_)/.test(name),
  ),
);

/** Starts the command. */
export const start = (args, { env, ...options } = {}) =>
  spawn(process.execPath, [COMMAND, ...args], { env: { ...CLEAN, ...env }, ...options });

/** Waits for a process: its status, and what it printed. */
export function ended(child) {
  return new Promise((resolve) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
}

export const run = (args, options) => ended(start(args, options));

/** The lines of a report by kind. */
export function parseReport(text) {
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return {
    lines,
    results: lines.filter(({ state }) => state !== undefined),
    summary: lines.at(-1)?.summary,
  };
}

export const readReport = (path) => parseReport(readFileSync(path, "utf8"));

/** Runs `verify` and reads its report. */
export async function verify(store, args = [], options) {
  const { status, stdout, stderr } = await run(["verify", store, "--jsonl", "-", ...args], options);
  return { status, stderr, ...parseReport(stdout) };
}

/** What tests compare: where a result is, its state and proof, and the code of its error. */
export const short = ({ key, inner, state, proof, error }) =>
  [key, inner && `[${inner}]`, state, proof, error?.code].filter(Boolean).join(" ");

/** What summaries of the same store have in common. */
export const plain = ({ seconds: _seconds, store: _store, part: _part, ...summary }) => summary;

/** A folder that is removed at the end of a test. */
export function temporary(test) {
  const folder = mkdtempSync(join(tmpdir(), "zarr-codecs-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const VECTORS = new URL("../vectors/", import.meta.url);

/** The arrays that an implementation wrote, by their names. */
export function readArrays(kind, writer) {
  const contents = JSON.parse(readFileSync(new URL(`${kind}/${writer}.json`, VECTORS), "utf8"));
  return contents.arrays ?? contents;
}

const GROUP = { zarr_format: 3, node_type: "group", attributes: {} };

/** The files of a store with these arrays. */
export function filesOf(arrays) {
  const files = new Map([["zarr.json", Buffer.from(JSON.stringify(GROUP))]]);
  for (const { name, metadata, chunks } of arrays) {
    files.set(`${name}/zarr.json`, Buffer.from(JSON.stringify(metadata)));
    for (const { key, encoded } of chunks) files.set(`${name}/${key}`, Buffer.from(fromHex(encoded)));
  }
  return files;
}

export function writeFiles(folder, files) {
  for (const [key, bytes] of files) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), bytes);
  }
  return folder;
}

/** An array of many small chunks with crc32c, the first of which is damaged if asked for. */
export function manyChunks(chunks, codecs = [{ name: "bytes" }, { name: "crc32c" }]) {
  return {
    zarr_format: 3,
    node_type: "array",
    data_type: "uint8",
    shape: [chunks * 9],
    fill_value: 0,
    attributes: {},
    chunk_grid: { name: "regular", configuration: { chunk_shape: [9] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs,
  };
}

/** The published check value: the CRC-32C of "123456789" is 0xe3069283. */
export const CHECKED = Buffer.from([...Buffer.from("123456789"), 0x83, 0x92, 0x06, 0xe3]);
