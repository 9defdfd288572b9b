// `npm run test:packaging`: runs a small program (tests/matrix/program.js) with the packed package in every runtime, browser
// and bundler. `--write` writes the table in the README; `--no-build` uses the existing build.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, posix } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs, promisify } from "node:util";
import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { commandLine, ensurePackages, ensureTools, ROOT } from "./run.mjs";
import { command, installed, load, versionOf } from "./runtimes.mjs";

ensurePackages();
const esbuild = await import("esbuild");
const { default: webpack } = await import("webpack");
const { openBrowser } = await import("./browsers.mjs");

const { values: options } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    build: { type: "boolean", default: true },
  },
  allowNegative: true,
});

const FOLDER = join(ROOT, "target/packaging");
const APP = join(FOLDER, "app");
const require = createRequire(import.meta.url);
const developed = (name) => require(join(ROOT, `node_modules/${name}/package.json`)).version;

const exec = promisify(execFile);

/** Runs a command in a folder. Returns its output. */
async function run(file, args, cwd = APP) {
  const env = { ...process.env, NODE_NO_WARNINGS: "1" };
  const { stdout } = await exec(...commandLine(file, args), { cwd, env });
  return stdout;
}

/** Returns the chunk that the program decodes, with its metadata and elements. */
function chunk(file, array) {
  const { arrays } = JSON.parse(readFileSync(join(ROOT, "tests/vectors", file), "utf8"));
  const { metadata, chunks } = arrays.find(({ name }) => name === array);
  return { metadata, ...chunks[0] };
}

/** Creates an application, with the package installed from its tarball. */
async function makeApp({ metadata, encoded }, compressed, sharded) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  cpSync(join(ROOT, "tests/matrix"), APP, { recursive: true });
  cpSync(join(ROOT, "examples/worker/worker.js"), join(APP, "example.js"));
  writeFileSync(join(APP, "package.json"), '{ "private": true, "type": "module" }');
  const bytes = (hex) => `Uint8Array.from("${hex}".match(/../g), (digits) => Number.parseInt(digits, 16))`;
  const source = `export const metadata = ${JSON.stringify(metadata)};
    export const encoded = ${bytes(encoded)};
    export const compressed = {
      metadata: ${JSON.stringify(compressed.metadata)}, encoded: ${bytes(compressed.encoded)},
    };
    export const sharded = {
      metadata: ${JSON.stringify(sharded.metadata)}, encoded: ${bytes(sharded.encoded)},
    };`;
  writeFileSync(join(APP, "chunk.js"), source);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", pack()]);
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };

/** Opens a folder's page in a browser. Returns what the page posts, and the browser's version. */
async function reportOf(browser, folder, headers) {
  const server = createServer(async (request, response) => {
    if (request.method === "POST") server.emit("report", await text(request));
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(folder, pathname === "/" ? "index.html" : pathname);
    const body = await readFile(path).catch(() => undefined);
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    response.writeHead(body ? 200 : 404, { "Content-Type": type, ...headers }).end(body);
  });
  const reported = once(server, "report");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { version, close } = await openBrowser(browser, `http://127.0.0.1:${server.address().port}/`);
  try {
    const patience = setTimeout(60_000, [], { ref: false });
    const [seen = '"the page reports nothing"'] = await Promise.race([reported, patience]);
    return { seen, version };
  } finally {
    await close();
    server.close();
  }
}

/** Creates a folder with a page, whose script is to be bundled into it. */
function pageFolder(name) {
  const folder = join(FOLDER, "pages", name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(APP, "index.html"), join(folder, "index.html"));
  return folder;
}

const bundle = (entryPoints, outdir, more) =>
  esbuild.build({
    absWorkingDir: APP,
    entryPoints,
    outdir,
    bundle: true,
    format: "esm",
    splitting: true,
    logLevel: "error",
    ...more,
  });

/** The bundlers, without configuration; each builds a page in a folder. */
const BUNDLERS = {
  "Vite 8": {
    version: developed("vite"),
    build: (folder) => run("vite", ["build", "--outDir", folder, "--emptyOutDir"]),
  },
  "Vite 7": {
    version: versionOf("Vite 7"),
    build: (folder) => run(command("Vite 7"), ["build", "--outDir", folder, "--emptyOutDir"]),
  },
  webpack: {
    version: developed("webpack"),
    build: (path) =>
      new Promise((resolve, reject) => {
        const output = { path, filename: "page.js" };
        webpack({ context: APP, entry: "./page.js", mode: "production", output }, (error, stats) => {
          if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString("errors-only")));
          else resolve();
        });
      }),
  },
  esbuild: {
    version: developed("esbuild"),
    build: (folder) => bundle(["page.js"], folder, { minify: true }),
  },
  rollup: {
    version: developed("rollup"),
    build: (folder) => run("rollup", ["page.js", "-p", "node-resolve", "--dir", folder, "--silent"], APP),
  },
};

const PAGES = {
  /** The installed package, without a bundler, by an import map. */
  async page() {
    const folder = join(FOLDER, "pages/plain");
    rmSync(folder, { recursive: true, force: true }); // Links to commands cannot be overwritten.
    cpSync(APP, folder, { recursive: true });
    const { exports } = JSON.parse(readFileSync(join(APP, "node_modules/zarr-codecs/package.json"), "utf8"));
    const imports = { "zarr-codecs": posix.join("/node_modules/zarr-codecs", exports["."].default) };
    const html = readFileSync(join(APP, "index.html"), "utf8");
    const map = `<script type="importmap">${JSON.stringify({ imports })}</script>\n<body>`;
    writeFileSync(join(folder, "index.html"), html.replace("<body>", map));
    return { folder };
  },

  async "web worker"() {
    const folder = pageFolder("worker");
    await bundle({ page: "with-worker.js", "in-worker": "in-worker.js" }, folder);
    return { folder };
  },

  async "CSP script-src 'self'"() {
    const folder = pageFolder("csp");
    await bundle(["page.js"], folder);
    return { folder, headers: { "Content-Security-Policy": "script-src 'self'" }, build: "portable" };
  },
};

/** Runs the program and the example in workerd. Returns the output of the program. */
async function inWorkerd() {
  const { Miniflare } = load("workerd");
  const bundled = { conditions: ["workerd"], external: ["*.wasm"], splitting: false };
  const modules = ["zarr_codecs.wasm", "zarr_decoders.wasm"].map((path) => ({
    type: "CompiledWasm",
    path,
    contents: readFileSync(join(APP, "node_modules/zarr-codecs/dist", path)),
  }));
  const worker = async (entry) => {
    const folder = join(FOLDER, "workerd");
    await bundle([entry], folder, bundled);
    // The bundle imports modules by their paths in the package, which deployment tools resolve.
    const contents = readFileSync(join(folder, entry), "utf8").replaceAll(
      /"[^"]*(zarr_\w+\.wasm)"/g,
      '"./$1"',
    );
    return [{ type: "ESModule", path: entry, contents }, ...modules];
  };
  const store = createServer(async ({ url }, response) => {
    const body = await readFile(join(ROOT, "www/data/sample.zarr", url)).catch(() => undefined);
    if (body && url.endsWith("/c/1")) body[0] ^= 1; // Damaged in transit.
    response.writeHead(body ? 200 : 404).end(body);
  });
  await new Promise((resolve) => store.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${store.address().port}`;
  const miniflare = new Miniflare({
    workers: [
      {
        name: "program",
        modules: await worker("workerd.js"),
        modulesRoot: "/",
        compatibilityDate: "2026-01-01",
      },
      {
        name: "example",
        modules: await worker("example.js"),
        compatibilityDate: "2026-01-01",
        serviceBindings: { STORE: (request) => fetch(new URL(new URL(request.url).pathname, origin)) },
      },
    ],
  });
  try {
    const program = await miniflare.getWorker("program");
    const seen = await (await program.fetch("http://worker/")).json();
    const example = await miniflare.getWorker("example");
    const answers = await Promise.all(
      ["pressure/c/0", "pressure/c/1", "pressure/c/9"].map(async (path) => {
        const answer = await example.fetch(`http://worker/${path}`);
        return [answer.status, (await answer.json()).error];
      }),
    );
    const expected = [
      [200, undefined],
      [502, "ChecksumMismatchError"],
      [404, "no such chunk"],
    ];
    if (!isDeepStrictEqual(answers, expected)) throw new Error(`the example: ${JSON.stringify(answers)}`);
    return seen;
  } finally {
    await miniflare.dispose();
    store.close();
  }
}

/** Each major version of Node, including this one. */
const nodes = ["20", "22", "24", "26"].map((major) => {
  const isThis = process.versions.node.split(".")[0] === major;
  const name = `Node ${major}`;
  return {
    name,
    version: isThis ? process.versions.node : versionOf(name),
    node: () => (isThis ? process.execPath : command(name)),
  };
});

/** Yields all cells: where the program runs, and how. */
function* cells() {
  for (const { name, version, node } of nodes) {
    const cell = { where: name, version };
    yield { ...cell, how: "import", see: () => run(node(), ["import.mjs"]) };
    yield { ...cell, how: "require", see: () => run(node(), ["require.cjs"]) };
    const withoutWasm = { ...cell, build: "portable", started: "after init()" };
    yield { ...withoutWasm, how: "--jitless", see: () => run(node(), ["--jitless", "import.mjs"]) };
  }
  const bun = { where: "Bun", version: versionOf("Bun") };
  yield { ...bun, how: "import", see: () => run(command("Bun"), ["import.mjs"]) };
  const deno = { where: "Deno", version: versionOf("Deno") };
  const denoRun = (...flags) => run(command("Deno"), ["run", "--no-prompt", ...flags, "import.mjs"]);
  yield { ...deno, how: "-A", see: () => denoRun("-A") };
  yield { ...deno, how: "no permissions", see: () => denoRun() };
  yield {
    where: "workerd",
    version: workerdVersion,
    how: "workerd condition",
    see: inWorkerd,
  };
  for (const browser of ["Chromium", "Firefox", "WebKit"]) {
    for (const [how, make] of Object.entries(PAGES)) {
      yield { where: browser, how, browser, make };
    }
  }
  for (const [where, { build, ...bundler }] of Object.entries(BUNDLERS)) {
    const make = async () => {
      const folder = pageFolder(where.toLowerCase().replace(" ", "-"));
      await build(folder);
      return { folder };
    };
    yield { where, how: "in Chromium", ...bundler, browser: "Chromium", make };
  }
}

/** Returns the version of workerd in miniflare. */
function workerdVersion() {
  const manifest = join(installed("workerd"), "node_modules/workerd/package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

/** Runs the program in a cell. Returns its output and the version. */
async function look({ browser, make, see, version }) {
  if (!browser) return { seen: await see(), version: typeof version === "function" ? version() : version };
  const { folder, headers, build } = await make();
  const report = await reportOf(browser, folder, headers);
  return { seen: report.seen, build, version: version ?? report.version };
}

/** Returns the expected output of the program. */
function expected({ encoded, decoded }, compressed, sharded, build) {
  const bytes = Buffer.from(encoded, "hex");
  const stored = bytes.readUInt32LE(bytes.length - 4);
  return {
    started: build === "portable" ? "after init()" : "at once",
    build,
    decoded,
    error: {
      isOfClass: true,
      name: "ChecksumMismatchError",
      code: "checksum_mismatch",
      stored,
      computed: damagedChecksum(bytes),
      byteLength: bytes.length - 4,
    },
    streamed: bytes.subarray(0, -4).toString("hex"),
    streamError: "ChecksumMismatchError",
    decompressed: { decoded: compressed.decoded, error: "ChecksumMismatchError" },
    sharded: { decoded: sharded.decoded, error: "ChecksumMismatchError" },
  };
}

/** Computes the CRC-32C of the damaged data, bit by bit. */
function damagedChecksum(encoded) {
  let crc = ~0;
  encoded.subarray(0, -4).forEach((byte, i) => {
    crc ^= i === 0 ? byte ^ 1 : byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  });
  return ~crc >>> 0;
}

if (options.build) await build();
const vector = chunk("zarr-python.json", "float32-big-crc32c-3d");
const compressed = chunk("chains/zarr-python.json", "transpose-102-gzip");
const sharded = chunk("shards/zarr-python.json", "nested-gzip");
await makeApp(vector, compressed, sharded);
ensureTools("chromium", "firefox", "webkit");

const results = [];
for (const cell of cells()) {
  const { where, how } = cell;
  const start = performance.now();
  let result;
  try {
    const { seen: text, version, build = cell.build ?? "simd" } = await look(cell);
    const seen = typeof text === "string" ? JSON.parse(text) : text;
    const problem = isDeepStrictEqual(seen, expected(vector, compressed, sharded, build))
      ? undefined
      : JSON.stringify(seen);
    result = { where, version, how, build, problem };
  } catch (error) {
    result = { where, how, problem: String(error?.stderr || error?.stack || error) };
  }
  results.push(result);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${result.problem ? "FAILED" : "passed"}  ${where} ${result.version ?? ""}, ${how} (${seconds} s)`,
  );
  if (result.problem) console.log(result.problem);
}

const report = { date: new Date().toISOString().slice(0, 10), results };
writeFileSync(join(FOLDER, "results.json"), `${JSON.stringify(report, undefined, 2)}\n`);
console.table(results.map(({ problem, ...cell }) => ({ ...cell, passed: problem === undefined })));

/** Formats the table of the README, with one row for each host. */
function table() {
  const rows = Map.groupBy
    ? Map.groupBy(results, ({ where }) => where)
    : results.reduce((map, cell) => map.set(cell.where, [...(map.get(cell.where) ?? []), cell]), new Map());
  const lines = [...rows].map(([where, cells]) => {
    const [{ version }] = cells;
    const hows = cells.map(({ how, build }) => (build === "portable" ? `${how} (portable)` : how));
    return `| ${where} | ${version} | ${hows.join(", ")} |`;
  });
  return ["| | version | loaded by |", "| --- | --- | --- |", ...lines].join("\n");
}

const failed = results.filter(({ problem }) => problem !== undefined);
if (options.write && failed.length === 0) {
  const path = join(ROOT, "README.md");
  const section = /(<!-- where -->\n).*?(<!-- \/where -->)/s;
  const text = `\n${table()}\n\nEvery cell passed on ${report.date}.\n\n`;
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(section, (_, begin, end) => begin + text + end),
  );
}
if (failed.length > 0) process.exitCode = 1;
