// Metadata that loadCodecChain cannot read, or that nearly are those of an array.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { InvalidArgumentError, InvalidMetadataError, loadCodecChain } from "zarr-codecs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const metadata = (...codecs) => ({ dataType: "uint16", shape: [2], codecs });

describe("metadata that nearly are those of an array", () => {
  const fail = () => {
    throw new Error("mine");
  };

  for (const [member, value] of Object.entries({
    zarr_format: 3,
    node_type: "array",
    data_type: "uint16",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  })) {
    test(`lack the other members beside ${member}`, async () => {
      const missing = member === "chunk_grid" ? "data_type" : "chunk_grid";
      await assert.rejects(loadCodecChain({ [member]: value, codecs: [LITTLE] }), {
        constructor: InvalidMetadataError,
        path: missing,
      });
    });
  }

  for (const [what, chunk_grid, path] of [
    ["no grid", undefined, "chunk_grid"],
    ["a grid without configuration", { name: "regular" }, "chunk_grid.configuration"],
  ]) {
    test(`have ${what}`, async () => {
      const array = { data_type: "uint16", chunk_grid, codecs: [LITTLE] };
      const error = await loadCodecChain(array).catch((thrown) => thrown);
      assert.ok(error instanceof InvalidMetadataError, error.stack);
      assert.ok(error.path.startsWith(path), error.path);
    });
  }

  test("have codecs without a name that is a text", async () => {
    const get = (name) => (name.startsWith("other") ? fail : undefined);
    for (const [codec, path] of [
      [null, "codecs[1]"],
      [3, "codecs[1]"],
      [{ name: 3 }, "codecs[1].name"],
    ]) {
      await assert.rejects(loadCodecChain(metadata(LITTLE, codec), { codecs: { get } }), {
        constructor: InvalidMetadataError,
        path,
      });
    }
  });

  test("or codecs of others cannot be read", async () => {
    const unreadable = (name) => Object.defineProperty({}, name, { get: fail, enumerable: true });
    for (const [argument, loading] of [
      ["metadata", loadCodecChain(Object.defineProperty(metadata(LITTLE), "fill_value", { get: fail }))],
      ["options.codecs", loadCodecChain(metadata(LITTLE), { codecs: unreadable("get") })],
      ["options.codecs", loadCodecChain(metadata(LITTLE, "other"), { codecs: { get: fail } })],
    ]) {
      await assert.rejects(loading, {
        constructor: InvalidArgumentError,
        argument,
        message: `${argument} could not be read`,
      });
    }
    await assert.rejects(loadCodecChain(new Proxy(metadata(LITTLE), { has: fail })), {
      constructor: InvalidMetadataError,
      message: "metadata: could not be read",
    });
  });
});
