// Options are an object's own properties, never those of Object.prototype.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import * as api from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/numcodecs";
import { register } from "zarr-codecs/register";
import {
  assertError,
  assertSameBytes,
  assertThrows,
  BIG,
  LITTLE,
  metadataOf,
  withChecksum,
} from "./helpers.mjs";
import { indexOf, join, sharding } from "./shard-helpers.mjs";

const {
  ChecksumMismatchError,
  createCodecChain,
  InvalidArgumentError,
  InvalidElementError,
  InvalidMetadataError,
} = api;

const metadata = metadataOf({ shape: [2], checksums: 1 });
const little = metadataOf({ shape: [2], endian: "little" });
const unstated = { dataType: "float32", shape: [2], codecs: ["bytes"] };
const bools = metadataOf({ dataType: "bool", endian: undefined, shape: [2] });
const halves = metadataOf({ dataType: "float16", shape: [2] });
const bad = withChecksum(BIG, 5);
const BIG_CHECKED = withChecksum(BIG);
const decoded = Float32Array.of(1, -2);

/** Calls `use` while `Object.prototype` has this property. Returns its result or error. */
async function withPollution(name, value, use) {
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  try {
    return { result: await use() };
  } catch (error) {
    return { error };
  } finally {
    delete Object.prototype[name];
  }
}

/** Asserts that `use` throws while `Object.prototype` has this property. */
async function assertThrowsPolluted(name, value, use, ErrorClass) {
  const { error } = await withPollution(name, value, use);
  assertError(error, ErrorClass);
}

describe("Object.prototype sets no option:", () => {
  for (const options of [undefined, {}, { copy: true }, Object.create(null)]) {
    const given = options === undefined ? "none" : `{ ${Object.keys(options)} }`;
    const name = Object.getPrototypeOf(options ?? {}) ? given : `${given} without a prototype`;
    test(`verify, with the options ${name}`, async () => {
      const chain = createCodecChain(metadata);
      for (const use of [
        () => chain.decode(bad, options),
        () => api.decode(bad, metadata, options),
        () => createCodecChain(metadata).decode(bad, options),
        () => createCodecChain(metadata, {}).decode(bad, options),
      ]) {
        await assertThrowsPolluted("verify", false, use, ChecksumMismatchError);
      }
    });
  }

  test("missingEndian", async () => {
    for (const use of [
      () => createCodecChain(unstated),
      () => createCodecChain(unstated, { verify: true }),
      () => api.decode(LITTLE, unstated, {}),
      () => api.encode(decoded, unstated, {}),
    ]) {
      await assertThrowsPolluted("missingEndian", "little", use, InvalidMetadataError);
    }
  });

  test("invalidBool", async () => {
    for (const use of [
      () => createCodecChain(bools, {}).decode(Uint8Array.of(1, 2)),
      () => api.decode(Uint8Array.of(1, 2), bools, { copy: true }),
      () => api.encode(Uint8Array.of(1, 2), bools, {}),
    ]) {
      await assertThrowsPolluted("invalidBool", "true", use, InvalidElementError);
    }
  });

  test("float16", async () => {
    const expected = api.decode(Uint8Array.of(0x3c, 0, 0xc0, 0), halves).data;
    assert.deepEqual([...expected], [1, -2]);
    const decode = () => api.decode(Uint8Array.of(0x3c, 0, 0xc0, 0), halves, { copy: true });
    const { result } = await withPollution("float16", "bits", decode);
    assert.deepEqual(result.data, expected);
  });

  test("copy", async () => {
    const chain = createCodecChain(little);
    for (const options of [undefined, {}, { verify: true }]) {
      const { result } = await withPollution("copy", true, () => chain.decode(LITTLE, options));
      assert.equal(result.data.buffer, LITTLE.buffer);
    }
  });

  test("inPlace", async () => {
    const chain = createCodecChain(metadataOf({ shape: [2] }));
    for (const options of [undefined, {}, { copy: true }, { out: new Float32Array(2) }]) {
      const encoded = BIG.slice();
      const { result } = await withPollution("inPlace", true, () => chain.decode(encoded, options));
      assertSameBytes(result.data, decoded);
      assertSameBytes(encoded, BIG);
    }
  });

  test("out", async () => {
    const chain = createCodecChain(metadataOf({ shape: [2] }));
    for (const options of [undefined, {}]) {
      const out = new Float32Array(2);
      const { result } = await withPollution("out", out, () => chain.decode(BIG, options));
      assertSameBytes(result.data, decoded);
      assertSameBytes(out, new Float32Array(2));
      const bytes = new Uint8Array(8);
      const { result: encoded } = await withPollution("out", bytes, () => chain.encode(decoded, options));
      assertSameBytes(encoded, BIG);
      assertSameBytes(bytes, new Uint8Array(8));
    }
  });

  /** Creates a codec that was registered with these options. */
  const codecOf = async (name, options, metadata) => {
    const registry = new Map();
    register(registry, options);
    const entry = await registry.get(name)();
    return entry.fromConfig(undefined, metadata);
  };

  test("verify of register", async () => {
    for (const value of [false, "warn"]) {
      for (const options of [undefined, {}, { missingEndian: "big" }]) {
        const use = async () => (await codecOf("crc32c", options)).decode(bad);
        await assertThrowsPolluted("verify", value, use, ChecksumMismatchError);
      }
    }
  });

  test("verify, copy and out of a codec that reports mismatches", async () => {
    const out = new Uint8Array(8);
    for (const [name, value] of [
      ["verify", false],
      ["copy", false],
      ["out", out],
    ]) {
      const errors = [];
      const verify = (error) => errors.push(error);
      const ofNumcodecs = async () => new Crc32cCodec(verify).decode(bad);
      const registered = async () => (await codecOf("crc32c", { verify })).decode(bad);
      for (const decode of [ofNumcodecs, registered]) {
        const { result } = await withPollution(name, value, decode);
        assertSameBytes(result, BIG, name);
        assert.notEqual(result.buffer, bad.buffer);
      }
      assert.equal(errors.length, 2, name);
    }
    assertSameBytes(out, new Uint8Array(8));
  });

  test("missingEndian and invalidBool of register", async () => {
    for (const options of [undefined, {}, { verify: true }]) {
      const ofFloats = { dataType: "float32", shape: [2], codecs: [{ name: "bytes" }] };
      const decodeFloats = async () => (await codecOf("bytes", options, ofFloats)).decode(LITTLE);
      await assertThrowsPolluted("missingEndian", "little", decodeFloats, InvalidMetadataError);
      const ofBools = { dataType: "bool", shape: [2], codecs: [{ name: "bytes" }] };
      const decodeBools = async () => (await codecOf("bytes", options, ofBools)).decode(Uint8Array.of(1, 2));
      await assertThrowsPolluted("invalidBool", "true", decodeBools, InvalidElementError);
    }
  });
});

test("Object.prototype sets no option of a shard, or of its inner chunks", async () => {
  const big = { name: "bytes", configuration: { endian: "big" } };
  const sharded = (shape, ...before) => ({
    dataType: "float32",
    shape,
    codecs: [...before, sharding(shape, [big, "crc32c"])],
    fillValue: 0,
  });
  const chain = createCodecChain(sharded([2]));
  const shard = join(BIG_CHECKED, indexOf([[0, 12]]));
  const { result } = await withPollution("inPlace", true, () => chain.decode(shard));
  assertSameBytes(result.data, decoded);
  assertSameBytes(shard, join(BIG_CHECKED, indexOf([[0, 12]])));
});

test("Object.prototype adds nothing to metadata", async () => {
  const bytesWith = (members) => ({
    dataType: "float32",
    shape: [2],
    codecs: [{ name: "bytes", ...members }],
  });
  for (const [name, value, metadata, path] of [
    ["endian", "little", bytesWith({ configuration: {} }), "codecs[0].configuration.endian"],
    ["configuration", { endian: "little" }, bytesWith({}), "codecs[0].configuration.endian"],
    ["must_understand", false, { ...little, codecs: [...little.codecs, { name: "gzip" }] }, "codecs[1].name"],
    ["dataType", "float32", { shape: [2], codecs: little.codecs }, "dataType"],
  ]) {
    const { error } = await withPollution(name, value, () => createCodecChain(metadata));
    assertError(error, InvalidMetadataError, { path });
  }
});

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
