// Options are an object's own properties, whatever kind of object it is.

import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import * as api from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import { assertSameBytes, assertThrows, BIG, metadataOf, withChecksum } from "./helpers.mjs";

const { ChecksumMismatchError, createCodecChain, InvalidArgumentError } = api;

const metadata = metadataOf({ shape: [2], checksums: 1 });
const bad = withChecksum(BIG, 5);
const decoded = Float32Array.of(1, -2);

describe("options are the own properties of", async () => {
  class Options {
    verify = false;
  }
  const OBJECTS = {
    "an object without a prototype": Object.assign(Object.create(null), { verify: false }),
    "an instance of a class": new Options(),
    "an object of another realm": runInNewContext("({ verify: false })"),
    "a Proxy": new Proxy({ verify: false }, {}),
    "a frozen object": Object.freeze({ verify: false }),
    "a module": await import("data:text/javascript,export const verify = false;"),
    "an object with a getter": {
      get verify() {
        return false;
      },
    },
  };
  for (const [what, options] of Object.entries(OBJECTS)) {
    test(what, () => {
      assertSameBytes(createCodecChain(metadata).decode(bad, options).data, decoded);
      assertSameBytes(createCodecChain(metadata, options).decode(bad).data, decoded);
      assertSameBytes(api.decode(bad, metadata, options).data, decoded);
    });
  }

  test("an object, but not inherited or non-enumerable ones", () => {
    const hidden = Object.defineProperty({}, "verify", { value: false, enumerable: false });
    for (const options of [Object.create({ verify: false }), hidden]) {
      assertThrows(() => api.decode(bad, metadata, options), ChecksumMismatchError);
    }
  });
});

describe("options are not", () => {
  const REFUSED = [
    [new Map([["verify", false]]), "a Map"],
    [runInNewContext("new Map([['verify', false]])"), "a Map"],
    [new Set(["verify"]), "a Set"],
    [new WeakMap(), "a WeakMap"],
    [new URLSearchParams("verify=false"), "a URLSearchParams"],
    [new Headers({ verify: "false" }), "a Headers"],
    [new Date(0), "a Date"],
    [/verify/, "a RegExp"],
    [Promise.resolve({ verify: false }), "a Promise"],
    [[], "an array"],
    [[{ verify: false }], "an array"],
    [new Uint8Array(1), "Uint8Array of 1"],
    [new ArrayBuffer(1), "an ArrayBuffer"],
    [new String("verify"), "a String"],
    [new Number(1), "a Number"],
    [new Boolean(false), "a Boolean"],
  ];
  for (const [options, got] of REFUSED) {
    test(got, () => {
      const message = `options: expected an object, got ${got}`;
      for (const use of [
        () => createCodecChain(metadata, options),
        () => createCodecChain(metadata).decode(bad, options),
        () => createCodecChain(metadata).encode(decoded, options),
        () => api.decode(bad, metadata, options),
        () => api.encode(decoded, metadata, options),
        () => register(new Map(), options),
      ]) {
        assertThrows(use, InvalidArgumentError, { argument: "options", message });
      }
    });
  }
});
