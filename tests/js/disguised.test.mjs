// Arrays with misleading properties, and buffers that are detached or resized during a call: at worst, an error of this
// package, after which the next chunk decodes. (After a trap, the WebAssembly instance could not be used again.)

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Crc32c, crc32c, createCodecChain } from "zarr-codecs";
import { assertOwnErrors, metadataOf, noise, slowCrc, withChecksum } from "./helpers.mjs";
import { sameBytes } from "./vectors.mjs";

const plain = () => noise(16);
const decoded = () => new Float32Array(plain().buffer);
const empty = () => new Float32Array(4);
const encoded = (endian) => withChecksum(endian === "big" ? Buffer.from(plain()).swap32() : plain());
const isDecoded = ({ data }) => sameBytes(data, decoded());
const isEncoded = (bytes) => sameBytes(bytes, encoded());

const [little, big] = ["little", "big"].map((endian) =>
  createCodecChain(metadataOf({ shape: [4], endian, checksums: 1 })),
);
const unchecked = createCodecChain(metadataOf({ shape: [4], endian: "little" }));

describe("arrays with misleading properties, used as", () => {
  const fail = () => {
    throw new TypeError("touched");
  };
  const NUMBERS = [0, 3, 1000, -1, 2 ** 40];
  const LIES = {
    length: NUMBERS,
    byteLength: NUMBERS,
    byteOffset: NUMBERS,
    buffer: [new ArrayBuffer(4), undefined],
    subarray: [() => new Uint8Array(3), fail],
    slice: [fail],
    set: [fail],
    constructor: [Uint8Array, undefined],
    [Symbol.toStringTag]: ["Uint8Array"],
    [Symbol.iterator]: [fail],
  };
  const DISGUISES = {
    none: (array) => array,
    "no prototype": (array) => Object.setPrototypeOf(array, null),
    "another prototype": (array) => Object.setPrototypeOf(array, BigInt64Array.prototype),
    "another species": (array) => {
      class Other extends array.constructor {
        static get [Symbol.species]() {
          return Float64Array;
        }
      }
      return new Other(array.buffer, array.byteOffset, array.length);
    },
  };
  for (const property of Reflect.ownKeys(LIES)) {
    const name = String(property);
    DISGUISES[`${name} throws`] = (array) => Object.defineProperty(array, property, { get: fail });
    LIES[property].forEach((value, i) => {
      DISGUISES[`${name}, ${i}`] = (array) => Object.defineProperty(array, property, { value });
    });
  }

  const isChecksum = (crc) => crc === slowCrc(plain());
  /** Functions that create the array, use it (given its actual buffer, too), and check the result. */
  const USES = {
    "encoded bytes": [encoded, (array) => little.decode(array), isDecoded],
    "encoded bytes to swap": [() => encoded("big"), (array) => big.decode(array), isDecoded],
    "encoded bytes, into out": [encoded, (array) => little.decode(array, { out: empty() }), isDecoded],
    "encoded bytes, in place": [encoded, (array) => little.decode(array, { inPlace: true }), isDecoded],
    "encoded Float64Array": [
      () => new Float64Array(plain().buffer),
      (array) => unchecked.decode(array),
      isDecoded,
    ],
    "an array to encode": [decoded, (array) => little.encode(array), isEncoded],
    "the data of a chunk": [decoded, (data) => little.encode({ data }), isEncoded],
    "an out of decode": [empty, (out, data) => big.decode(encoded("big"), { out }) && { data }, isDecoded],
    "an out of encode": [
      () => new Uint8Array(20),
      (out, buffer) => little.encode(decoded(), { out }) && buffer,
      isEncoded,
    ],
    "bytes of a checksum": [plain, (array) => crc32c(array), isChecksum],
    "an update of a checksum": [plain, (array) => new Crc32c().update(array).digest(), isChecksum],
  };
  for (const [what, [make, use, isRight]] of Object.entries(USES)) {
    const disguised = Object.entries(DISGUISES).map(([name, disguise]) => [
      name,
      () => {
        const array = make();
        const { buffer } = array;
        return use(disguise(array), buffer);
      },
    ]);
    test(what, () => {
      assertOwnErrors(Object.fromEntries(disguised), isRight);
    });
  }
});

describe("memory lost during a call:", () => {
  /** Functions that allocate a buffer, and that take its memory. */
  const LOSSES = {
    detached: [
      (length) => new ArrayBuffer(length),
      (buffer) => buffer.byteLength > 0 && structuredClone(buffer, { transfer: [buffer] }),
    ],
    shortened: [
      (length) => new ArrayBuffer(length, { maxByteLength: length }),
      (buffer) => buffer.resize(buffer.byteLength / 2),
    ],
  };
  const OPTIONS = ["verify", "out", "copy", "inPlace"];
  const MEMBERS = ["data", "shape", "stride"];

  for (const [how, [allocate, lose]] of Object.entries(LOSSES)) {
    const inBuffer = (source) => {
      const bytes = new Uint8Array(allocate(source.byteLength));
      bytes.set(new Uint8Array(source.buffer));
      return bytes;
    };
    const floats = () => new Float32Array(inBuffer(decoded()).buffer);

    /** Defines the member `name`, which takes the memory of `buffer` on its nth read. */
    const losing = (name, nth, buffer, members = {}) => {
      let reads = 0;
      const value = members[name];
      const get = () => {
        reads += 1;
        if (reads === nth) lose(buffer);
        return value;
      };
      return Object.defineProperty(members, name, { enumerable: true, get });
    };
    /** Calls `use` for each of these names and each of the first reads. */
    const cases = (names, use) =>
      Object.fromEntries(
        names.flatMap((name) => [1, 2, 3, 4].map((nth) => [`${name}, read ${nth}`, () => use(name, nth)])),
      );

    test(`encoded bytes, ${how}`, () => {
      for (const [chain, endian] of [
        [little, "little"],
        [big, "big"],
      ]) {
        const use = (name, nth) => {
          const bytes = inBuffer(encoded(endian));
          return chain.decode(bytes, losing(name, nth, bytes.buffer));
        };
        assertOwnErrors(cases(OPTIONS, use), isDecoded);
      }
    });

    test(`an out of decode, ${how}`, () => {
      const use = (name, nth) => {
        const out = floats();
        return big.decode(encoded("big"), losing(name, nth, out.buffer, { out }));
      };
      assertOwnErrors(cases(OPTIONS, use), isDecoded);
    });

    test(`an out of encode, ${how}`, () => {
      const use = (name, nth) => {
        const out = inBuffer(encoded());
        return little.encode(decoded(), losing(name, nth, out.buffer, { out }));
      };
      assertOwnErrors(cases(["out"], use), isEncoded);
    });

    test(`an array to encode, ${how}`, () => {
      const use = (name, nth) => {
        const data = floats();
        return little.encode(data, losing(name, nth, data.buffer));
      };
      assertOwnErrors(cases(["out"], use), isEncoded);
    });

    test(`the data of a chunk, ${how}`, () => {
      const use = (name, nth) => {
        const data = floats();
        return little.encode(losing(name, nth, data.buffer, { data }));
      };
      assertOwnErrors(cases(MEMBERS, use), isEncoded);
    });
  }
});

test("a call during another call, from a getter, works", () => {
  const options = {
    get verify() {
      return sameBytes(big.decode(encoded("big")).data, decoded());
    },
  };
  assert.ok(sameBytes(little.decode(encoded(), options).data, decoded()));
});

test("a stack overflow of the caller, which aborts calls, has no lasting effect", () => {
  const walk = () => {
    try {
      big.decode(encoded("big"));
      createCodecChain(metadataOf({ shape: [4], endian: "big", checksums: 1 }));
    } catch (error) {
      // Any of these calls may overflow the stack.
      if (!(error instanceof RangeError)) throw error;
    }
    walk();
  };
  for (let time = 0; time < 3; time += 1) assert.throws(walk, RangeError);
  assert.ok(sameBytes(big.decode(encoded("big")).data, decoded()));
  assert.equal(
    createCodecChain(metadataOf({ shape: [4], endian: "big", checksums: 1 })).encodedByteLength,
    20,
  );
});
