// Whatever its arguments, this package throws only its own errors, and keeps working.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  crc32c,
  crc32cCombine,
  createCodecChain,
  decode,
  encode,
  InvalidArgumentError,
  isZarrCodecError,
  ZarrCodecError,
} from "zarr-codecs";
import {
  assertOwnErrors,
  assertStillWorks,
  assertThrows,
  metadataOf,
  PROPERTIES,
  RUNS,
  withChecksum,
} from "./helpers.mjs";
import { sameBytes } from "./vectors.mjs";

describe("survives objects that throw on access,", () => {
  const fail = () => {
    throw new TypeError("touched");
  };
  const TRAPS = [
    "get",
    "has",
    "ownKeys",
    "getPrototypeOf",
    "getOwnPropertyDescriptor",
    "set",
    "defineProperty",
    "deleteProperty",
    "isExtensible",
    "preventExtensions",
    "setPrototypeOf",
  ];
  const revoked = (target) => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  };
  const throwing = (target) => new Proxy(target, Object.fromEntries(TRAPS.map((trap) => [trap, fail])));
  /** An object or array whose members cannot be read. */
  const withGetters = (target, ...names) => {
    for (const name of names) Object.defineProperty(target, name, { enumerable: true, get: fail });
    return target;
  };
  const HOSTILE = {
    "a revoked Proxy of an object": () => revoked({}),
    "a revoked Proxy of an array": () => revoked([]),
    "a revoked Proxy of a buffer": () => revoked(new Uint8Array(16)),
    "a Proxy that throws": () => throwing({}),
    "a Proxy of an array that throws": () => throwing([1]),
    "an object whose members throw": () =>
      withGetters({}, "name", "configuration", "endian", "data", "shape", "dataType", "verify", "out"),
    "an object whose tag throws": () => withGetters({}, Symbol.toStringTag),
    "an object whose prototype's members throw": () =>
      Object.create(withGetters({}, "name", "verify", "copy", "out", "float16", "data", "shape")),
    "an array whose items throw": () => withGetters([], 0),
    "an object whose member throws nothing": () => ({
      get name() {
        throw undefined;
      },
    }),
  };

  /** Functions that use each value of `makers`. */
  const used = (use, makers) =>
    Object.fromEntries(Object.entries(makers).map(([what, make]) => [what, () => use(make())]));

  const grid = (configuration) => ({ name: "regular", configuration });
  const arrayWith = (members) => ({
    data_type: "int8",
    chunk_grid: grid({ chunk_shape: [2] }),
    codecs: ["bytes"],
    ...members,
  });
  const chain = createCodecChain(metadataOf());
  const encoded = Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0);
  const decoded = Float32Array.of(1, -2, 0, -0);
  const PLACES = {
    "as metadata": (value) => createCodecChain(value),
    "as an array's metadata": (value) => createCodecChain(value),
    "as data type": (value) => createCodecChain({ ...metadataOf(), dataType: value }),
    "as shape": (value) => createCodecChain(metadataOf({ shape: value })),
    "in the shape": (value) => createCodecChain(metadataOf({ shape: [value] })),
    "as codecs": (value) => createCodecChain({ ...metadataOf(), codecs: value }),
    "as codec": (value) => createCodecChain({ ...metadataOf(), codecs: [value] }),
    "as configuration": (value) =>
      createCodecChain({ ...metadataOf(), codecs: [{ name: "bytes", configuration: value }] }),
    "as endian": (value) => createCodecChain(metadataOf({ endian: value })),
    "as chunk grid": (value) => createCodecChain(arrayWith({ chunk_grid: value })),
    "as chunk shape": (value) => createCodecChain(arrayWith({ chunk_grid: grid({ chunk_shape: value }) })),
    "as encoded bytes": (value) => chain.decode(value),
    "as bytes of a checksum": (value) => crc32c(value),
    "as initial checksum": (value) => crc32c(encoded, value),
    "as chunk": (value) => chain.encode(value),
    "as data of a chunk": (value) => chain.encode({ data: value }),
    "as shape of a chunk": (value) => chain.encode({ data: decoded, shape: value }),
    "in the shape of a chunk": (value) => chain.encode({ data: decoded, shape: [value] }),
    "as out of decode": (value) => chain.decode(encoded, { out: value }),
    "as out of encode": (value) => chain.encode(decoded, { out: value }),
    "as verify": (value) => chain.decode(encoded, { verify: value }),
  };
  for (const [place, use] of Object.entries(PLACES)) {
    test(place, () => assertOwnErrors(used(use, HOSTILE), () => false));
  }

  /** Options that are valid on the first read, and throw on the second. */
  const CHANGING = Object.fromEntries(
    ["verify", "out"].map((name) => [
      `an object whose ${name} throws when it is read again`,
      () => {
        let reads = 0;
        const get = () => (reads++ === 0 ? undefined : fail());
        return Object.defineProperty({}, name, { enumerable: true, get });
      },
    ]),
  );

  // These may count as empty options; the result must then be right.
  const isChain = (chain) => chain.encodedByteLength === 16;
  const isDecoded = ({ data }) => sameBytes(data, decoded);
  const isEncoded = (bytes) => sameBytes(bytes, encoded);
  const OPTIONS = {
    "as options of a chain": [(value) => createCodecChain(metadataOf(), value), isChain],
    "as options of decode": [(value) => chain.decode(encoded, value), isDecoded],
    "as options of encode": [(value) => chain.encode(decoded, value), isEncoded],
    "as options of decode without a chain": [(value) => decode(encoded, metadataOf(), value), isDecoded],
    "as options of encode without a chain": [(value) => encode(decoded, metadataOf(), value), isEncoded],
  };
  for (const [place, [use, isRight]] of Object.entries(OPTIONS)) {
    test(place, () => assertOwnErrors(used(use, { ...HOSTILE, ...CHANGING }), isRight));
  }

  test("which are not mistaken for detached buffers", () => {
    for (const make of Object.values(HOSTILE)) {
      const message = /^encoded: expected an? (?!.*detached)/;
      assertThrows(() => chain.decode(make()), InvalidArgumentError, { argument: "encoded", message });
    }
  });

  test("as argument of isZarrCodecError, which returns false", () => {
    for (const make of Object.values(HOSTILE)) assert.equal(isZarrCodecError(make()), false);
  });
});

/** Runs `f`, which may throw only errors of this package. Returns whether it threw. */
function throwsOwnError(f) {
  try {
    f();
  } catch (error) {
    assert.ok(error instanceof ZarrCodecError, `expected an error of this package, got ${error?.stack}`);
    assert.ok(error.message.length > 0);
    return true;
  }
  return false;
}

describe("throws only its own errors, whatever the arguments of", () => {
  const junk = fc.anything({
    maxDepth: 3,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withObjectString: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  /** Sometimes replaces a value with junk. */
  const mostly = (arbitrary) => fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: junk });
  const members = (shape) => mostly(fc.record(shape, { requiredKeys: [] }));
  const name = (...names) => mostly(fc.constantFrom(...names));

  const configuration = members({ endian: name("little", "big"), junk });
  const codec = fc.oneof(
    name("bytes", "crc32c", "endian"),
    members({
      name: name("bytes", "crc32c", "endian"),
      configuration,
      must_understand: mostly(fc.boolean()),
    }),
  );
  const codecs = mostly(fc.array(codec, { maxLength: 4 }));
  const dataType = name("bool", "uint8", "float16", "float32", "complex64", "r24", "r8");
  const shape = mostly(fc.array(mostly(fc.nat(3)), { maxLength: 4 }));
  const metadata = members({ dataType, shape, codecs });
  const arrayMetadata = members({
    zarr_format: mostly(fc.constant(3)),
    node_type: name("array"),
    data_type: dataType,
    chunk_grid: members({ name: name("regular"), configuration: members({ chunk_shape: shape }) }),
    codecs,
  });
  const bytes = mostly(fc.uint8Array({ maxLength: 40 }));
  const components = mostly(fc.oneof(fc.float32Array(), fc.uint8Array(), fc.uint16Array()));
  const chunk = fc.oneof(components, members({ data: components, shape, stride: shape }));
  const chainOptions = {
    verify: mostly(fc.boolean()),
    missingEndian: name("error", "little", "big"),
    invalidBool: name("error", "coerce"),
    float16: name("auto", "float32", "bits"),
  };
  const decodeOptions = { copy: mostly(fc.boolean()), inPlace: mostly(fc.boolean()), out: components };
  const optionsOf = (shape) => fc.oneof(fc.constant(undefined), members(shape));

  const CALLS = [
    [createCodecChain, metadata, optionsOf(chainOptions)],
    [createCodecChain, arrayMetadata, optionsOf(chainOptions)],
    [decode, bytes, metadata, optionsOf({ ...chainOptions, ...decodeOptions })],
    [encode, chunk, metadata, optionsOf({ ...chainOptions, out: components })],
    [crc32c, bytes, mostly(fc.nat())],
    [crc32cCombine, mostly(fc.nat()), mostly(fc.nat()), mostly(fc.nat())],
  ];
  for (const [f, ...args] of CALLS) {
    test(f.name, () => {
      let rejected = 0;
      fc.assert(
        fc.property(...args, (...values) => {
          if (throwsOwnError(() => f(...values))) rejected += 1;
        }),
        PROPERTIES,
      );
      assert.ok(rejected > RUNS / 30, `only ${rejected} were rejected`);
      assertStillWorks();
    });
  }

  test("a chain's decode and encode", () => {
    const chain = createCodecChain(metadataOf({ shape: [2], checksums: 1 }));
    const encoded = fc.oneof(bytes, fc.constant(withChecksum(new Uint8Array(8))));
    const rejected = { decode: 0, encode: 0 };
    fc.assert(
      fc.property(
        encoded,
        chunk,
        optionsOf({ verify: mostly(fc.boolean()), ...decodeOptions }),
        (bytes, chunk, options) => {
          if (throwsOwnError(() => chain.decode(bytes, options))) rejected.decode += 1;
          if (throwsOwnError(() => chain.encode(chunk, options))) rejected.encode += 1;
        },
      ),
      PROPERTIES,
    );
    assert.ok(Math.min(rejected.decode, rejected.encode) > RUNS / 30, JSON.stringify(rejected));
    assertStillWorks();
  });
});
