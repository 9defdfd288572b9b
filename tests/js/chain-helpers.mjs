// Helpers of the tests of chains with codecs of others: the vectors, the codecs, checks of rejections.

import assert from "node:assert/strict";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  ExternalCodecError,
  InvalidElementError,
  InvalidMetadataError,
} from "zarr-codecs";
import { registry } from "zarrita";
import { DEFLATE } from "./chains.mjs";
import { LONGEST_MESSAGE, readVectors } from "./helpers.mjs";

/** The classes of errors by the names that the vectors state. */
const CLASSES = {
  ChecksumMismatchError,
  ChunkLengthError,
  ExternalCodecError,
  InvalidElementError,
  InvalidMetadataError,
};

const files = new Map();

/** Reads and parses a file of tests/vectors/chains, once. */
export function readChains(file) {
  if (!files.has(file)) files.set(file, readVectors(`chains/${file}`));
  return files.get(file);
}

/** zarrita's blosc with automatic shuffling, which it decodes but does not encode. */
const automaticBlosc = async () => {
  const Blosc = await registry.get("numcodecs.blosc")();
  const fromConfig = ({ shuffle, ...rest }) =>
    Blosc.fromConfig({ ...rest, shuffle: shuffle === -1 ? Blosc.SHUFFLE : shuffle });
  return { fromConfig };
};

/** zarrita's codecs as far as they encode: its gzip and zlib cannot, so those of this package's host serve. */
export const ENCODERS = new Map([...registry].filter(([name]) => !DEFLATE.includes(name))).set(
  "numcodecs.blosc",
  automaticBlosc,
);

/** Asserts that a promise is rejected with an error of one of these classes. */
export async function assertRejects(promise, expected, where) {
  let error;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  const wanted = `${where}: expected ${expected.join(" or ")}`;
  assert.ok(error !== undefined, `${wanted}, got no error`);
  const isExpected = expected.some((name) => error instanceof CLASSES[name]);
  assert.ok(isExpected, `${wanted}, got ${error.constructor?.name}: ${error.message ?? error}`);
  assert.ok(error.message.length <= LONGEST_MESSAGE, `a message of ${error.message.length} characters`);
  if (error instanceof ExternalCodecError) {
    assert.equal(error.code, "external_codec", where);
    assert.match(error.path, /^codecs\[\d\]$/, where);
  }
  return error;
}

/** Runs checks one after another and asserts that none fails, reporting every failure. */
export async function assertEach(items, check) {
  const faults = [];
  let count = 0;
  for (const item of items) {
    count += 1;
    try {
      await check(item);
    } catch (error) {
      faults.push(error.message);
    }
  }
  assert.ok(count > 0, "nothing to check");
  assert.equal(faults.length, 0, `${faults.length} of ${count}:\n${faults.slice(0, 20).join("\n")}`);
}
