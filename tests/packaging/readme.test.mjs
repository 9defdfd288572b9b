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

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file) => readFileSync(join(ROOT, file), "utf8");
const readme = read("README.md");
const manifest = JSON.parse(read("package.json"));

/** The README's blocks of code, with the lines they begin at. */
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ({ index, 1: language, 2: source }) => ({
    language,
    source,
    line: readme.slice(0, index).split("\n").length,
  }),
);
const programs = blocks.filter(({ language }) => ["js", "ts"].includes(language));

/**
 * What is checked after an example has run, by what stands in it. An example to which nothing applies fails. Around them:
 * the folder data.zarr is there, damaged.zarr is the same with one bit flipped, and both are on the server at ORIGIN.
 */
const CHECKS = [
  [
    /\bconst encoded = chain\.encode\(new Float32Array\(\[1, 2, 3, 4\]\)\)/,
    // 1, 2, 3 and 4 as big-endian binary32; the checksum is that of the google-crc32c package.
    `assert.equal(Buffer.from(encoded).toString("hex"), "3f800000400000004040000040800000172e912a");
     assert.deepEqual(chunk, { data: new Float32Array([1, 2, 3, 4]), shape: [2, 2], stride: [2, 1] });`,
  ],
  [
    /\bconst \{ data, shape \} = /,
    `assert.deepEqual({ data, shape }, { data: firstChunk(), shape: [24, 48] });`,
  ],
  [
    /import "zarr-codecs\/zarrita"/,
    `assert.deepEqual(await firstChunkThroughZarrita("data.zarr"), firstChunk());
     await assert.rejects(firstChunkThroughZarrita("damaged.zarr"), isChecksumMismatch);`,
  ],
  [
    /\bconst unregister = register\(registry, \{ verify: "warn" \}\)/,
    `const warnings = [];
     console.warn = (...words) => warnings.push(words.join(" "));
     const damaged = await firstChunkThroughZarrita("damaged.zarr");
     assert.equal(damaged.length, firstChunk().length);
     assert.match(warnings.join(), /crc32c/);
     unregister();
     await firstChunkThroughZarrita("damaged.zarr");
     assert.equal(warnings.length, 1);`,
  ],
  [
    /import \{ addCodec \} from "zarr"/,
    `const { getCodec } = await import("zarr");
     const codec = await getCodec({ id: "crc32c" });
     const text = new TextEncoder().encode("123456789");
     const checked = await codec.encode(text);
     assert.equal(Buffer.from(checked.slice(-4)).toString("hex"), "839206e3"); // the CRC catalogue's check value
     assert.deepEqual(await codec.decode(checked), text);
     checked[0] ^= 1;
     await assert.rejects(async () => codec.decode(checked), isChecksumMismatch);`,
  ],
];

/** What the checks use. */
const HELPERS = `
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
function firstChunk() {
  const bytes = readFileSync("data.zarr/temperature/c/0/0");
  return Float32Array.from({ length: 24 * 48 }, (_, i) => bytes.readFloatBE(4 * i));
}
async function firstChunkThroughZarrita(store) {
  const { FetchStore, open } = await import("zarrita");
  const array = await open(new FetchStore(process.env.ORIGIN + store + "/temperature"), { kind: "array" });
  return (await array.getChunk([0, 0])).data;
}
const isChecksumMismatch = (error) => (error.cause ?? error).code === "checksum_mismatch";
`;

describe("the example in line", () => {
  const sample = join(ROOT, "www/data/sample.zarr");
  let folder;
  let server;
  let origin;

  before(async () => {
    folder = mkdtempSync(join(import.meta.dirname, "readme-"));
    for (const store of ["data.zarr", "damaged.zarr"])
      cpSync(sample, join(folder, store), { recursive: true });
    const damaged = join(folder, "damaged.zarr/temperature/c/0/0");
    const bytes = readFileSync(damaged);
    bytes[100] ^= 1;
    writeFileSync(damaged, bytes);
    server = createServer(({ url }, response) => {
      const path = join(folder, new URL(url, "http://localhost").pathname);
      const body = existsSync(path) ? readFileSync(path) : undefined;
      response.writeHead(body ? 200 : 404).end(body);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${server.address().port}/`;
  });

  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  assert.ok(programs.length > 0);
  for (const { language, source, line } of programs) {
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
