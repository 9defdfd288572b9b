// Invalid metadata, and the checks of errors about it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, decode, encode, InvalidMetadataError } from "zarr-codecs";
import { assertThrows, metadataOf } from "./helpers.mjs";

export const little = { name: "bytes", configuration: { endian: "little" } };

/** Returns the metadata of two float32, with these members replaced. */
export const chainWith = (members) => ({ ...metadataOf({ shape: [2] }), ...members });
export const codecsWith = (...codecs) => chainWith({ codecs });
export const bytesWith = (configuration) => codecsWith({ name: "bytes", configuration });

/** Asserts the path in the error, and the value found or the problem in its message. */
export function assertInvalid(use, path, got) {
  const { path: actual, message } = assertThrows(use, InvalidMetadataError);
  if (path instanceof RegExp) assert.match(actual, path);
  else assert.equal(actual, path);
  if (got.problem !== undefined) return assert.equal(message, `${actual}: ${got.problem}`);
  const [start, end] = message.split(", got ");
  assert.ok(start.startsWith(`${actual}: expected `), message);
  if (got instanceof RegExp) assert.match(end, got);
  else assert.equal(end, got, message);
}

/** Defines a test for each case, by subject: the fault, the metadata, the path, and the value found in the message. */
export function rejectEach(subjects) {
  for (const [subject, cases] of Object.entries(subjects)) {
    describe(`rejects ${subject}`, () => {
      for (const [what, metadata, path, got] of cases) {
        test(what, () => {
          const uses = [
            () => createCodecChain(metadata),
            () => decode(new Uint8Array(4), metadata),
            () => encode(new Uint8Array(4), metadata),
          ];
          for (const use of uses) {
            assertInvalid(use, path, got);
          }
        });
      }
    });
  }
}
