// InvalidArgumentError: options that are unknown, have invalid values, or belong to another call.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as api from "zarr-codecs";
import { assertThrows, chainOf, metadataOf, TEN_MILLION } from "./helpers.mjs";

const { createCodecChain, InvalidArgumentError, loadCodecChain } = api;

describe("rejects options", () => {
  const chain = chainOf();
  const encoded = new Uint8Array(16);
  const decoded = new Float32Array(4);
  const metadata = metadataOf();
  const uses = {
    createCodecChain: (options) => createCodecChain(metadata, options),
    "createCodecChain for an array": (options) =>
      createCodecChain(
        {
          data_type: "int8",
          chunk_grid: { name: "regular", configuration: { chunk_shape: [] } },
          codecs: ["bytes"],
        },
        options,
      ),
    "chain.decode": (options) => chain.decode(encoded, options),
    "chain.encode": (options) => chain.encode(decoded, options),
    decode: (options) => api.decode(encoded, metadata, options),
    encode: (options) => api.encode(decoded, metadata, options),
  };

  for (const [name, use] of Object.entries(uses)) {
    test(`of ${name} that are not an object`, () => {
      for (const [options, got] of [
        [null, "null"],
        [1, "1"],
        ["verify", '"verify"'],
        [true, "true"],
        [1n, "1n"],
        [() => {}, "a function"],
        [Symbol("x"), "a symbol"],
      ]) {
        const message = `options: expected an object, got ${got}`;
        assertThrows(() => use(options), InvalidArgumentError, { argument: "options", message });
      }
    });

    test(`of ${name} that are unknown`, () => {
      for (const option of ["verfy", "Verify", "toString", "constructor", "__proto__", "", "0"]) {
        const options = Object.fromEntries([[option, true]]);
        const argument = `options.${option}`;
        const message = new RegExp(`^options\\.${option}: unknown option; allowed: \\w+(, \\w+)*$`);
        assertThrows(() => use(options), InvalidArgumentError, { argument, message });
      }
      assertThrows(() => use({ ["x".repeat(TEN_MILLION)]: 1 }), InvalidArgumentError);
    });
  }

  const VALUES = {
    verify: ["createCodecChain", "createCodecChain for an array", "chain.decode", "decode", "encode"],
    missingEndian: ["createCodecChain", "createCodecChain for an array", "decode", "encode"],
    invalidBool: ["createCodecChain", "createCodecChain for an array", "decode", "encode"],
    float16: ["createCodecChain", "createCodecChain for an array", "decode", "encode"],
    copy: ["chain.decode", "decode"],
    inPlace: ["chain.decode", "decode"],
    smallFloats: ["createCodecChain", "createCodecChain for an array", "decode", "encode"],
    strided: ["createCodecChain", "createCodecChain for an array", "chain.decode", "decode", "encode"],
  };
  for (const [option, takers] of Object.entries(VALUES)) {
    test(`with an invalid value of ${option}`, () => {
      for (const name of takers) {
        for (const value of [
          null,
          0,
          1,
          "yes",
          "Little",
          "",
          {},
          [],
          Number.NaN,
          1n,
          Symbol("x"),
          ...(option === "verify" ? [] : [() => {}]),
        ]) {
          const argument = `options.${option}`;
          const message =
            /^options\.\w+: expected (true or false|true, false, "warn" or a function|("\w+", )*"\w+" or "\w+"), got .+$/;
          assertThrows(() => uses[name]({ [option]: value }), InvalidArgumentError, { argument, message });
        }
        assert.deepEqual(uses[name]({ [option]: undefined }), uses[name](undefined));
      }
    });

    test(`with ${option}, for calls that do not have it`, () => {
      for (const name of Object.keys(uses)) {
        if (takers.includes(name)) continue;
        const argument = `options.${option}`;
        assertThrows(() => uses[name]({ [option]: true }), InvalidArgumentError, { argument });
      }
    });
  }

  test("with a chunk shape for the metadata of a chain", async () => {
    for (const use of [createCodecChain, loadCodecChain]) {
      const message = "options.chunkShape needs the metadata of an array";
      const error = { name: "InvalidArgumentError", argument: "options.chunkShape", message };
      const call = async () => use(metadata, { chunkShape: [2, 2] });
      await assert.rejects(call, error);
    }
  });

  test("with messages that name what is allowed", () => {
    for (const [options, message] of [
      [{ smallFloats: 1 }, 'options.smallFloats: expected "float32" or "bits", got 1'],
      [{ invalidBool: true }, 'options.invalidBool: expected "error" or "coerce", got true'],
      [
        { out: decoded },
        "options.out: unknown option; allowed: verify, missingEndian, invalidBool, float16, smallFloats, strided, chunkShape",
      ],
    ]) {
      assertThrows(() => createCodecChain(metadata, options), InvalidArgumentError, { message });
    }
    for (const smallFloats of ["float32", "bits"]) createCodecChain(metadata, { smallFloats });
  });

  test("that cannot be read", () => {
    const options = Object.defineProperty({}, "verify", {
      enumerable: true,
      get() {
        throw new Error("no");
      },
    });
    const expected = { argument: "options", message: "options could not be read" };
    assertThrows(() => createCodecChain(metadata, options), InvalidArgumentError, expected);
  });

  test("that combine inPlace with out or copy", () => {
    for (const other of [{ out: decoded }, { copy: true }]) {
      const argument = "options.inPlace";
      const expected = { argument, message: `${argument} cannot be combined with out or copy` };
      assertThrows(() => chain.decode(encoded, { inPlace: true, ...other }), InvalidArgumentError, expected);
    }
  });
});
