// What several tests need: bytes in other places, an oracle for checksums, and the check of an error.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createCodecChain, isZarrCodecError, ZarrCodecError } from "zarr-codecs";
import { bytesOf, sameBytes } from "./vectors.mjs";

/** A file of tests/vectors, parsed. */
export function readVectors(file) {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8"));
}

/** A codec chain's metadata: one row of float32, big endian, unless told otherwise. */
export function metadataOf({ dataType = "float32", shape = [4], endian = "big", checksums = 0 } = {}) {
  const bytes = { name: "bytes", ...(endian && { configuration: { endian } }) };
  return { dataType, shape, codecs: [bytes, ...Array(checksums).fill({ name: "crc32c" })] };
}

/** The chain of that metadata, with these options. */
export const chainOf = ({ options, ...metadata } = {}) => createCodecChain(metadataOf(metadata), options);

/** 1 and -2 in either byte order. */
export const BIG = Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0);
export const LITTLE = Uint8Array.of(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0);
export const VALUES = [1, -2];

/** Numbers of float32 below, at and above what is decoded in one go. */
export const LENGTHS = [1, 16, 16_384, 16_385, 50_000];

export const TEN_MILLION = 10_000_000;
export const ONE_MILLION = 1_000_000;

/** The source of a pattern that matches this text. */
export const literally = (text) => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/** A copy of bytes, `offset` bytes into a buffer that is longer than they are. */
export function atOffset(bytes, offset, buffer = new ArrayBuffer(offset + bytes.length + 3)) {
  const moved = new Uint8Array(buffer, offset, bytes.length);
  moved.set(bytes);
  return moved;
}

export const shared = (bytes) => atOffset(bytes, 0, new SharedArrayBuffer(bytes.length)).buffer;

/** A buffer, or a view of one, whose memory was given away. */
export function detached(data) {
  const buffer = data instanceof ArrayBuffer ? data : data.buffer;
  structuredClone(buffer, { transfer: [buffer] });
  return data;
}

/** Bytes that look random, always the same. */
export function noise(length) {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

/** A reflected 32-bit CRC bit by bit; its default polynomial is that of CRC-32C (RFC 3720, 12.1). */
export function slowCrc(bytes, initial = 0, polynomial = 0x82f63b78) {
  let crc = ~initial;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
  }
  return ~crc >>> 0;
}

/** The other common one (ISO-HDLC, as in gzip). */
export const slowCrc32 = (bytes) => slowCrc(bytes, 0, 0xedb88320);

export const littleEndian = (word) => [word, word >>> 8, word >>> 16, word >>> 24].map((byte) => byte & 255);

export function readLittleEndian(bytes, offset) {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset, true);
}

/** Bytes followed by their checksum, or by another word. */
export const withChecksum = (bytes, word = slowCrc(bytes)) =>
  Uint8Array.from([...bytes, ...littleEndian(word)]);

export function assertSameBytes(actual, expected, where) {
  if (sameBytes(actual, expected)) return;
  const hex = (data) => Buffer.from(bytesOf(data)).toString("hex");
  assert.equal(hex(actual), hex(expected), where);
  assert.fail(`${where}: other bytes`);
}

/** What `f` throws, which is an error of this package with this class, these fields and this message. */
export function assertThrows(f, ErrorClass, { message, ...fields } = {}) {
  let error;
  try {
    f();
  } catch (thrown) {
    error = thrown;
  }
  assertError(error, ErrorClass, { message, ...fields });
  assertStillWorks();
  return error;
}

export const LONGEST_MESSAGE = 300;

const CODES = {
  InvalidMetadataError: "invalid_metadata",
  ChunkLengthError: "chunk_length",
  ChecksumMismatchError: "checksum_mismatch",
  InvalidElementError: "invalid_element",
  InvalidArgumentError: "invalid_argument",
};

export function assertError(error, ErrorClass, { message, ...fields } = {}) {
  assert.ok(error !== undefined, "nothing was thrown");
  assert.ok(error instanceof ErrorClass, `expected ${ErrorClass.name}, got ${error.stack}`);
  assert.ok(error instanceof ZarrCodecError && error instanceof Error && isZarrCodecError(error));
  assert.ok(error.constructor.name in CODES, error.constructor.name);
  assert.equal(error.name, error.constructor.name);
  assert.equal(error.code, CODES[error.name]);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(error[name], value, name);
  if (message instanceof RegExp) assert.match(error.message, message);
  else if (message !== undefined) assert.equal(error.message, message);
  assert.ok(error.message.length <= LONGEST_MESSAGE, `a message of ${error.message.length} characters`);
}

/** Whatever went wrong before, the next good chunk decodes: 1 and -2 by IEEE 754, the checksum by the oracle. */
export function assertStillWorks() {
  const encoded = withChecksum([0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0]);
  const { data } = createCodecChain(metadataOf({ shape: [2], checksums: 1 })).decode(encoded);
  assert.deepEqual([...data], [1, -2]);
}

/**
 * Runs each function, which may throw errors of this package and nothing else, and must leave it working. Those that
 * throw none must be right by `isFine`, which gets what they return.
 */
export function assertOwnErrors(functions, isFine) {
  const faults = [];
  for (const [name, f] of Object.entries(functions)) {
    try {
      if (!isFine(f())) faults.push(`${name}: taken`);
    } catch (error) {
      if (!(error instanceof ZarrCodecError)) faults.push(`${name}: ${error}`);
    }
    try {
      assertStillWorks();
    } catch (error) {
      faults.push(`${name}: afterwards ${error}`);
      break;
    }
  }
  assert.deepEqual(faults, []);
}
