// Parses metadata as people type it, and finds values in the text.

import { findNodeAtLocation, parse, parseTree, printParseErrorCode } from "jsonc-parser";

/** A syntax error with its place. */
export class JsonError extends SyntaxError {
  /** @param {string} message @param {Place} place */
  constructor(message, place) {
    super(message);
    this.place = place;
  }
}

/**
 * A part of the text.
 *
 * @typedef {object} Place
 * @property {number} start
 * @property {number} end
 * @property {number} line from 1
 * @property {number} column from 1
 */

/** Parses strict JSON. @param {string} text @returns {unknown} @throws {JsonError} */
export function parseMetadata(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Engines differ in how they report the place, if they do.
    /** @type {import("jsonc-parser").ParseError[]} */
    const mistakes = [];
    parse(text, mistakes, { disallowComments: true });
    const [mistake] = mistakes;
    if (mistake === undefined) throw error;
    throw new JsonError(inWords(printParseErrorCode(mistake.error)), placeOf(text, mistake));
  }
}

/** Writes `CommaExpected` as `Comma expected`. @param {string} name */
const inWords = (name) => name.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Finds the value at a path like `codecs[0].configuration.endian`, or the innermost value that should contain it.
 *
 * @param {string} text
 * @param {string} path
 */
export function locate(text, path) {
  const tree = parseTree(text);
  const segments = path.split(/[.[\]]+/).filter((segment) => segment !== "");
  const keys = segments.map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  for (let length = keys.length; tree && length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, keys.slice(0, length));
    if (node) return placeOf(text, node);
  }
  return tree && placeOf(text, tree);
}

/** @param {string} text @param {{ offset: number, length: number }} part @returns {Place} */
function placeOf(text, { offset, length }) {
  const before = text.slice(0, offset).split("\n");
  const column = before[before.length - 1].length + 1;
  return { start: offset, end: offset + length, line: before.length, column };
}

/** Writes metadata as text, with the numbers of a shape on one line. @param {object} metadata */
export function formatMetadata(metadata) {
  const text = JSON.stringify(metadata, null, 2);
  return text.replace(/\[\s+([\d,\s]+?)\s+\]/g, (_, numbers) => `[${numbers.replace(/\s+/g, " ")}]`);
}

/** @typedef {{ endian: "little" | "big", hasChecksum: boolean }} Encoding a byte order, with or without a checksum */

/** Returns the codecs of an encoding. @param {Encoding} encoding */
export const codecsOf = ({ endian, hasChecksum }) => [
  { name: "bytes", configuration: { endian } },
  ...(hasChecksum ? [{ name: "crc32c" }] : []),
];
