// Metadata with a fault, and the check of what is thrown about it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, decode, encode, InvalidMetadataError } from "zarr-codecs";
import { assertThrows, metadataOf } from "./helpers.mjs";

export const little = { name: "bytes", configuration: { endian: "little" } };

/** Metadata of two float32, with these members instead. */
export const chainWith = (members) => ({ ...metadataOf({ shape: [2] }), ...members });
export const codecsWith = (...codecs) => chainWith({ codecs });
export const bytesWith = (configuration) => codecsWith({ name: "bytes", configuration });

/** What an error says of a member that there is not. */
export const unknownMember = (...allowed) => ({
  problem: `unknown member; ${allowed.length > 0 ? `allowed: ${allowed.join(", ")}` : "none is allowed"}`,
});

/** Asserts the path in the error, and what its message says it got (a text or a pattern) or what else is wrong. */
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

/** A test for each case, by subject: what is wrong, the metadata, the path, and what the message says it got. */
export function refuseEach(subjects) {
  for (const [subject, cases] of Object.entries(subjects)) {
    describe(`refuses ${subject}`, () => {
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
