// Metadata as people type it: parsed, and places in the text found.

import { findNodeAtLocation, parse, parseTree, printParseErrorCode } from "jsonc-parser";

/** What a text is not JSON because of. */
export class NoJsonError extends Error {
  name = "SyntaxError";

  constructor(message, place) {
    super(message);
    this.place = place;
  }
}

/**
 * @typedef {object} Place a part of the text
 * @property {number} start
 * @property {number} end
 * @property {number} line from 1
 * @property {number} column from 1
 */

/** Parses strictly; what is wrong is told with its place. */
export function parseMetadata(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Engines tell the place in different ways, or not at all.
    const mistakes = [];
    parse(text, mistakes, { disallowComments: true });
    const [mistake] = mistakes;
    if (mistake === undefined) throw error;
    throw new NoJsonError(inWords(printParseErrorCode(mistake.error)), placeOf(text, mistake));
  }
}

/** `CommaExpected` as `comma expected`. */
const inWords = (name) => name.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Where the text has the value at a path like `codecs[0].configuration.endian`, or what should have it. */
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

/** @returns {Place} */
function placeOf(text, { offset, length }) {
  const before = text.slice(0, offset).split("\n");
  return { start: offset, end: offset + length, line: before.length, column: before.at(-1).length + 1 };
}

/** Metadata as text, numbers of a shape on one line. */
export function formatMetadata(metadata) {
  const text = JSON.stringify(metadata, null, 2);
  return text.replace(/\[\s+([\d,\s]+?)\s+\]/g, (_, numbers) => `[${numbers.replace(/\s+/g, " ")}]`);
}

/** The codecs of a chunk in one of the two byte orders, with or without a checksum. */
export const codecsOf = ({ endian, hasChecksum }) => [
  { name: "bytes", configuration: { endian } },
  ...(hasChecksum ? [{ name: "crc32c" }] : []),
];

/** Whether this is the zarr.json of an array, not just what a codec chain is made from. */
export const isArrayMetadata = (metadata) =>
  typeof metadata === "object" &&
  metadata !== null &&
  ["zarr_format", "node_type", "data_type", "chunk_grid"].some((member) => member in metadata);
