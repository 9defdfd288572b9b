// Helpers of several tests: bytes at other offsets, a reference implementation of CRC-32C, checks of errors.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createCodecChain, isZarrCodecError, ZarrCodecError } from "zarr-codecs";
import { bytesOf, sameBytes } from "./vectors.mjs";

/** Reads and parses a file of tests/vectors. */
export function readVectors(file) {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8"));
}

/** Returns the metadata of a codec chain; by default, one of float32, big endian. */
export function metadataOf({ dataType = "float32", shape = [4], endian = "big", checksums = 0 } = {}) {
  const bytes = { name: "bytes", ...(endian && { configuration: { endian } }) };
  return { dataType, shape, codecs: [bytes, ...Array(checksums).fill({ name: "crc32c" })] };
}

/** Creates the chain of that metadata, with these options. */
export const chainOf = ({ options, ...metadata } = {}) => createCodecChain(metadataOf(metadata), options);

/** 1 and -2 in either byte order. */
export const BIG = Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0);
export const LITTLE = Uint8Array.of(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0);
export const VALUES = [1, -2];

/** Numbers of float32 that fit into the window, fill it with a checksum, without one, and exceed it. */
export const LENGTHS = [1, 16, 65_535, 65_536, 65_537];

export const TEN_MILLION = 10_000_000;
export const ONE_MILLION = 1_000_000;

/** Escapes a text for a regular expression. */
export const literally = (text) => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/** Copies bytes to an offset in a longer buffer. */
export function atOffset(bytes, offset, buffer = new ArrayBuffer(offset + bytes.length + 3)) {
  const moved = new Uint8Array(buffer, offset, bytes.length);
  moved.set(bytes);
  return moved;
}

export const shared = (bytes) => atOffset(bytes, 0, new SharedArrayBuffer(bytes.length)).buffer;

/** Detaches a buffer, or that of a view. */
export function detached(data) {
  const buffer = data instanceof ArrayBuffer ? data : data.buffer;
  structuredClone(buffer, { transfer: [buffer] });
  return data;
}

/** Returns reproducible pseudo-random bytes. */
export function noise(length) {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

/** Returns the CRCs of single bytes, bit by bit. */
function crcsOfBytes(polynomial) {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
    return crc;
  });
}

const CASTAGNOLI = crcsOfBytes(0x82f63b78);
const ISO_HDLC = crcsOfBytes(0xedb88320);

/** Computes a reflected 32-bit CRC byte by byte: by default CRC-32C (RFC 3720, 12.1). */
export function slowCrc(bytes, initial = 0, ofBytes = CASTAGNOLI) {
  let crc = ~initial;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ ofBytes[(crc ^ bytes[i]) & 0xff];
  return ~crc >>> 0;
}

/** Computes the CRC-32 of gzip (ISO-HDLC). */
export const slowCrc32 = (bytes) => slowCrc(bytes, 0, ISO_HDLC);

const { PROPERTY_RUNS } = process.env;
/** How many random inputs a property is checked for: few, and the same ones, unless `properties.slow.mjs` says otherwise. */
export const RUNS = Number(PROPERTY_RUNS ?? 50);
export const PROPERTIES = { numRuns: RUNS, ...(PROPERTY_RUNS === undefined && { seed: 2026 }) };

export const littleEndian = (word) => [word, word >>> 8, word >>> 16, word >>> 24].map((byte) => byte & 255);

export function readLittleEndian(bytes, offset) {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset, true);
}

/** Appends a checksum, or another word, to bytes. */
export function withChecksum(bytes, word = slowCrc(bytes)) {
  const encoded = new Uint8Array(bytes.length + 4);
  encoded.set(bytes);
  encoded.set(littleEndian(word), bytes.length);
  return encoded;
}

export function assertSameBytes(actual, expected, where) {
  if (sameBytes(actual, expected)) return;
  const hex = (data) => Buffer.from(bytesOf(data)).toString("hex");
  assert.equal(hex(actual), hex(expected), where);
  assert.fail(`${where}: different bytes`);
}

/** Asserts that `f` throws an error of this class, with these fields and this message. Returns the error. */
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

/** Returns a number of bytes as messages state it. */
export const bytesText = (count) => (count === 1 ? "1 byte" : `${count} bytes`);

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

/** Asserts that a valid chunk decodes: 1 and -2 by IEEE 754, with the checksum of the reference implementation. */
export function assertStillWorks() {
  const encoded = withChecksum([0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0]);
  const { data } = createCodecChain(metadataOf({ shape: [2], checksums: 1 })).decode(encoded);
  assert.deepEqual([...data], [1, -2]);
}

/**
 * Asserts that each function either throws an error of this package or returns what `isRight` accepts, and that the package
 * keeps working.
 */
export function assertOwnErrors(functions, isRight) {
  const faults = [];
  for (const [name, f] of Object.entries(functions)) {
    try {
      if (!isRight(f())) faults.push(`${name}: a wrong result`);
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
