/** JSON objects as source text, so that their values are kept to the last digit: `JSON.parse` rounds numbers beyond 2^53. */

/** The members of an object: each name with the source text of its value. */
export type JsonText = ReadonlyMap<string, string>;

// Sticky, to match at an offset without copying the rest of the text.
const SPACE = /\s*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/**
 * Splits the source text of an object into its members. Of members with the same name, the last one counts, as in `JSON.parse`.
 *
 * @param text a valid JSON text, of an object
 */
export function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = end(SPACE, text, text.indexOf("{") + 1);
  while (text[at] === '"') {
    const nameEnd = end(STRING, text, at);
    const valueStart = end(SPACE, text, text.indexOf(":", nameEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    members.set(JSON.parse(text.slice(at, nameEnd)), text.slice(valueStart, valueEnd));
    at = end(SPACE, text, end(SPACE, text, valueEnd) + 1); // After the comma.
  }
  return members;
}

/** Joins members to the text of an object. */
export function objectText(members: JsonText): string {
  const texts = Array.from(members, ([name, value]) => `${JSON.stringify(name)}: ${value}`);
  return `{${texts.join(", ")}}`;
}

/** Returns the end of the value that starts at an offset. */
function endOfValue(text: string, start: number): number {
  let at = start;
  let depth = 0;
  do {
    const character = text[at] as string;
    if (character === '"') at = end(STRING, text, at);
    else if (/[[{\]},:\s]/.test(character)) {
      if (character === "[" || character === "{") depth += 1;
      if (character === "]" || character === "}") depth -= 1;
      at += 1;
    } else at = end(SCALAR, text, at);
  } while (depth > 0);
  return at;
}

/** Returns the end of what a pattern matches at an offset. */
function end(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
