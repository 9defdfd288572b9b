// The README's tables say what the package does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as zarrCodecs from "zarr-codecs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../../README.md");

/** What stands in backticks in each cell of the tables of a section, by rows. */
function tableOf(heading) {
  const [, section] = readme.split(`\n### ${heading}\n`);
  const rows = section.split(/\n##+ /)[0].match(/^\| .*$/gm);
  assert.ok(rows.length > 2, heading);
  return rows
    .slice(2) // the heading and the line below it
    .map((row) =>
      row.split(/(?<!\\)\|/).map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code)),
    );
}

test("data types and their arrays are those of the package", () => {
  const declared = Object.fromEntries(
    [
      ...read("../node_modules/zarr-codecs/dist/generated/facts.d.ts").matchAll(
        /^ +"?([\w.]+)"?: (.+<B>);$/gm,
      ),
    ].map(([, type, arrays]) => [type, arrays.replaceAll("<B>", "").replaceAll("Host", "").split(" | ")]),
  );
  assert.ok(Object.keys(declared).length > 0);
  const listed = tableOf("Data types").flatMap(([, types, arrays]) =>
    types.map((type, i) => [type, arrays.length === types.length ? [arrays[i]] : arrays]),
  );
  const isRaw = ([type]) => /^r\d+$/.test(type);
  assert.deepEqual(Object.fromEntries(listed.filter((row) => !isRaw(row))), declared);
  const raw = listed.filter(isRaw);
  assert.ok(raw.length > 0);
  for (const [dataType, arrays] of raw) {
    const metadata = { dataType, shape: [1], codecs: ["bytes"] };
    const { data } = zarrCodecs.decode(new Uint8Array(Number(dataType.slice(1)) / 8), metadata);
    assert.deepEqual(arrays, [data.constructor.name]);
  }
});

test("errors have the class, code, fields and message of their row", async () => {
  const metadata = {
    dataType: "float32",
    shape: [64, 16],
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, "crc32c"],
  };
  const chain = zarrCodecs.createCodecChain(metadata);
  const bools = { dataType: "bool", shape: [20], codecs: ["bytes"] };
  const middle = { name: "bytes", configuration: { endian: "middle" } };
  const causes = {
    InvalidMetadataError: () => zarrCodecs.createCodecChain({ ...metadata, codecs: [middle] }),
    ChunkLengthError: () => chain.decode(new Uint8Array(4095)),
    ChecksumMismatchError: () => chain.decode(new Uint8Array(4100).fill(1)),
    InvalidElementError: () => zarrCodecs.decode(new Uint8Array(20).fill(2, 17), bools),
    ExternalCodecError: () => gzipped.decode(new Uint8Array(20)),
    InvalidArgumentError: () => chain.decode(new Uint8Array(4100).fill(1), { out: new Float64Array(1024) }),
  };
  const gzipped = await zarrCodecs.loadCodecChain({ ...bools, codecs: ["bytes", "gzip"] });
  const withoutSums = (message) => message.replaceAll(/\b0x[0-9a-f]{8}\b/g, "0x");
  const rows = tableOf("Errors");
  assert.deepEqual(
    rows.map(([, [name]]) => name),
    Object.keys(causes),
  );
  for (const [, [name, code], fields, [message]] of rows) {
    await assert.rejects(
      async () => causes[name](),
      (error) => {
        assert.ok(zarrCodecs.isZarrCodecError(error));
        assert.deepEqual([error.constructor.name, error.code], [name, code]);
        for (const field of fields.filter((field) => !field.endsWith("?"))) assert.ok(field in error, field);
        assert.equal(withoutSums(error.message), withoutSums(message));
        return true;
      },
    );
  }
});

test("functions of the API are exported", () => {
  const [, section] = readme.split("\n## API\n");
  const names = [...section.split("\n| entry |")[0].matchAll(/`(?:new )?(\w+)\(/g)].map(([, name]) => name);
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter((name) => !(name in zarrCodecs)),
    [],
  );
  const documented = Object.entries(zarrCodecs)
    .filter(
      ([name, value]) =>
        typeof value === "function" && !/Error$|^(Async)?CodecChain$|^Shard$|^ArrayReader$/.test(name),
    )
    .map(([name]) => name);
  assert.deepEqual(
    documented.filter((name) => !names.includes(name)),
    [],
  );
});

test("codecs are implemented by whom the table says", async () => {
  const rows = tableOf("Codecs");
  const [, section] = readme.split("\n### Codecs\n");
  const cells = section
    .split("\n### ")[0]
    .match(/^\| `.*$/gm)
    .map((row) => row.split("|")[2].trim());
  const { NAMES } = /OWN_CODEC_NAMES[^=]*= \[(?<NAMES>.*)\]/.exec(read("../../js/generated/facts.ts")).groups;
  const own = [];
  for (const [row, who] of cells.entries()) {
    for (const name of rows[row][1]) {
      if (who === "this package") own.push(name);
      else await expectProvided(name, who);
    }
  }
  assert.deepEqual(own.sort(), JSON.parse(`[${NAMES}]`).sort());
});

/** Fails unless a codec can be loaded with an implementation of others, and without one. */
async function expectProvided(name, who) {
  assert.match(who, /^yours, .*or this package/);
  const metadata = { dataType: "uint8", shape: [1], codecs: ["bytes", name] };
  const Codec = { fromConfig: () => ({ encode: (bytes) => bytes, decode: (bytes) => bytes }) };
  await zarrCodecs.loadCodecChain(metadata, { codecs: new Map([[name, () => Codec]]) });
  await zarrCodecs.loadCodecChain(metadata);
}
