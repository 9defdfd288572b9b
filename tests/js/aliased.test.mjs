// Shared memory that is both read and written, through two distinct buffer objects.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { createCodecChain } from "zarr-codecs";
import { assertSameBytes, metadataOf, noise, withChecksum } from "./helpers.mjs";

const LENGTH = 200_000; // far longer than the window
const FORWARD = 4096; // so that the first bytes written are the next ones read

const PLAIN = Object.getPrototypeOf(new ArrayBuffer(0));
/** Constructors of shared memory, and functions that disguise it. */
const DISGUISES = {
  undisguised: [SharedArrayBuffer],
  "with the tag of an ArrayBuffer": [
    SharedArrayBuffer,
    (buffer) => Object.defineProperty(buffer, Symbol.toStringTag, { value: "ArrayBuffer" }),
  ],
  "of a subclass with another tag": [
    class Mine extends SharedArrayBuffer {
      get [Symbol.toStringTag]() {
        return "Mine";
      }
    },
  ],
  "without a prototype": [SharedArrayBuffer, (buffer) => Object.setPrototypeOf(buffer, null)],
  "with the prototype of an ArrayBuffer": [
    SharedArrayBuffer,
    (buffer) => Object.setPrototypeOf(buffer, PLAIN),
  ],
  "of another realm": [runInNewContext("SharedArrayBuffer")],
  growable: [
    class Growable extends SharedArrayBuffer {
      constructor(length) {
        super(length, { maxByteLength: length });
      }
    },
  ],
};

/** Two buffer objects with the same memory. */
function aliases([Shared, disguise = (buffer) => buffer], byteLength) {
  const buffer = new Shared(byteLength);
  const alias = structuredClone(buffer);
  new Uint8Array(buffer)[0] = 7;
  assert.equal(new Uint8Array(alias)[0], 7, "the same memory");
  assert.notEqual(buffer, alias);
  return [disguise(buffer), disguise(alias)];
}

describe("decodes into an alias of the encoded bytes,", () => {
  for (const [how, shared] of Object.entries(DISGUISES)) {
    test(how, () => {
      for (const endian of ["little", "big"]) {
        const chain = createCodecChain(metadataOf({ shape: [LENGTH], endian, checksums: 1 }));
        const encoded = withChecksum(noise(4 * LENGTH));
        const [source, target] = aliases(shared, encoded.length + FORWARD);
        const bytes = new Uint8Array(source, 0, encoded.length);
        bytes.set(encoded);
        const out = new Float32Array(target, FORWARD, LENGTH);
        chain.decode(bytes, { out });
        assertSameBytes(out, chain.decode(encoded).data);
      }
    });
  }
});

describe("encodes into an alias of the decoded array,", () => {
  for (const [how, shared] of Object.entries(DISGUISES)) {
    test(how, () => {
      for (const endian of ["little", "big"]) {
        const chain = createCodecChain(metadataOf({ shape: [LENGTH], endian, checksums: 1 }));
        const encoded = withChecksum(noise(4 * LENGTH));
        const [source, target] = aliases(shared, encoded.length + FORWARD);
        const array = new Float32Array(source, 0, LENGTH);
        new Uint8Array(source, 0, 4 * LENGTH).set(
          new Uint8Array(chain.decode(encoded).data.buffer, 0, 4 * LENGTH),
        );
        const out = new Uint8Array(target, FORWARD, encoded.length);
        chain.encode(array, { out });
        assertSameBytes(out, encoded);
      }
    });
  }
});
