// The README: its examples run as they stand, its links lead somewhere, and its pictures show on npm too.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { CHECKS, HELPERS } from "./readme-checks.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file) => readFileSync(join(ROOT, file), "utf8");
const readme = read("README.md");
const manifest = JSON.parse(read("package.json"));

/** Stands before an example that needs what is not installed. */
const NOT_RUN = "<!-- not run -->\n\n";

/** The README's blocks of code, with the lines they begin at. */
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ({ index, 1: language, 2: source }) => ({
    language,
    source,
    line: readme.slice(0, index).split("\n").length,
    isRun: !readme.slice(0, index).endsWith(NOT_RUN),
  }),
);
const programs = blocks.filter(({ language }) => ["js", "ts"].includes(language));

/** The file that an example is, if its first line says so: then others import it. */
const fileNameOf = (source) => /^\/\/ (\S+\.js)\n/.exec(source)?.[1];

describe("the example in line", () => {
  const sample = join(ROOT, "www/data/sample.zarr");
  let folder;
  let server;
  let origin;

  before(async () => {
    folder = mkdtempSync(join(import.meta.dirname, "readme-"));
    for (const store of ["data.zarr", "damaged.zarr"])
      cpSync(sample, join(folder, store), { recursive: true });
    // Sharded, of the other store.
    cpSync(join(ROOT, "www/data/cells.ome.zarr/2"), join(folder, "data.zarr/cells"), { recursive: true });
    const damaged = join(folder, "damaged.zarr/temperature/c/0/0");
    const bytes = readFileSync(damaged);
    bytes[100] ^= 1;
    writeFileSync(damaged, bytes);
    rmSync(join(folder, "data.zarr/temperature/c/2/2"));
    for (const { source } of programs) {
      const name = fileNameOf(source);
      if (name !== undefined) writeFileSync(join(folder, name), source);
    }
    server = createServer(({ url, method, headers }, response) => {
      if (url.endsWith("/c/1/1")) return response.writeHead(500).end();
      const path = join(folder, new URL(url, "http://localhost").pathname);
      const file = existsSync(path) ? readFileSync(path) : undefined;
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
      const body = first === undefined ? file : file?.subarray(Number(first), Number(last) + 1);
      const length = body && { "Content-Length": body.length };
      response.writeHead(body ? (first ? 206 : 200) : 404, length).end(method === "HEAD" ? undefined : body);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${server.address().port}/`;
  });

  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  assert.ok(programs.length > 0);
  for (const { language, source, line } of programs.filter(({ isRun }) => isRun)) {
    test(String(line), async () => {
      const checks = CHECKS.filter(([pattern]) => pattern.test(source)).map(([, check]) => `{ ${check} }`);
      assert.ok(checks.length > 0, "nothing checks what this example does");
      const served = source.replaceAll("https://example.org/", origin);
      const { code } = await transform(served, { loader: language, format: "esm" });
      const program = join(folder, `line-${line}.mjs`);
      writeFileSync(program, [code, HELPERS, ...checks].join("\n"));
      const options = { cwd: folder, env: { ...process.env, ORIGIN: origin } };
      await promisify(execFile)(process.execPath, [program], options);
    });
  }
});

test("the example that is not run is neuroglancer's, and compiles", async () => {
  const others = programs.filter(({ isRun }) => !isRun);
  assert.equal(others.length, 1);
  for (const { language, source } of others) {
    assert.match(source, /from "neuroglancer\//);
    await transform(source, { loader: language, format: "esm" });
  }
});

test("blocks of code are in languages that are checked", () => {
  const others = blocks.filter(({ language }) => !["js", "ts", "json", "sh"].includes(language));
  assert.deepEqual(others, []);
  for (const { language, source } of blocks) if (language === "json") JSON.parse(source);
});

for (const file of ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "bench/README.md", ".ci/run"]) {
  test(`the npm scripts that ${file} names exist`, () => {
    const named = [...read(file).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)];
    const missing = named
      .map(([, run, builtIn]) => run ?? builtIn)
      .filter((name) => !(name in manifest.scripts));
    assert.deepEqual(missing, []);
  });
}

describe("links and pictures", () => {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const raw = `${repository.replace("//github.com/", "//raw.githubusercontent.com/")}/HEAD/`;
  const prose = readme.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const inMarkdown = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, target]) => target);
  const inHtml = [...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)/g)].map(([, target]) => target);

  /** The file of the repository behind a link, if it is one. */
  const fileOf = (target) =>
    [raw, `${repository}/blob/HEAD/`, `${repository}/tree/HEAD/`].reduce(
      (path, prefix) => (path.startsWith(prefix) ? path.slice(prefix.length) : path),
      target.replace(/[?#].*/, ""),
    );

  test("lead to files of the repository", () => {
    const files = [...inMarkdown, ...inHtml].map(fileOf).filter((path) => path !== "" && !/^\w+:/.test(path));
    assert.ok(files.length > 0);
    assert.deepEqual(
      files.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });

  test("within the page lead to headings", () => {
    const slug = (heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-");
    const anchors = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => `#${slug(heading)}`);
    const missing = inMarkdown.filter((target) => target.startsWith("#") && !anchors.includes(target));
    assert.deepEqual(missing, []);
  });

  // npm completes the relative addresses of links by the repository; of pictures only some.
  test("show on npm: pictures have absolute addresses", () => {
    const pictures = [...prose.matchAll(/!\[[^\]]*\]\(([^)\s]+)|\b(?:src|srcset)="([^"\s]+)/g)];
    const addresses = pictures.map(([, inMarkdown, inHtml]) => inMarkdown ?? inHtml);
    assert.ok(addresses.length > 0);
    assert.deepEqual(
      addresses.filter((address) => !address.startsWith(raw)),
      [],
    );
  });
});
